import type { Model } from '../../src/model/term.js';
import type { Program } from '../../src/program/program.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import type { Execution } from '../../src/model/relation/concrete.js';
import type { BitRel } from '../../src/model/relation/matrix.js';
import { isAcyclic, related, relOf, setOf } from '../../src/model/relation/matrix.js';
import type { Event, Pair } from './naive-guesses.js';
import {
  FIXED,
  Terms,
  before,
  decisionsOf,
  isRead,
  isWrite,
  membership,
  permutations,
  ranksAgree,
} from './naive-guesses.js';
import { threadRuns } from './paths.js';
import type { ThreadRun } from './paths.js';

/**
 * Executions by their definition, to the letter: every combination of thread runs, then every
 * rf, mo and guessed relation over their events. It shares nothing with bounds and encoding. It is simple, and slow.
 */

/** One well-formed execution and the state it ends in. */
export interface Candidate {
  readonly events: readonly Event[];
  readonly execution: Execution;
  readonly state: string;
  /** No value comes out of thin air: no read gets its value from itself. */
  readonly grounded: boolean;
}

/**
 * All well-formed executions of a program, or undefined where there are more than `limit`, or too many
 * values.
 */
export function candidates(program: Program, limit: number): readonly Candidate[] | undefined {
  const runs = threadRuns(program);
  if (runs === undefined) return undefined;
  if (runs.reduce((count, { length }) => count * length, 1) > 10 * limit) return undefined;
  const spaces = product(runs).flatMap((runs) => {
    const space = spaceOf(program, runs);
    return space === undefined ? [] : [{ runs, space }];
  });
  const sizes = spaces.map(({ space: { rf, mo, guessed } }) =>
    [...rf, ...mo, ...guessed].reduce((count, options) => count * options.length, 1),
  );
  if (sizes.reduce((a, b) => a + b, 0) > limit) return undefined;
  return spaces.flatMap(({ runs, space }) =>
    product(space.rf).flatMap((rf) =>
      product(space.mo).flatMap((mo) =>
        product(space.guessed).flatMap((made) => {
          const one = candidate(program, runs, space, rf, mo, made);
          return agree(space, program, one) ? [one] : [];
        }),
      ),
    ),
  );
}

/** Have all events that are counted by guessed orders the sources of their ranks? */
const agree = ({ terms }: Space, { instructions }: Program, { execution }: Candidate): boolean =>
  ranksAgree(instructions, terms, (name, a, b) => related(execution.relations.get(name)!, a, b));

/** The final states that a model allows, and those without values out of thin air. */
export function judge(
  model: Model,
  found: readonly Candidate[],
): { readonly all: ReadonlySet<string>; readonly grounded: ReadonlySet<string> } {
  const all = new Set<string>();
  const grounded = new Set<string>();
  for (const c of found) {
    if (grounded.has(c.state) || (all.has(c.state) && !c.grounded)) continue;
    if (!evaluate(model, c.execution).consistent) continue;
    all.add(c.state);
    if (c.grounded) grounded.add(c.state);
  }
  return { all, grounded };
}

interface Space {
  readonly events: readonly Event[];
  readonly terms: Terms;
  /** What is the same in all executions of these runs. */
  readonly sets: Execution['sets'];
  readonly relations: ReadonlyMap<string, BitRel>;
  /** For each read its writes, for each location its orders, for each flush pair both ways. */
  readonly rf: readonly (readonly Pair[])[];
  readonly mo: readonly (readonly (readonly number[])[])[];
  /** What is guessed besides, decision by decision: of each the ways that it can fall. */
  readonly guessed: readonly (readonly Decided[])[];
}

/** Pairs that are in a guessed relation. */
interface Decided {
  readonly name: string;
  readonly pairs: readonly Pair[];
}

/** What is to be chosen for given runs of the threads; undefined where an event has no partner. */
function spaceOf(program: Program, runs: readonly ThreadRun[]): Space | undefined {
  const events: Event[] = [...accessed(program)].map((location, id) => ({
    id,
    thread: -1,
    label: program.instructions.initial ?? '',
    location,
    home: program.locations[location].node,
    writes: { n: program.locations[location].initial, from: [] },
    use: -1,
    beside: [],
    from: [],
  }));
  const initial = [...events];
  runs.forEach(({ steps }, thread) => {
    const first = events.length;
    for (const step of steps) {
      const from = (step.writes?.from ?? []).map((i) => first + i);
      const beside = step.beside.map((i) => first + i);
      events.push({ ...step, beside, id: events.length, thread, from });
    }
  });
  const guessed: (readonly Decided[])[] = [];
  const terms = new Terms(events, program);
  for (const guess of program.instructions.guesses) {
    const decisions = decisionsOf(guess, terms);
    const { name } = guess;
    guessed.push(...decisions.map((ways) => ways.map((pairs): Decided => ({ name, pairs }))));
  }
  if (guessed.some((ways) => ways.length === 0)) return undefined;
  const sources = (r: Event): Pair[] =>
    events
      .filter((w) => isWrite(w) && w !== r && w.location === r.location && w.writes!.n === r.reads)
      .map((w) => [w.id, r.id]);
  return {
    events,
    terms,
    sets: setsOf(events, program),
    relations: fixedRelations(events),
    rf: events.filter(isRead).map(sources),
    mo: [...new Set(events.filter(isWrite).map((e) => e.location))].map((location) => {
      const first = initial.filter((e) => e.location === location).map(({ id }) => id);
      const later = events.filter((e) => isWrite(e) && e.location === location && e.thread >= 0);
      return permutations(later.map(({ id }) => id)).map((order) => [...first, ...order]);
    }),
    guessed,
  };
}

/** Initial writes of locations that no instruction names would change nothing but `empty`. */
function accessed(program: Program): ReadonlySet<number> {
  const found = new Set<number>();
  JSON.stringify(program.threads, (key, value: unknown) => {
    if (key === 'location' && typeof value === 'number') found.add(value);
    return value;
  });
  return new Set([...found].sort((a, b) => a - b));
}

function setsOf(events: readonly Event[], program: Program): Execution['sets'] {
  const isIn = membership(program);
  return {
    get: (name) =>
      setOf(
        events.length,
        events.filter(isIn(name)).map(({ id }) => id),
      ),
  };
}

function fixedRelations(events: readonly Event[]): ReadonlyMap<string, BitRel> {
  const all = (test: (a: Event, b: Event) => boolean) =>
    relOf(
      events.length,
      events.flatMap((a) => events.filter((b) => test(a, b)).map((b): Pair => [a.id, b.id])),
    );
  return new Map(Object.entries(FIXED).map(([name, test]) => [name, all(test)]));
}

function candidate(
  program: Program,
  runs: readonly ThreadRun[],
  { events, sets, relations }: Space,
  rf: readonly Pair[],
  orders: readonly (readonly number[])[],
  decided: readonly Decided[],
): Candidate {
  const size = events.length;
  const chosen = (pairs: readonly Pair[]) => relOf(size, pairs);
  const { guesses } = program.instructions;
  const guessed = guesses.map(({ name }) => {
    const made = decided.filter((decision) => decision.name === name);
    return [name, chosen(made.flatMap(({ pairs }) => pairs))] as const;
  });
  const execution: Execution = {
    size,
    sets,
    relations: new Map([
      ...relations,
      ['rf', chosen(rf)],
      ['mo', chosen(orders.flatMap(before))],
      ...guessed,
    ]),
  };
  const finalValue = (location: number): number => {
    const order = orders.find(([first]) => events[first].location === location);
    return order === undefined
      ? program.locations[location].initial
      : events[order.at(-1)!].writes!.n;
  };
  const state = allSubjects(program).map((subject) => {
    const value =
      subject.kind === 'register'
        ? runs[subject.thread].registers[subject.register].n
        : finalValue(subject.location);
    return `${subjectName(program, subject)}=${value}`;
  });
  const flow = [...rf, ...events.flatMap((w) => w.from.map((r): Pair => [r, w.id]))];
  return { events, execution, state: state.join(' '), grounded: isAcyclic(chosen(flow)) };
}

/** Every way to take one element of each list. */
function product<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (all, list) => all.flatMap((before) => list.map((x) => [...before, x])),
    [[]],
  );
}
