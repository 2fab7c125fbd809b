import type { LitmusExpr, Statement } from '../parse/litmus-ast.js';
import type { Call } from './calls.js';
import { NOTHING, alsoCalled, emitCall, int, withArguments } from './calls.js';
import { CONSTANTS } from './constants.js';
import type { Core } from './core.js';
import { limitsOf } from './cuts.js';
import type { Place, Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import { INT, WORD } from './types.js';

/** What the CPU's atomics and fences do: those of C11, of GCC, and of the kernel, on x86. */

const SEQ_CST = CONSTANTS.get('memory_order_seq_cst')!;

export type Word = Extract<Place, { kind: 'word' }>;

/** The word that a pointer leads to. */
export function wordOf(core: Core, pointer: CNode): Word {
  const { value, type } = core.evaluate(pointer);
  const none = 'an atomic is on a word of memory, and this is none';
  if (value.kind === 'pointer') return core.isMemory(value.key, pointer, none);
  if (value.kind === 'path') core.unplaced(value.text, pointer);
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

/** `__atomic_load(p, &result, order)` */
const loadInto: Call = (core, [pointer, into], node) => {
  const { value } = core.read(wordOf(core, pointer), node);
  core.write(core.behind(core.evaluate(into), into), value, node);
  return NOTHING;
};

/** Writes, and waits as its order says. */
function stored(
  core: Core,
  pointer: CNode,
  value: Value,
  order: CNode | undefined,
  node: CNode,
): Typed {
  core.write(wordOf(core, pointer), value, node);
  if (orderIn(core, order) === SEQ_CST) emitCall(core, 'mfence', [], node);
  return NOTHING;
}

const store: Call = (core, [pointer, given, order], node) =>
  stored(core, pointer, core.evaluate(given).value, order, node);

/** `__atomic_store(p, &value, order)` */
const storeFrom: Call = (core, [pointer, from, order], node) =>
  stored(core, pointer, pointedAt(core, from, node), order, node);

/** `smp_store_release(p, e)`: a write, and nothing more on x86. */
const plainStore: Call = (core, [pointer, given], node) => {
  core.write(wordOf(core, pointer), core.evaluate(given).value, node);
  return NOTHING;
};

const clear: Call = (core, [pointer, order], node) => stored(core, pointer, int(0), order, node);

/** `__sync_lock_release(p)`: a write, and nothing more on x86. */
const release: Call = (core, [pointer], node) => {
  core.write(wordOf(core, pointer), int(0), node);
  return NOTHING;
};

const pointedAt = (core: Core, pointer: CNode, node: CNode): Value =>
  core.settled(core.read(core.behind(core.evaluate(pointer), pointer), node).value, node);

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
export function atomic(
  core: Core,
  name: string,
  place: Word,
  operands: readonly Value[],
  node: CNode,
): Value {
  const location = core.wordIn(place, node);
  const register = core.fresh('was');
  const given = operands.map((one) => {
    const value = name === 'faa' ? one : core.asType(one, place.type);
    return core.exprOf(core.settled(value, node), node);
  });
  mustStay(core, place, location, node);
  if (place.region.node === undefined) alone(core, name, location, register, given, node);
  else {
    emitCall(core, name, [core.refExpr(location, node), ...given], node, {
      target: core.refTo(register, node),
    });
  }
  const value: Value = { kind: 'runtime', expr: core.refExpr(register, node), reads: false };
  return core.asType(value, place.type);
}

/** What an atomic finds in a word, and leaves there, fits into its type: it is not cut. */
function mustStay(core: Core, { type }: Word, location: string, node: CNode): void {
  const limits = type.kind === 'int' ? limitsOf(type) : undefined;
  if (limits === undefined) return;
  const expr = core.refExpr(location, node);
  core.promise(expr, limits, `${location} does not leave the numbers of its type`, node);
}

/** An atomic on memory that only the thread has: it is one for the order of other accesses alone. */
function alone(
  core: Core,
  name: string,
  location: string,
  register: string,
  [first, second]: readonly LitmusExpr[],
  node: CNode,
): void {
  const target = core.refTo(location, node);
  const span = core.spanOf(node);
  core.assign(register, core.refExpr(location, node), node);
  const was = core.refExpr(register, node);
  const sum: LitmusExpr = { kind: 'binary', op: '+', left: was, right: first, span };
  const value = name === 'CAS' ? second : name === 'faa' ? sum : first;
  const write: Statement = { kind: 'assign', target, value, span };
  const condition: LitmusExpr = { kind: 'binary', op: '=', left: was, right: first, span };
  core.emit(name === 'CAS' ? { kind: 'if', condition, then: [write], else: [], span } : write);
  emitCall(core, 'mfence', [], node);
}

type Runtime = Extract<Value, { kind: 'runtime' }>;

/** An operator of two values, when the program runs. */
function computed(core: Core, op: '+' | '=', a: Value, b: Value, node: CNode): Runtime {
  const [left, right] = [core.exprOf(a, node), core.exprOf(b, node)];
  const span = core.spanOf(node);
  return { kind: 'runtime', expr: { kind: 'binary', op, left, right, span }, reads: false };
}

/** What is subtracted, as what is added. */
export function negative(core: Core, value: Value, node: CNode): Value {
  if (value.kind === 'int') return int(-value.value);
  const arg = core.exprOf(core.settled(value, node), node);
  const expr = { kind: 'unary', op: '-', arg, span: core.spanOf(node) } as const;
  return { kind: 'runtime', expr, reads: false };
}

/** Adds to a word at once: the value before, or after. */
export function added(
  core: Core,
  place: Word,
  by: Value,
  gives: 'before' | 'after',
  node: CNode,
): Typed {
  const sum = core.settled(by, node);
  const was = atomic(core, 'faa', place, [sum], node);
  const { type } = place;
  if (gives === 'before') return { value: was, type };
  return { value: core.asType(computed(core, '+', was, sum, node), type), type };
}

const adding =
  (sign: 1 | -1, gives: 'before' | 'after'): Call =>
  (core, [pointer, given], node) => {
    const place = wordOf(core, pointer);
    const by = core.settled(core.evaluate(given).value, node);
    return added(core, place, sign === 1 ? by : negative(core, by, node), gives, node);
  };

const exchange: Call = (core, [pointer, given], node) => {
  const place = wordOf(core, pointer);
  const by = core.settled(core.evaluate(given).value, node);
  return { value: atomic(core, 'xchg', place, [by], node), type: place.type };
};

/** `__atomic_exchange(p, &value, &result, order)` */
const exchangeInto: Call = (core, [pointer, from, into], node) => {
  const place = wordOf(core, pointer);
  const was = atomic(core, 'xchg', place, [pointedAt(core, from, node)], node);
  core.write(core.behind(core.evaluate(into), into), was, node);
  return NOTHING;
};

/** Sets a flag: whether it was set before. */
const testAndSet: Call = (core, [pointer], node) => {
  const place = wordOf(core, pointer);
  return { value: atomic(core, 'xchg', place, [int(1)], node), type: INT };
};

/** Where the value is that a compare and exchange expects. */
function expectedAt(core: Core, expected: CNode): Place {
  const { value } = core.evaluate(expected);
  if (value.kind === 'pointer') return { kind: 'variable', key: value.key, type: WORD };
  if (value.kind !== 'address') core.refuse(expected, 'what is expected is no variable');
  return { kind: 'word', region: value.region, offset: value.offset, type: WORD };
}

/** Whether it wrote; what was expected has the old value then. */
function compared(core: Core, place: Word, expected: CNode, desired: Value, node: CNode): Value {
  const held = expectedAt(core, expected);
  const old = core.settled(core.read(held, node).value, node);
  const was = atomic(core, 'CAS', place, [old, desired], node);
  const isSame = computed(core, '=', was, old, node);
  const done = core.settled({ ...isSame, reads: true }, node, 'done');
  core.write(held, was, node);
  return done;
}

/** It may fail though all is as expected, having read. */
function weakly(core: Core, place: Word, expected: CNode, desired: Value, node: CNode): Value {
  const key = core.keyAt('swapped', node);
  const keep = (value: Value): void => void core.state.values.set(key, value);
  core.choose(node, [
    () => keep(compared(core, place, expected, desired, node)),
    () => {
      core.write(
        expectedAt(core, expected),
        core.settled(core.read(place, node).value, node),
        node,
      );
      // As a value of the program, as the other one is: no way is told from the other by it.
      const failed = { kind: 'runtime', expr: core.int(0, node), reads: true } as const;
      keep(core.settled(failed, node, 'done'));
    },
  ]);
  return core.taken(key) ?? core.refuse(node, 'whether this has written is not known');
}

/** `atomic_compare_exchange_strong(p, &expected, desired)`; `isWeak`: by its arguments. */
const compareExchange =
  (isWeak: (core: Core, given: readonly CNode[]) => boolean, isPointer = false): Call =>
  (core, given, node) => {
    const [pointer, expected, desired] = given;
    const place = wordOf(core, pointer);
    const value = isPointer ? pointedAt(core, desired, node) : core.evaluate(desired).value;
    const written = core.settled(value, node);
    const swap = isWeak(core, given) ? weakly : compared;
    return { value: swap(core, place, expected, written, node), type: INT };
  };

/** Whether an argument asks for the weak form: unless it is known to be zero. */
const byArgument = (core: Core, { 3: weak }: readonly CNode[]): boolean => {
  const { value } = core.evaluate(weak);
  return value.kind !== 'int' || value.value !== 0;
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

/** `READ_ONCE(x)` and `WRITE_ONCE(x, e)`, of the kernel: of a place. */
const readOnce: Call = (core, [place], node) => core.read(core.placeOf(place), node);
const writeOnce: Call = (core, [place, given], node) => {
  core.write(core.placeOf(place), core.evaluate(given).value, node);
  return NOTHING;
};

export const ATOMICS = withArguments([
  ...alsoCalled(
    1,
    load,
    'atomic_load atomic_load_explicit __atomic_load_n smp_load_acquire atomic_read',
  ),
  ['__atomic_load', 2, loadInto],
  ...alsoCalled(2, store, 'atomic_store atomic_store_explicit __atomic_store_n smp_store_mb'),
  ['__atomic_store', 2, storeFrom],
  ...alsoCalled(2, plainStore, 'smp_store_release atomic_init atomic_set'),
  ...alsoCalled(1, clear, 'atomic_flag_clear atomic_flag_clear_explicit __atomic_clear'),
  ['__sync_lock_release', 1, release],
  ...alsoCalled(1, readOnce, 'READ_ONCE ACCESS_ONCE'),
  ['WRITE_ONCE', 2, writeOnce],
  ...alsoCalled(0, fence, 'atomic_thread_fence __atomic_thread_fence'),
  ...alsoCalled(0, mfence, '__sync_synchronize _mm_mfence __builtin_ia32_mfence smp_mb mb'),
  ...alsoCalled(
    0,
    nothing,
    '_mm_sfence _mm_lfence atomic_signal_fence __atomic_signal_fence barrier smp_wmb smp_rmb wmb rmb udma_to_device_barrier udma_from_device_barrier',
  ),
  ...alsoCalled(
    2,
    adding(1, 'before'),
    'atomic_fetch_add atomic_fetch_add_explicit __atomic_fetch_add __sync_fetch_and_add',
  ),
  ...alsoCalled(
    2,
    adding(-1, 'before'),
    'atomic_fetch_sub atomic_fetch_sub_explicit __atomic_fetch_sub __sync_fetch_and_sub',
  ),
  ...alsoCalled(2, adding(1, 'after'), '__atomic_add_fetch __sync_add_and_fetch'),
  ...alsoCalled(2, adding(-1, 'after'), '__atomic_sub_fetch __sync_sub_and_fetch'),
  ...alsoCalled(
    2,
    exchange,
    'atomic_exchange atomic_exchange_explicit __atomic_exchange_n __sync_lock_test_and_set',
  ),
  ['__atomic_exchange', 3, exchangeInto],
  ...alsoCalled(
    1,
    testAndSet,
    'atomic_flag_test_and_set atomic_flag_test_and_set_explicit __atomic_test_and_set',
  ),
  ...alsoCalled(
    3,
    compareExchange(() => false),
    'atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit',
  ),
  ...alsoCalled(
    3,
    compareExchange(() => true),
    'atomic_compare_exchange_weak atomic_compare_exchange_weak_explicit',
  ),
  ['__atomic_compare_exchange_n', 4, compareExchange(byArgument)],
  ['__atomic_compare_exchange', 4, compareExchange(byArgument, true)],
  ['__sync_bool_compare_and_swap', 3, swap(true)],
  ['__sync_val_compare_and_swap', 3, swap(false)],
]);
