import { moved } from './arithmetic.js';
import type { Call } from './calls.js';
import { SUCCESS, withArguments } from './calls.js';
import { CONSTANTS } from './constants.js';
import type { QueuePair } from './around.js';
import type { Core } from './core.js';
import { elementOf, pathText } from './paths.js';
import type { Building, Place, Stretch, Value } from './state.js';
import type { CNode } from './tree.js';
import { UNKNOWN } from './types.js';
import { UNNAMED, post, receive } from './work.js';

/** Lists of work requests: what their fields hold when they are posted (ibv_post_send(3), ibv_post_recv(3)). */

const ATOMICS: readonly number[] = ['CMP_AND_SWP', 'FETCH_AND_ADD'].map((name) =>
  CONSTANTS.get(`IBV_WR_ATOMIC_${name}`)!,
);
/** Requests that only builders have. */
const BUILT = new Map(
  ['flush', 'atomic_write'].map((name) => [
    CONSTANTS.get(`IBV_WR_${name.toUpperCase()}`)!,
    `ibv_wr_${name}`,
  ]),
);

/** Longer lists are taken for endless. */
const LONGEST = 100;

/** The fields of a structure behind a pointer. */
class Fields {
  private readonly place: Place;

  constructor(
    private readonly core: Core,
    value: Value,
    private readonly node: CNode,
  ) {
    this.place = core.behind({ value, type: UNKNOWN }, node);
    if (this.place.kind !== 'word') return;
    core.refuse(node, 'what is in this request is not known', 'fill it in where it is posted');
  }

  private at(path: string): Place {
    return path.split('.').reduce((of, name) => this.core.member(of, name, this.node), this.place);
  }

  /** An address. That of a request which was filled in before is in the head. */
  address(path: string): Value {
    const found = this.get(path);
    if (found !== undefined) return found;
    const place = this.at(path);
    return place.kind === 'path' ? this.core.read(place, this.node).value : this.known(path);
  }

  get(path: string): Value | undefined {
    const place = this.at(path);
    const found = this.core.partAt(this.core.keyOf(place)!);
    this.core.mustBeKnown(found, this.node);
    return found;
  }

  known(path: string): Value {
    const hint =
      this.place.kind === 'path'
        ? 'the head can call what sets it before: thread T = setup(c), run(c) on 1'
        : undefined;
    return (
      this.get(path) ?? this.core.refuse(this.node, `the ${path} of this request is not set`, hint)
    );
  }

  number(path: string): number {
    const found = this.known(path);
    return found.kind === 'int'
      ? found.value
      : this.core.refuse(this.node, `the ${path} of this request is not known`);
  }
}

/** Posts each request of a list. */
const posting =
  (one: (core: Core, on: QueuePair, fields: Fields, node: CNode) => void): Call =>
  (core, [pair, list], node) => {
    const on = pairIn(core, pair);
    let { value } = core.evaluate(list);
    for (let n = 0; value.kind !== 'int'; n++) {
      if (n > LONGEST) core.refuse(list, 'this list of requests has no end');
      const fields = new Fields(core, value, list);
      one(core, on, fields, node);
      value = fields.known('next');
    }
    return SUCCESS;
  };

export const pairIn = (core: Core, node: CNode): QueuePair =>
  core.pairOf(core.evaluate(node).value, node);

const postSend = posting((core, on, fields, node) => {
  const opcode = fields.number('opcode');
  const builder = BUILT.get(opcode);
  if (builder !== undefined) {
    core.refuse(node, 'ibv_post_send has no request of this kind', `it is posted by ${builder}`);
  }
  if (['ah', 'remote_qpn'].some((name) => isSet(fields.get(`wr.ud.${name}`)))) {
    core.refuse(node, 'only requests of reliable connections are understood', 'leave out wr.ud');
  }
  const isAtomic = ATOMICS.includes(opcode);
  const remote = fields.get(isAtomic ? 'wr.atomic.remote_addr' : 'wr.rdma.remote_addr');
  const operands = isAtomic
    ? ['compare_add', 'swap'].flatMap((name) => fields.get(`wr.atomic.${name}`) ?? [])
    : [];
  const request: Building = {
    ...{ opcode, flags: fields.number('send_flags'), id: fields.get('wr_id') ?? UNNAMED },
    ...{ ...(remote && { remote }), operands, data: elementsIn(core, fields, node) },
    immediate: fields.get('imm_data') ?? UNNAMED,
  };
  post(core, on, request, node);
});

const isSet = (value: Value | undefined): boolean =>
  value !== undefined && !(value.kind === 'int' && value.value === 0);

const postReceive = posting((core, on, fields, node) => {
  const data = elementsIn(core, fields, node);
  receive(core, on, { id: fields.get('wr_id') ?? UNNAMED, data }, node);
});

/** The scatter elements of a request, but for those without bytes. */
function elementsIn(core: Core, fields: Fields, node: CNode): readonly Stretch[] {
  const count = fields.number('num_sge');
  return count === 0 ? [] : elementsAt(core, fields.known('sg_list'), count, node);
}

/** The elements of a list, by the names of their fields. */
export function elementsAt(
  core: Core,
  list: Value,
  count: number,
  node: CNode,
): readonly Stretch[] {
  if (count > LONGEST) core.refuse(node, 'this list of elements is too long');
  return Array.from({ length: count }, (_, i) => {
    const element = new Fields(core, nth(list, i), node);
    const length = element.get('length');
    const local = element.address('addr');
    return { local, ...(length?.kind === 'int' && { length: length.value }) };
  }).filter(({ length }) => length !== 0);
}

/** A pointer to an element further on. */
function nth(list: Value, i: number): Value {
  if (i === 0) return list;
  if (list.kind === 'pointer') return { ...list, key: moved(list.key, i) };
  if (list.kind === 'parts') return { kind: 'pointer', key: `${list.key}[${i}]` };
  return list.kind === 'path'
    ? { kind: 'path', text: pathText(`&${elementOf(list.text, i)}`) }
    : list;
}

export const POSTS = withArguments([
  ['ibv_post_send', 3, postSend],
  ['ibv_post_recv', 3, postReceive],
]);
