import type { Call } from './calls.js';
import { NOTHING, SUCCESS, withArguments } from './calls.js';
import { CONSTANTS } from './constants.js';
import type { Core } from './core.js';
import { keyOfPath } from './paths.js';
import { elementsAt, pairIn } from './requests.js';
import type { Building, Stretch } from './state.js';
import type { CNode } from './tree.js';
import { copiedNow, localWords } from './words.js';
import { INLINE, UNNAMED, post } from './work.js';

/** The builders of ibv_wr_post(3). Nothing is posted before `ibv_wr_complete`. */

const start: Call = (core, [pair]) => {
  core.state.building.set(pairIn(core, pair).text, []);
  return NOTHING;
};

/** Begins a request. `remoteAt` and `operands` say which arguments are its remote address and its operands. */
const begin =
  (
    opcode: string,
    remoteAt?: number,
    operands: readonly number[] = [],
    immediateAt?: number,
  ): Call =>
  (core, given, node) => {
    const { text } = pairIn(core, given[0]);
    const before = core.state.building.get(text);
    if (before === undefined) {
      return core.refuse(node, 'this is outside of ibv_wr_start and ibv_wr_complete');
    }
    const { values } = core.state;
    const flags = values.get(keyOfPath(`${text}->wr_flags`));
    if (flags?.kind !== 'int') return core.refuse(node, `${text}->wr_flags is not known`);
    const remote = remoteAt === undefined ? undefined : core.evaluate(given[remoteAt]).value;
    const made: Building = {
      opcode: CONSTANTS.get(`IBV_WR_${opcode}`)!,
      flags: flags.value,
      id: values.get(keyOfPath(`${text}->wr_id`)) ?? UNNAMED,
      ...(remote && { remote }),
      ...(immediateAt !== undefined && { immediate: core.evaluate(given[immediateAt]).value }),
      operands: operands.map((at) => core.settled(core.evaluate(given[at]).value, node)),
    };
    core.state.building.set(text, [...before, made]);
    return NOTHING;
  };

/** Sets the data of the last request. */
const set =
  (dataOf: (core: Core, given: readonly CNode[], node: CNode) => Partial<Building>): Call =>
  (core, given, node) => {
    const { text } = pairIn(core, given[0]);
    const before = core.state.building.get(text) ?? [];
    const last = before.at(-1);
    if (last === undefined) return core.refuse(node, 'no request was begun before this');
    core.state.building.set(text, [
      ...before.slice(0, -1),
      { ...last, ...dataOf(core, given, node) },
    ]);
    return NOTHING;
  };

const setElement = set((core, [, , at, length]) => ({ data: dataAt(core, at, length) }));

const setElements = set((core, [, count, list], node) => ({
  data: elementsOf(core, count, list, node),
}));

const setInline = set((core, [, at, length], node) =>
  copiedFrom(core, dataAt(core, at, length), node),
);

const setInlineList = set((core, [, count, list], node) =>
  copiedFrom(core, elementsOf(core, count, list, node), node),
);

function dataAt(core: Core, at: CNode, length: CNode): readonly Stretch[] {
  const [local, bytes] = [core.evaluate(at).value, core.evaluate(length).value];
  if (bytes.kind !== 'int') return [{ local }];
  return bytes.value === 0 ? [] : [{ local, length: bytes.value }];
}

function elementsOf(core: Core, count: CNode, list: CNode, node: CNode): readonly Stretch[] {
  const { value } = core.evaluate(count);
  if (value.kind !== 'int') return core.refuse(count, 'how many elements these are is not known');
  return elementsAt(core, core.evaluate(list).value, value.value, node);
}

/** Data that is read when it is set. */
function copiedFrom(core: Core, data: readonly Stretch[], node: CNode): Partial<Building> {
  if (data.length === 0) return { data };
  return { data, copied: copiedNow(core, localWords(core, data, node), node) };
}

/** `ibv_wr_atomic_write(qp, rkey, remote, &value)`: the value is read by the call. */
const atomicWrite: Call = (core, given, node) => {
  begin('ATOMIC_WRITE', 2)(core, given, node);
  const value = { local: core.evaluate(given[3]).value, length: 8 };
  return set(() => copiedFrom(core, [value], node))(core, given, node);
};

const complete: Call = (core, [pair], node) => {
  const on = pairIn(core, pair);
  const built = core.state.building.get(on.text);
  if (built === undefined) return core.refuse(node, 'which requests were built here is not known');
  for (const one of built) {
    post(core, on, one.copied === undefined ? one : { ...one, flags: one.flags | INLINE }, node);
  }
  core.state.building.delete(on.text);
  return SUCCESS;
};

const abort: Call = (core, [pair]) => {
  core.state.building.delete(pairIn(core, pair).text);
  return NOTHING;
};

export const BUILDERS = withArguments([
  ['ibv_wr_start', 1, start],
  ['ibv_wr_rdma_write', 3, begin('RDMA_WRITE', 2)],
  ['ibv_wr_rdma_write_imm', 4, begin('RDMA_WRITE_WITH_IMM', 2, [], 3)],
  ['ibv_wr_rdma_read', 3, begin('RDMA_READ', 2)],
  ['ibv_wr_send', 1, begin('SEND')],
  ['ibv_wr_send_imm', 2, begin('SEND_WITH_IMM', undefined, [], 1)],
  ['ibv_wr_atomic_cmp_swp', 5, begin('ATOMIC_CMP_AND_SWP', 2, [3, 4])],
  ['ibv_wr_atomic_fetch_add', 4, begin('ATOMIC_FETCH_AND_ADD', 2, [3])],
  ['ibv_wr_flush', 6, begin('FLUSH', 2)],
  ['ibv_wr_atomic_write', 4, atomicWrite],
  ['ibv_wr_set_sge', 4, setElement],
  ['ibv_wr_set_sge_list', 3, setElements],
  ['ibv_wr_set_inline_data', 3, setInline],
  ['ibv_wr_set_inline_data_list', 3, setInlineList],
  ['ibv_wr_complete', 1, complete],
  ['ibv_wr_abort', 1, abort],
  ['ibv_qp_to_qp_ex', 1, (core, [pair]) => core.evaluate(pair)],
]);
