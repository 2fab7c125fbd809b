import { applyBinary, applyUnary } from '../../src/parse/integers.js';
import type { Arithmetic, BinaryOperator } from '../../src/parse/litmus-ast.js';
import { foldExpression } from '../../src/parse/fold.js';
import type {
  Argument,
  Call,
  Expression,
  Instruction,
  LocationId,
  Program,
  Target,
  Thread,
} from '../../src/program/program.js';

/**
 * What threads do, one trace for each way through a thread: its instructions on memory, by the names of places, with what each is given,
 * its queue pair and its tags. Registers are what was put into them, so that programs with other registers have the same traces. The
 * thread's own memory is named by the order in which it comes up, but for words that are there for a constant: `k0`. Ways are left out on
 * which a poll has nothing to take.
 */
export const tracesOf = (program: Program): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    program.threads.map((thread) => [thread.name, new Tracer(program, thread).traces()]),
  );

/** A value: numbers, and what was read. */
type Value = Arithmetic<{ readonly kind: 'read'; readonly n: number }>;

interface Way {
  readonly steps: readonly string[];
  /** By the number of a register, or by the name of a word that no request names. */
  readonly registers: ReadonlyMap<number | string, Value>;
  readonly own: readonly string[];
  /** By its word: a constant that a request moves. */
  readonly constants: ReadonlyMap<string, string>;
  /** By queue pair and kind: how many requests make a completion that nobody took yet. */
  readonly open: ReadonlyMap<string, number>;
  readonly reads: number;
}

const OPPOSITES: Readonly<Record<string, BinaryOperator>> = {
  '=': '!=',
  '!=': '=',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

class Tracer {
  constructor(
    private readonly program: Program,
    private readonly thread: Thread,
  ) {
    this.moved = new Set(program.locations.map(({ name }) => name));
  }

  /** The words that requests name, on the ways that there are. */
  private moved: ReadonlySet<string>;
  private readonly named = new Set<string>();

  traces(): readonly string[] {
    this.ways();
    this.moved = new Set(this.named);
    return this.ways();
  }

  private ways(): readonly string[] {
    const none = { registers: new Map(), constants: new Map(), open: new Map() };
    const start: Way = { ...none, steps: [], own: [], reads: 0 };
    const ends = this.body(this.thread.body, [start]).map(({ steps, registers }) => {
      const last = this.thread.registers.flatMap((name, i) =>
        /^[a-e]$/.test(name) ? [`${name} = ${textOf(registers.get(i) ?? number(0))}`] : [],
      );
      return [...steps, ...last.sort()].join('; ');
    });
    return [...new Set(ends)].sort();
  }

  private body(list: readonly Instruction[], ways: readonly Way[]): readonly Way[] {
    return list.reduce((now, one) => now.flatMap((way) => this.instruction(one, way)), ways);
  }

  private instruction(i: Instruction, way: Way): readonly Way[] {
    switch (i.kind) {
      case 'assign': {
        const [value, after] = this.value(i.value, way);
        return [this.into(i.target, value, after)];
      }
      case 'assume': {
        const [value, after] = this.value(i.condition, way);
        return decided(value, true, after);
      }
      case 'if': {
        const [value, after] = this.value(i.condition, way);
        return [
          ...this.body(i.then, decided(value, true, after)),
          ...this.body(i.else, decided(value, false, after)),
        ];
      }
      case 'choose':
        return i.branches.flatMap((branch) => this.body(branch, [way]));
      case 'call':
        return completed(i, way).map((one) => this.call(i, one));
      case 'loop':
        throw new Error('loops have no traces');
    }
  }

  private call({ operation, tags = [], arguments: given, into, result }: Call, start: Way): Way {
    let way = start;
    const texts = given.map((one) => {
      const [text, after] = this.argument(one, way);
      way = after;
      return text;
    });
    const on = given.find(({ kind }) => kind === 'place');
    let [place, end] = ['', way];
    if (into?.kind === 'place') [place, end] = this.place(into.location, way);
    const pair = [into, on].flatMap((one) =>
      one?.kind === 'place' && one.node !== undefined
        ? [` on ${one.node}.${one.queuePair ?? ''}`]
        : [],
    );
    const said = [...tags].sort().map((tag) => ` [${tag}]`);
    const left = place === '' ? '' : `${place} := `;
    const step = `${left}${operation}${said.join('')}(${texts.join(', ')})${pair.join('')}`;
    if (result === undefined) return withStep(end, step);
    const made: Way = { ...withStep(end, `#${end.reads} = ${step}`), reads: end.reads + 1 };
    return this.into(result, { kind: 'read', n: end.reads }, made);
  }

  private argument(one: Argument, way: Way): readonly [string, Way] {
    if (one.kind === 'place') return this.place(one.location, way);
    if (one.kind === 'peer') return [`${one.node}.${one.name ?? ''}`, way];
    if (one.kind !== 'value') throw new Error(`${one.kind} has no trace`);
    const [value, after] = this.value(one.value, way);
    return [textOf(value), after];
  }

  /** A place by its name, or a constant. */
  private place(location: LocationId, way: Way): readonly [string, Way] {
    const { name, owner, hidden, initial } = this.program.locations[location];
    if (hidden === true) return [`=${initial}`, way];
    const constant = way.constants.get(name);
    if (constant !== undefined) return [`=${constant}`, way];
    if (owner === undefined) return [name, way];
    this.named.add(name);
    const at = way.own.indexOf(name);
    if (at >= 0) return [`$${at}`, way];
    return [`$${way.own.length}`, { ...way, own: [...way.own, name] }];
  }

  /** The same of a place that the CPU uses: no request names it so. */
  private written(location: LocationId, way: Way): readonly [string, Way] {
    const { name } = this.program.locations[location];
    const isNamed = this.named.has(name);
    const found = this.place(location, way);
    if (!isNamed) this.named.delete(name);
    return found;
  }

  private into(target: Target, value: Value, way: Way): Way {
    if (target.kind === 'register') {
      return { ...way, registers: new Map(way.registers).set(target.register, value) };
    }
    const { name: word, owner } = this.program.locations[target.location];
    if (owner !== undefined && /^k\d+$/.test(word)) {
      return { ...way, constants: new Map(way.constants).set(word, textOf(value)) };
    }
    if (owner !== undefined && !this.moved.has(word)) {
      return { ...way, registers: new Map(way.registers).set(word, value) };
    }
    const [name, after] = this.written(target.location, way);
    return withStep(after, `${name} := ${textOf(value)}`);
  }

  /** The value of an expression; each location in it is read, from left to right. */
  private value(e: Expression, start: Way): readonly [Value, Way] {
    let way = start;
    const value = foldExpression<Target, Value>(e, {
      int: (one) => number(one.value),
      leaf: (leaf) => {
        if (leaf.kind === 'register') return way.registers.get(leaf.register) ?? number(0);
        const { name: word, owner } = this.program.locations[leaf.location];
        if (owner !== undefined && !this.moved.has(word)) {
          return way.registers.get(word) ?? number(0);
        }
        const [name, after] = this.written(leaf.location, way);
        const n = after.reads;
        way = { ...withStep(after, `#${n} = ${name}`), reads: n + 1 };
        return { kind: 'read', n };
      },
      unary: ({ op }, arg) =>
        arg.kind === 'int' ? number(applyUnary(op, arg.value)) : { kind: 'unary', op, arg },
      binary: ({ op }, left, right) => {
        const known =
          left.kind === 'int' && right.kind === 'int'
            ? applyBinary(op, left.value, right.value)
            : undefined;
        return known === undefined ? { kind: 'binary', op, left, right } : number(known);
      },
    });
    return [value, way];
  }
}

/** A way behind a call that makes or takes a completion; none, if there is nothing to take. */
function completed(
  { operation, tags = [], arguments: given, into }: Call,
  way: Way,
): readonly Way[] {
  const on = [into, ...given].flatMap((one) =>
    one?.kind === 'peer'
      ? [`${one.node}.${one.name ?? ''}`]
      : one?.kind === 'place' && one.node !== undefined
        ? [`${one.node}.${one.queuePair ?? ''}`]
        : [],
  );
  if (on.length === 0 || operation === 'rfence' || tags.includes('unsignalled')) return [way];
  const key = `${on[0]} ${['recv', 'pollr'].includes(operation) ? 'receives' : 'sends'}`;
  const change = ['poll', 'pollr'].includes(operation) ? -1 : 1;
  const count = (way.open.get(key) ?? 0) + change;
  return count < 0 ? [] : [{ ...way, open: new Map(way.open).set(key, count) }];
}

const number = (value: number): Value => ({ kind: 'int', value });

const withStep = (way: Way, step: string): Way => ({ ...way, steps: [...way.steps, step] });

function textOf(value: Value): string {
  switch (value.kind) {
    case 'int':
      return String(value.value);
    case 'read':
      return `#${value.n}`;
    case 'unary':
      return `${value.op}(${textOf(value.arg)})`;
    case 'binary':
      return `(${textOf(value.left)} ${value.op} ${textOf(value.right)})`;
  }
}

/** The way on which a condition holds, or does not; none, if that is known to be otherwise. */
function decided(value: Value, holds: boolean, way: Way): readonly Way[] {
  if (value.kind === 'int') return (value.value !== 0) === holds ? [way] : [];
  if (value.kind === 'unary' && value.op === '!') return decided(value.arg, !holds, way);
  if (value.kind === 'binary' && value.op in OPPOSITES) {
    const { op, left, right } = value;
    const isZero = right.kind === 'int' && right.value === 0 && (op === '=' || op === '!=');
    const isTruth =
      (left.kind === 'binary' && left.op in OPPOSITES) ||
      (left.kind === 'unary' && left.op === '!');
    if (isZero && isTruth) return decided(left, holds === (op === '!='), way);
    const said = textOf({ ...value, op: holds ? op : OPPOSITES[op] });
    return [withStep(way, `where ${said}`)];
  }
  return [withStep(way, `where (${textOf(value)} ${holds ? '!=' : '='} 0)`)];
}
