import type { CallArgument, LitmusExpr, LitmusLeaf, Statement } from '../parse/litmus-ast.js';
import { unordered } from './accesses.js';
import type { Promised, Remark } from './around.js';
import { rangeOf, trimmed } from './cuts.js';
import type { Range } from './ranges.js';
import { ANY, exactly, isWithin, union } from './ranges.js';
import { blocksOf } from './sequences.js';

/** What is needed of a thread that was read. */
interface Thread {
  readonly body: readonly Statement[];
  readonly promised: readonly Promised[];
  readonly remarks: readonly Remark[];
}

/** After so many rounds, what still grows may be anything. */
const MOST_ROUNDS = 200;

/** Where messages are between `send` and `recv`. */
const MESSAGES = 'all messages';

/**
 * The threads without cuts of numbers that fit in any case, and with remarks on what has to be so that they are right. `first`: of each
 * location, its first value.
 */
export function fitted<Of extends Thread>(
  threads: readonly Of[],
  first: ReadonlyMap<string, number>,
): readonly Of[] {
  const extents = new Extents(threads, first);
  return threads.map((thread, i) => {
    const ofLeaf = extents.leavesOf(i);
    const { promised, remarks } = thread;
    const broken = promised.filter(({ expr, range }) => !isWithin(rangeOf(expr, ofLeaf), range));
    return {
      ...thread,
      body: withExpressions(thread.body, (expr) => trimmed(expr, ofLeaf)),
      remarks: [...remarks, ...broken.map(({ remark }) => remark)],
    };
  });
}

/**
 * Between which numbers the words of a program are, whatever the order of its instructions is. Each instruction is done once at most, so
 * that no number is made by more steps than there are instructions.
 */
class Extents {
  private readonly extents = new Map<string, Range>();

  constructor(
    threads: readonly Thread[],
    private readonly first: ReadonlyMap<string, number>,
  ) {
    for (const [name, value] of first) this.extents.set(name, exactly(value));
    const all = threads.flatMap(({ body }, i) => flat(body).map((one) => [one, i] as const));
    for (let round = 0; round <= all.length; round++) {
      const before = [...this.extents];
      for (const [one, thread] of all) this.step(one, thread, round >= MOST_ROUNDS);
      const isSame = before.every(([key, range]) => this.extents.get(key) === range);
      if (isSame && before.length === this.extents.size) break;
    }
  }

  /** Registers and words of its own begin with 0. */
  leavesOf(thread: number): (leaf: LitmusLeaf) => Range {
    return (leaf) =>
      leaf.kind === 'ref'
        ? (this.extents.get(this.keyOf(leaf.ref.name.text, thread)) ?? exactly(0))
        : ANY;
  }

  /** Registers of two threads may have one name. */
  private keyOf(name: string, thread: number): string {
    return this.first.has(name) ? name : `${thread} ${name}`;
  }

  private step(done: Statement, thread: number, isGrowing: boolean): void {
    const one = unordered(done);
    const ofLeaf = this.leavesOf(thread);
    const add = (name: string | undefined, range: Range): void => {
      if (name === undefined) return;
      const key = name === MESSAGES ? MESSAGES : this.keyOf(name, thread);
      const before = this.extents.get(key) ?? exactly(0);
      if (isWithin(range, before) && this.extents.has(key)) return;
      this.extents.set(key, isGrowing ? ANY : union(before, range));
    };
    const of = (expr: CallArgument | undefined): Range =>
      expr !== undefined && isExpression(expr) ? rangeOf(expr, ofLeaf) : ANY;
    if (one.kind === 'assign') {
      add(one.target.name.text, of(one.value));
      const { targets = [], values = [] } = one.more ?? {};
      for (const [i, { name }] of targets.entries()) add(name.text, of(values[i]));
    }
    if (one.kind !== 'call') return;
    const { arguments: given = [], target } = one;
    const [place] = given;
    const name = place?.kind === 'ref' ? place.ref.name.text : undefined;
    switch (one.name.text) {
      case 'send':
        return add(MESSAGES, of(given[1]));
      case 'recv':
        return add(target?.name.text, this.extents.get(MESSAGES) ?? exactly(0));
      case 'faa':
      case 'rfaa': {
        const [before, by] = [of(place), of(given[1])];
        add(target?.name.text, before);
        return add(name, { least: before.least + by.least, most: before.most + by.most });
      }
      case 'CAS':
      case 'rcas':
      case 'xchg':
      case 'rxchg':
        add(target?.name.text, of(place));
        return add(name, of(given.at(-1)));
      default:
        // No other one that is written down for C writes anything.
        return add(target?.name.text, ANY);
    }
  }
}

const flat = (body: readonly Statement[]): readonly Statement[] =>
  body.flatMap((one) => [one, ...blocksOf(one).flatMap(flat)]);

/** A body with other expressions. */
function withExpressions(
  body: readonly Statement[],
  map: (expr: LitmusExpr) => LitmusExpr,
): readonly Statement[] {
  return body.map((one): Statement => {
    if (one.kind === 'assign') {
      const { more } = one;
      const values = more?.values.map(map);
      return {
        ...{ ...one, value: map(one.value) },
        ...(more && values && { more: { ...more, values } }),
      };
    }
    if (one.kind === 'call') {
      const { arguments: given } = one;
      const all = given?.map((at) => (isExpression(at) ? map(at) : at));
      return { ...one, ...(all && { arguments: all }) };
    }
    if (one.kind === 'choose') {
      return { ...one, branches: one.branches.map((way) => withExpressions(way, map)) };
    }
    if (one.kind !== 'if' && one.kind !== 'assume') return one;
    const condition = map(one.condition);
    if (one.kind === 'assume') return { ...one, condition };
    const [then, otherwise] = [one.then, one.else].map((way) => withExpressions(way, map));
    return { ...one, condition, then, else: otherwise };
  });
}

const isExpression = (one: CallArgument): one is LitmusExpr =>
  one.kind !== 'peer' && one.kind !== 'nodes';
