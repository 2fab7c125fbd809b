import type { Guess, InstructionSet } from '../../src/model/instructions/set.js';
import { operandsOf } from '../../src/model/term.js';
import { permutations } from './combinations.js';
import type { Value } from './operate.js';
import { operate } from './operate.js';
import type { Rows } from './rows.js';
import { rowsOf } from './rows.js';

/** The ways that one decision can fall: of each the pairs that are then in the relation. */
export type Decided = readonly (readonly Pair[])[];

type Pair = readonly [number, number];

/**
 * What a path leaves open of each relation that is guessed, by the declarations: the decisions, or the
 * relation itself where nothing is left open. Undefined where an event has no partner or no source.
 *
 * @param fixed the base sets and relations that the path fixes
 */
export function guess(
  instructions: InstructionSet,
  fixed: ReadonlyMap<string, Value>,
  size: number,
): readonly (readonly [string, readonly Decided[] | Rows | undefined])[] {
  const values = valuesOf(instructions, fixed, size);
  return instructions.guesses.map((one) => {
    const decisions = decisionsOf(one, values, fixed.get('po') as Rows);
    if (decisions.some((ways) => ways.length === 0)) return [one.name, undefined];
    if (decisions.some((ways) => ways.length > 1)) return [one.name, decisions];
    return [one.name, rowsOf(size, decisions.flat(2))];
  });
}

/** Has each event that is counted by guessed orders a source of its own rank? The rest has been chosen one by one. */
export function ranksAgree(
  instructions: InstructionSet,
  fixed: ReadonlyMap<string, Value>,
  size: number,
): (chosen: ReadonlyMap<string, Rows>) => boolean {
  const counted = instructions.guesses.filter((one) => one.how === 'counted');
  if (counted.length === 0) return () => true;
  const values = valuesOf(instructions, fixed, size);
  const members = (set: number): readonly number[] =>
    [...Array(size).keys()].filter((a) => (((values[set] as number) >>> a) & 1) === 1);
  return (chosen) =>
    counted.every(({ name, from, to, within, fromBy, toBy }) => {
      const rowsIn = (relation: string): Rows =>
        chosen.get(relation) ?? (fixed.get(relation) as Rows);
      const rank = (set: number, by: string | undefined, event: number): number =>
        members(set).filter(
          (other) =>
            (((values[within] as Rows)[event] >>> other) & 1) === 1 &&
            (by === undefined ? other < event : ((rowsIn(by)[other] >>> event) & 1) === 1),
        ).length;
      return members(to).every((b) =>
        members(from).some(
          (a) => ((rowsIn(name)[a] >>> b) & 1) === 1 && rank(from, fromBy, a) === rank(to, toBy, b),
        ),
      );
    });
}

function valuesOf(
  { terms }: InstructionSet,
  fixed: ReadonlyMap<string, Value>,
  size: number,
): readonly Value[] {
  const values: Value[] = [];
  for (const term of terms) {
    if (term.op === 'rec' || term.op === 'fix') throw new Error('a guess over a `let rec`');
    if (term.op === 'base') values.push(fixed.get(term.name)!);
    else if (term.op === 'empty') values.push(term.kind === 'set' ? 0 : new Int32Array(size));
    else
      values.push(
        operate(
          term.op,
          operandsOf(term).map((id) => values[id]),
          size,
        ),
      );
  }
  return values;
}

function decisionsOf(guess: Guess, values: readonly Value[], po: Rows): readonly Decided[] {
  const events = [...po.keys()];
  const isIn = (set: number, a: number): boolean => (((values[set] as number) >>> a) & 1) === 1;
  const relates = (rel: number, a: number, b: number): boolean =>
    (((values[rel] as Rows)[a] >>> b) & 1) === 1;
  const classes = (rel: number): readonly (readonly number[])[] =>
    events.map((a) => events.filter((b) => relates(rel, a, b))).filter(([first], a) => first === a);
  switch (guess.how) {
    case 'either':
      return [...pairsIn(events)]
        .filter(([a, b]) => relates(guess.pairs, a, b) || relates(guess.pairs, b, a))
        .map(([a, b]) => [[[a, b]], [[b, a]]]);
    case 'total':
      return classes(guess.pairs).map((members) =>
        [...permutations(members)].map((order) => [...pairsIn(order)]),
      );
    case 'kth':
      return classes(guess.within).flatMap((members) => {
        const from = members.filter((a) => isIn(guess.from, a));
        const to = members.filter((b) => isIn(guess.to, b));
        return to.map((b, k): Decided => {
          const after =
            from[k] !== undefined && (guess.unordered || ((po[from[k]] >>> b) & 1) === 1);
          return after ? [[[from[k], b]]] : [];
        });
      });
    case 'counted':
    case 'one':
      return events
        .filter((b) => isIn(guess.to, b))
        .map((b) =>
          events
            .filter((a) => isIn(guess.from, a) && relates(guess.within, a, b))
            .map((a): readonly Pair[] => [[a, b]]),
        );
  }
}

/** Each element with each later one. */
function* pairsIn(list: readonly number[]): Generator<Pair> {
  for (const [i, a] of list.entries()) for (const b of list.slice(i + 1)) yield [a, b];
}
