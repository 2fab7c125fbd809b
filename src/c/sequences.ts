import type { Statement } from '../parse/litmus-ast.js';
import { isSame } from './state.js';

/** What comes one after the other: at each place, all that it may be, on the ways through a body. */
export type Sequence<One> = readonly (readonly One[])[];

/** Something that a statement adds to one of several sequences. */
export interface Step<One> {
  readonly to: string;
  readonly one: One;
}

/** The sequences that a body makes, by their names. */
export function sequencesIn<One>(
  body: readonly Statement[],
  stepOf: (statement: Statement) => Step<One> | undefined,
): ReadonlyMap<string, Sequence<One>> {
  const sequences = new Map<string, One[][]>();
  go(body, new Map(), (statement, lengths) => {
    const step = stepOf(statement);
    if (step === undefined) return lengths;
    const { to, one } = step;
    const made = sequences.get(to) ?? [];
    sequences.set(to, made);
    const before = lengths.get(to) ?? [0];
    for (const at of before) {
      made[at] ??= [];
      if (!made[at].some((other) => isSame(other, one))) made[at].push(one);
    }
    return new Map(lengths).set(
      to,
      before.map((at) => at + 1),
    );
  });
  return sequences;
}

/** How long each sequence may be. */
type Lengths = ReadonlyMap<string, readonly number[]>;

/** Goes through a body on all ways. Undefined: none goes on behind it. */
function go(
  body: readonly Statement[],
  start: Lengths,
  step: (statement: Statement, lengths: Lengths) => Lengths,
): Lengths | undefined {
  let lengths = start;
  for (const one of body) {
    if (isNever([one])) return undefined;
    lengths = step(one, lengths);
    const blocks = blocksOf(one);
    if (blocks.length === 0) continue;
    const after = blocks.flatMap((block) => go(block, lengths, step) ?? []);
    if (after.length === 0) return undefined;
    lengths = merged(after);
  }
  return lengths;
}

function merged(all: readonly Lengths[]): Lengths {
  const names = new Set(all.flatMap((one) => [...one.keys()]));
  return new Map(
    [...names].map((name) => [name, [...new Set(all.flatMap((one) => one.get(name) ?? [0]))]]),
  );
}

/** Whether no run of the program goes on behind this. */
export const isNever = (body: readonly Statement[]): boolean =>
  body.some(
    (one) => one.kind === 'assume' && one.condition.kind === 'int' && one.condition.value === 0,
  );

/** The blocks of a statement that has some. */
export function blocksOf(one: Statement): readonly (readonly Statement[])[] {
  if (one.kind === 'if') return [one.then, one.else];
  return one.kind === 'choose' ? one.branches : [];
}
