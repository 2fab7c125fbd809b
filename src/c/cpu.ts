import type { Call } from './calls.js';
import { NOTHING, emitCall, int, withArguments } from './calls.js';
import { CONSTANTS } from './constants.js';
import type { Core } from './core.js';
import { keyOfPath } from './paths.js';
import type { Place, Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import { INT, UNKNOWN, WORD } from './types.js';

/** What the CPU's atomics and fences do: those of C11, of GCC, and of the kernel, on x86. */

const SEQ_CST = CONSTANTS.get('memory_order_seq_cst')!;

/** The word that a pointer leads to. */
function wordOf(core: Core, pointer: CNode): Extract<Place, { kind: 'word' }> {
  const { value, type } = core.evaluate(pointer);
  const none = 'an atomic is on a word of memory, and this is none';
  if (value.kind === 'pointer') return core.isMemory(value.key, pointer, none);
  if (value.kind !== 'address') return core.refuse(pointer, none);
  const to = type.kind === 'pointer' ? type.to : WORD;
  return { kind: 'word', region: value.region, offset: value.offset, type: to };
}

/** The order that a call names; without one it is sequentially consistent. */
function orderIn(core: Core, node: CNode | undefined): number {
  if (node === undefined) return SEQ_CST;
  const { value } = core.evaluate(node);
  return value.kind === 'int'
    ? value.value
    : core.refuse(node, 'which memory order this is must be known when the file is read');
}

const load: Call = (core, [pointer], node) => core.read(wordOf(core, pointer), node);

const store: Call = (core, [pointer, given, order], node) => {
  const place = wordOf(core, pointer);
  core.write(place, core.evaluate(given).value, node);
  if (orderIn(core, order) === SEQ_CST) emitCall(core, 'mfence', [], node);
  return NOTHING;
};

const fence: Call = (core, [order], node) => {
  if (orderIn(core, order) === SEQ_CST) emitCall(core, 'mfence', [], node);
  return NOTHING;
};

const mfence: Call = (core, _, node) => {
  emitCall(core, 'mfence', [], node);
  return NOTHING;
};

const nothing: Call = () => NOTHING;

/** An atomic that gives the old value: of a fresh register. */
function atomic(
  core: Core,
  name: string,
  place: Place,
  operands: readonly Value[],
  node: CNode,
): Value {
  const location = core.read(place, node).value;
  const register = core.fresh('was');
  const given = operands.map((one) => core.exprOf(core.settled(one, node), node));
  emitCall(core, name, [core.exprOf(location, node), ...given], node, {
    target: core.refTo(register, node),
  });
  return { kind: 'runtime', expr: core.refExpr(register, node), reads: false };
}

/** An operator of two values, when the program runs. */
function computed(
  core: Core,
  op: '+' | '=',
  a: Value,
  b: Value,
  node: CNode,
): Extract<Value, { kind: 'runtime' }> {
  const [left, right] = [core.exprOf(a, node), core.exprOf(b, node)];
  const span = core.spanOf(node);
  return { kind: 'runtime', expr: { kind: 'binary', op, left, right, span }, reads: false };
}

const changing =
  (name: 'faa' | 'xchg', sign: 1 | -1 = 1, after = false): Call =>
  (core, [pointer, given], node) => {
    const place = wordOf(core, pointer);
    let by = core.settled(core.evaluate(given).value, node);
    if (sign === -1) {
      if (by.kind !== 'int') return core.refuse(node, 'what is subtracted must be constant');
      by = int(-by.value);
    }
    const was = atomic(core, name, place, [by], node);
    return { value: after ? computed(core, '+', was, by, node) : was, type: place.type };
  };

/** `atomic_compare_exchange_strong(p, &expected, desired)`. Whether it wrote; `expected` has the old value then. */
const exchange: Call = (core, [pointer, expected, desired], node) => {
  const place = wordOf(core, pointer);
  const at = core.evaluate(expected);
  const held: Place =
    at.value.kind === 'pointer'
      ? { kind: 'variable', key: at.value.key, type: WORD }
      : at.value.kind === 'address'
        ? { kind: 'word', region: at.value.region, offset: at.value.offset, type: WORD }
        : core.refuse(expected, 'what is expected is no variable');
  const old = core.settled(core.read(held, node).value, node);
  const was = atomic(core, 'CAS', place, [old, core.evaluate(desired).value], node);
  const isSame = computed(core, '=', was, old, node);
  const done = core.settled({ ...isSame, reads: true }, node, 'done');
  core.write(held, was, node);
  return { value: done, type: INT };
};

const swap =
  (isBool: boolean): Call =>
  (core, [pointer, expected, desired], node) => {
    const place = wordOf(core, pointer);
    const old = core.settled(core.evaluate(expected).value, node);
    const was = atomic(core, 'CAS', place, [old, core.evaluate(desired).value], node);
    return isBool
      ? { value: computed(core, '=', was, old, node), type: INT }
      : { value: was, type: place.type };
  };

/** `memset(&wr, 0, sizeof wr)` */
const clear: Call = (core, [pointer, byte, length], node) => {
  const found = core.evaluate(pointer);
  const what = core.evaluate(byte).value;
  if (what.kind !== 'int' || what.value !== 0) return core.refuse(node, 'only zero is filled in');
  const place = core.behind(found, pointer);
  const bytes = length === undefined ? undefined : core.evaluate(length).value;
  const all = core.around.code.types.sizeOf(found.type);
  const isWhole = bytes?.kind === 'int' && all !== undefined && bytes.value >= all;
  const array = arrayAt(found);
  if (array !== undefined && (isWhole || bytes?.kind !== 'int')) {
    core.zero(array);
    return found;
  }
  const size = core.around.code.types.sizeOf(place.type);
  const isPart = bytes?.kind === 'int' && size !== undefined && bytes.value < size;
  if (isPart && place.kind !== 'word') return core.refuse(node, 'a part of this is filled');
  if (place.kind === 'path' && place.type.kind !== 'struct') core.unplaced(place.text, node);
  const key = core.keyOf(place);
  if (key !== undefined) {
    core.zero(key);
    return found;
  }
  if (place.kind !== 'word' || bytes?.kind !== 'int') {
    return core.refuse(node, 'how much memory this fills is not known');
  }
  for (const { at } of core.wordsIn(place.region, place.offset, bytes.value, node)) {
    core.write({ ...place, offset: at, type: WORD }, int(0), node);
  }
  return found;
};

/** The key of a whole array or structure that is no memory. */
function arrayAt({ value, type }: Typed): string | undefined {
  if (value.kind === 'parts') return value.key;
  return value.kind === 'path' && type.kind === 'array' ? keyOfPath(value.text) : undefined;
}

/** `memcpy(&copy, &wr, sizeof wr)` of a structure that is no memory. */
const copy: Call = (core, [to, from], node) => {
  const [target, source] = [to, from].map((one) => core.evaluate(one));
  const [place, key] = [core.behind(target, to), core.keyOf(core.behind(source, from))];
  if (place.kind === 'word' || key === undefined) {
    return core.refuse(node, 'memory is copied word by word', 'write an assignment for each word');
  }
  core.write({ ...place, type: UNKNOWN }, { kind: 'parts', key }, node);
  return target;
};

/** What changes the order of bytes: values of the program have none. */
const same: Call = (core, [value]) => core.evaluate(value);

/** `container_of(p, struct t, member)`: the structure that a pointer to a member of it leads into. */
const container: Call = (core, [pointer, of, member], node) =>
  core.containing(core.evaluate(pointer), of, member.text, node);

export const CPU = withArguments([
  ...['atomic_load', 'atomic_load_explicit', '__atomic_load_n'].map((n) => [n, 1, load] as const),
  ...['atomic_store', 'atomic_store_explicit', '__atomic_store_n'].map(
    (n) => [n, 2, store] as const,
  ),
  ...['atomic_thread_fence', '__atomic_thread_fence'].map((n) => [n, 0, fence] as const),
  ...['__sync_synchronize', '_mm_mfence', 'smp_mb', 'mb'].map((n) => [n, 0, mfence] as const),
  ...[
    '_mm_sfence',
    '_mm_lfence',
    'atomic_signal_fence',
    '__atomic_signal_fence',
    'barrier',
    'smp_wmb',
    'smp_rmb',
  ].map((n) => [n, 0, nothing] as const),
  ...['udma_to_device_barrier', 'udma_from_device_barrier'].map((n) => [n, 0, nothing] as const),
  ...[
    'atomic_fetch_add',
    'atomic_fetch_add_explicit',
    '__atomic_fetch_add',
    '__sync_fetch_and_add',
  ].map((n) => [n, 2, changing('faa')] as const),
  ...[
    'atomic_fetch_sub',
    'atomic_fetch_sub_explicit',
    '__atomic_fetch_sub',
    '__sync_fetch_and_sub',
  ].map((n) => [n, 2, changing('faa', -1)] as const),
  ['__sync_add_and_fetch', 2, changing('faa', 1, true)],
  ['__atomic_add_fetch', 2, changing('faa', 1, true)],
  ...['atomic_exchange', 'atomic_exchange_explicit', '__atomic_exchange_n'].map(
    (n) => [n, 2, changing('xchg')] as const,
  ),
  ...[
    'atomic_compare_exchange_strong',
    'atomic_compare_exchange_strong_explicit',
    '__atomic_compare_exchange_n',
  ].map((n) => [n, 3, exchange] as const),
  ['__sync_bool_compare_and_swap', 3, swap(true)],
  ['__sync_val_compare_and_swap', 3, swap(false)],
  ...['htonl', 'ntohl', 'htons', 'ntohs', 'htobe64', 'be64toh', 'htobe32', 'be32toh'].map(
    (n) => [n, 1, same] as const,
  ),
  ...['cpu_to_le32', 'le32_to_cpu', 'cpu_to_le64', 'le64_to_cpu', 'likely', 'unlikely'].map(
    (n) => [n, 1, same] as const,
  ),
  ['container_of', 3, container],
  ['memset', 3, clear],
  ['memcpy', 2, copy],
]);
