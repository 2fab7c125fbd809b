import type { LitmusExpr, Statement } from '../parse/litmus-ast.js';
import { passBarrier } from './barriers.js';
import type { Call } from './calls.js';
import { NOTHING, alsoCalled, emitCall, int, withArguments } from './calls.js';
import type { Core } from './core.js';
import { limitsOf } from './cuts.js';
import type { Barrier } from './orders.js';
import {
  ACQUIRE,
  RELAXED,
  RELEASE,
  SEQ_CST,
  failing,
  loadFor,
  orderIn,
  storeFor,
  tagsFor,
} from './orders.js';
import type { Place, Typed, Value } from './state.js';
import type { CNode } from './tree.js';
import { INT, WORD } from './types.js';

/** What the CPU's atomics and fences do: those of C11, of GCC, of the kernel, and of rdma-core. What order they make, CPUs say. */

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

/** What an atomic of x86 is on memory that only the thread has: a fence. On Arm it may be none. */
const LOCKED: Barrier = ['mfence', 'locked'];

/** Reads a word as an order says. Memory that only the thread has needs none. */
export function loaded(core: Core, place: Place, order: number, node: CNode): Typed {
  const operation = loadFor(order);
  const isWord = place.kind === 'word' && place.type.kind !== 'array';
  if (operation === undefined || !isWord || place.region.node === undefined) {
    return core.read(place, node);
  }
  const register = core.fresh('r');
  const given = [core.refExpr(core.wordIn(place, node), node)];
  emitCall(core, operation, given, node, { target: core.refTo(register, node) });
  const value: Value = { kind: 'runtime', expr: core.refExpr(register, node), reads: false };
  return { value: core.asType(value, place.type), type: place.type };
}

/** Writes a word as an order says. */
export function stored(core: Core, place: Word, value: Value, order: number, node: CNode): void {
  const tags = storeFor(order);
  if (tags === undefined || place.region.node === undefined) {
    core.write(place, value, node);
    if (order === SEQ_CST) passBarrier(core, LOCKED, node);
    return;
  }
  const location = core.refExpr(core.wordIn(place, node), node);
  const given = core.exprOf(core.settled(core.fitted(value, place.type, node), node), node);
  emitCall(core, 'stlr', [location, given], node, {
    tags: tags.map((tag) => core.ident(tag, node)),
  });
}

/** Of an order that a call names, or that its name says. */
const load =
  (fixed?: number): Call =>
  (core, [pointer, order], node) =>
    loaded(core, wordOf(core, pointer), fixed ?? orderIn(core, order), node);

/** `__atomic_load(p, &result, order)` */
const loadInto: Call = (core, [pointer, into, order], node) => {
  const { value } = loaded(core, wordOf(core, pointer), orderIn(core, order), node);
  core.write(core.behind(core.evaluate(into), into), value, node);
  return NOTHING;
};

const store =
  (fixed?: number): Call =>
  (core, [pointer, given, order], node) => {
    const place = wordOf(core, pointer);
    const { value } = core.evaluate(given);
    stored(core, place, value, fixed ?? orderIn(core, order), node);
    return NOTHING;
  };

/** `__atomic_store(p, &value, order)` */
const storeFrom: Call = (core, [pointer, from, order], node) => {
  const place = wordOf(core, pointer);
  stored(core, place, pointedAt(core, from, node), orderIn(core, order), node);
  return NOTHING;
};

/** `smp_store_mb(x, e)`: a write, and a fence behind it. */
const storeAndFence: Call = (core, [place, given], node) => {
  writeOnce(core, [place, given], node);
  emitCall(core, 'mfence', [], node);
  return NOTHING;
};

const clear =
  (fixed?: number): Call =>
  (core, [pointer, order], node) => {
    stored(core, wordOf(core, pointer), int(0), fixed ?? orderIn(core, order), node);
    return NOTHING;
  };

const pointedAt = (core: Core, pointer: CNode, node: CNode): Value =>
  core.settled(core.read(core.behind(core.evaluate(pointer), pointer), node).value, node);

/** An atomic that gives the old value: of a fresh register. */
export function atomic(
  core: Core,
  name: string,
  place: Word,
  operands: readonly Value[],
  tags: readonly string[],
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
      tags: tags.map((tag) => core.ident(tag, node)),
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
  passBarrier(core, LOCKED, node);
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
  order: number,
  node: CNode,
): Typed {
  const sum = core.settled(by, node);
  const was = atomic(core, 'faa', place, [sum], tagsFor(order), node);
  const { type } = place;
  if (gives === 'before') return { value: was, type };
  return { value: core.asType(computed(core, '+', was, sum, node), type), type };
}

/** `fixed`: the order of those that are given none. */
const adding =
  (sign: 1 | -1, gives: 'before' | 'after', fixed?: number): Call =>
  (core, [pointer, given, order], node) => {
    const place = wordOf(core, pointer);
    const by = core.settled(core.evaluate(given).value, node);
    const sum = sign === 1 ? by : negative(core, by, node);
    return added(core, place, sum, gives, fixed ?? orderIn(core, order), node);
  };

const exchange =
  (fixed?: number): Call =>
  (core, [pointer, given, order], node) => {
    const place = wordOf(core, pointer);
    const by = core.settled(core.evaluate(given).value, node);
    const tags = tagsFor(fixed ?? orderIn(core, order));
    return { value: atomic(core, 'xchg', place, [by], tags, node), type: place.type };
  };

/** `__atomic_exchange(p, &value, &result, order)` */
const exchangeInto: Call = (core, [pointer, from, into, order], node) => {
  const place = wordOf(core, pointer);
  const given = pointedAt(core, from, node);
  const was = atomic(core, 'xchg', place, [given], tagsFor(orderIn(core, order)), node);
  core.write(core.behind(core.evaluate(into), into), was, node);
  return NOTHING;
};

/** Sets a flag: whether it was set before. */
const testAndSet: Call = (core, [pointer, order], node) => {
  const place = wordOf(core, pointer);
  const tags = tagsFor(orderIn(core, order));
  return { value: atomic(core, 'xchg', place, [int(1)], tags, node), type: INT };
};

/** Where the value is that a compare and exchange expects. */
function expectedAt(core: Core, expected: CNode): Place {
  const { value } = core.evaluate(expected);
  if (value.kind === 'pointer') return { kind: 'variable', key: value.key, type: WORD };
  if (value.kind !== 'address') core.refuse(expected, 'what is expected is no variable');
  return { kind: 'word', region: value.region, offset: value.offset, type: WORD };
}

/** What a compare and exchange is about, and its orders: of one that writes, and of one that does not. */
interface Swap {
  readonly place: Word;
  readonly expected: CNode;
  readonly desired: Value;
  readonly order: number;
  readonly failing: number;
}

/** Whether it wrote; what was expected has the old value then. */
function compared(core: Core, { place, expected, ...swap }: Swap, node: CNode): Value {
  const held = expectedAt(core, expected);
  const old = core.settled(core.read(held, node).value, node);
  const tags = tagsFor(swap.order, swap.failing);
  const was = atomic(core, 'CAS', place, [old, swap.desired], tags, node);
  const isSame = computed(core, '=', was, old, node);
  const done = core.settled({ ...isSame, reads: true }, node, 'done');
  core.write(held, was, node);
  return done;
}

/** It may fail though all is as expected, having read. */
function weakly(core: Core, swap: Swap, node: CNode): Value {
  const key = core.keyAt('swapped', node);
  const keep = (value: Value): void => void core.state.values.set(key, value);
  core.choose(node, [
    () => keep(compared(core, swap, node)),
    () => {
      const { value } = loaded(core, swap.place, swap.failing, node);
      core.write(expectedAt(core, swap.expected), core.settled(value, node), node);
      // As a value of the program, as the other one is: no way is told from the other by it.
      const failed = { kind: 'runtime', expr: core.int(0, node), reads: true } as const;
      keep(core.settled(failed, node, 'done'));
    },
  ]);
  return core.taken(key) ?? core.refuse(node, 'whether this has written is not known');
}

/** `atomic_compare_exchange_strong(p, &expected, desired)`; `isWeak`: by its arguments; the orders are from `at` on. */
const compareExchange =
  (isWeak: (core: Core, given: readonly CNode[]) => boolean, at: number, isPointer = false): Call =>
  (core, given, node) => {
    const [pointer, expected, desired] = given;
    const place = wordOf(core, pointer);
    const value = isPointer ? pointedAt(core, desired, node) : core.evaluate(desired).value;
    const written = core.settled(value, node);
    const order = orderIn(core, given[at]);
    const less = given[at + 1] === undefined ? failing(order) : orderIn(core, given[at + 1]);
    const swap = { place, expected, desired: written, order, failing: less };
    return { value: (isWeak(core, given) ? weakly : compared)(core, swap, node), type: INT };
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
    const given = [old, core.evaluate(desired).value];
    const was = atomic(core, 'CAS', place, given, tagsFor(SEQ_CST), node);
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
  ...alsoCalled(1, load(), 'atomic_load atomic_load_explicit __atomic_load_n'),
  ['smp_load_acquire', 1, load(ACQUIRE)],
  ['atomic_read', 1, load(RELAXED)],
  ['__atomic_load', 2, loadInto],
  ...alsoCalled(2, store(), 'atomic_store atomic_store_explicit __atomic_store_n'),
  ['__atomic_store', 2, storeFrom],
  ['smp_store_mb', 2, storeAndFence],
  ['smp_store_release', 2, store(RELEASE)],
  ...alsoCalled(2, store(RELAXED), 'atomic_init atomic_set'),
  ...alsoCalled(1, clear(), 'atomic_flag_clear atomic_flag_clear_explicit __atomic_clear'),
  ['__sync_lock_release', 1, clear(RELEASE)],
  ...alsoCalled(1, readOnce, 'READ_ONCE ACCESS_ONCE'),
  ['WRITE_ONCE', 2, writeOnce],
  ...alsoCalled(
    2,
    adding(1, 'before'),
    'atomic_fetch_add atomic_fetch_add_explicit __atomic_fetch_add',
  ),
  ...alsoCalled(
    2,
    adding(-1, 'before'),
    'atomic_fetch_sub atomic_fetch_sub_explicit __atomic_fetch_sub',
  ),
  ['__atomic_add_fetch', 2, adding(1, 'after')],
  ['__atomic_sub_fetch', 2, adding(-1, 'after')],
  ['__sync_fetch_and_add', 2, adding(1, 'before', SEQ_CST)],
  ['__sync_fetch_and_sub', 2, adding(-1, 'before', SEQ_CST)],
  ['__sync_add_and_fetch', 2, adding(1, 'after', SEQ_CST)],
  ['__sync_sub_and_fetch', 2, adding(-1, 'after', SEQ_CST)],
  ...alsoCalled(2, exchange(), 'atomic_exchange atomic_exchange_explicit __atomic_exchange_n'),
  ['__sync_lock_test_and_set', 2, exchange(ACQUIRE)],
  ['__atomic_exchange', 3, exchangeInto],
  ...alsoCalled(
    1,
    testAndSet,
    'atomic_flag_test_and_set atomic_flag_test_and_set_explicit __atomic_test_and_set',
  ),
  ...alsoCalled(
    3,
    compareExchange(() => false, 3),
    'atomic_compare_exchange_strong atomic_compare_exchange_strong_explicit',
  ),
  ...alsoCalled(
    3,
    compareExchange(() => true, 3),
    'atomic_compare_exchange_weak atomic_compare_exchange_weak_explicit',
  ),
  ['__atomic_compare_exchange_n', 4, compareExchange(byArgument, 4)],
  ['__atomic_compare_exchange', 4, compareExchange(byArgument, 4, true)],
  ['__sync_bool_compare_and_swap', 3, swap(true)],
  ['__sync_val_compare_and_swap', 3, swap(false)],
]);
