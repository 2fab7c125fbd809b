import type { SearchLimits } from '../../check/explorer.js';
import type { Answer } from '../../check/result.js';
import type { Program, Proposition, RunQuery, RunSubject, Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import { collect } from '../../program/subjects.js';
import { lookedAt, slotOf } from './finals.js';
import { follow } from './follow.js';
import type { Hardware } from './hardware.js';
import type { Asked, Layout } from './layout.js';
import { layoutOf } from './layout.js';
import type { Fairness } from './liveness.js';
import { fairSet, firstStuck, roundIn } from './liveness.js';
import type { Machine } from './machine.js';
import { isAtRest } from './op.js';
import type { Permutation } from './permutations.js';
import type { Explored, Limits } from './search.js';
import { explore } from './search.js';
import type { Step } from './step.js';
import { Numbers } from './store.js';
import { told } from './told.js';

/** How many entries a buffer can hold where nothing else is said. */
export const DEFAULT_ROOM = 4;

export interface RunLimits extends SearchLimits {
  /** How many entries a buffer can hold. */
  readonly room?: number;
  /** Whether steps that can be taken at once are; by default, they are. */
  readonly reduce?: boolean;
  /** Hears, now and then, how many states there are. */
  readonly progress?: (states: number) => void;
}

type Of<Kind extends RunQuery['quantifier']> = Extract<RunQuery, { quantifier: Kind }>;
/** Queries that fail where a bad state is reached. */
export type Safety = Of<'exclusive' | 'never' | 'assertions'>;
type Liveness = Of<'progress' | 'deadlock'>;

export const isSafety = (query: RunQuery): query is Safety =>
  query.quantifier !== 'progress' && query.quantifier !== 'deadlock';

/** What is found out about a query, without its index. */
type Found = Omit<Answer, 'query' | 'flags' | 'milliseconds'>;

/**
 * Decides queries about runs by exploring all states of a program on a machine, however often its loops go round. A
 * state that is bad is a question of which states there are; that something is put off for ever is one of their graph.
 *
 * @param queries those to decide, by index: all about runs
 */
export function decideRuns(
  test: Test,
  hardware: Hardware,
  queries: readonly number[],
  limits: RunLimits,
): readonly Answer[] {
  const asked = queries.map((index) => {
    const query = test.queries[index];
    if (isStateQuery(query)) throw new Error(`\`${query.quantifier}\` is about final states`);
    return { index, query };
  });
  const decideBy = <Q extends RunQuery>(
    wanted: (query: RunQuery) => query is Q,
    decide: (queries: readonly Q[]) => readonly Found[],
  ): readonly Answer[] => {
    const own = asked.filter((a): a is { index: number; query: Q } => wanted(a.query));
    if (own.length === 0) return [];
    const started = performance.now();
    const found = decide(own.map(({ query }) => query));
    const milliseconds = (performance.now() - started) / own.length;
    return own.map(({ index }, i) => ({ query: index, flags: [], milliseconds, ...found[i] }));
  };
  const isLiveness = (query: RunQuery): query is Liveness => !isSafety(query);
  const answers = [
    ...decideBy(isSafety, (own) => decideSafety(test.program, hardware, own, limits)),
    ...decideBy(isLiveness, (own) => decideLiveness(test.program, hardware, own, limits)),
  ];
  return answers.sort((a, b) => a.query - b.query);
}

export const limitsOf = ({ limit, deadline }: RunLimits): Limits => ({ states: limit, deadline });

/** What an answer says of the exploration that it rests on. */
export function restsOn(
  explored: Explored,
  room: number,
): Pick<Answer, 'states' | 'symmetry' | 'full' | 'room'> {
  const full = [...explored.machine.full].sort();
  return { ...sizeOf(explored), ...(full.length === 0 ? {} : { full, room }) };
}

const sizeOf = ({ states, ways }: Explored): Pick<Answer, 'states' | 'symmetry'> =>
  ways === 1 ? { states } : { states, symmetry: ways };

// Bad states.

/** A state that is bad for a query, or the one before a step with which an assertion fails. */
interface Bad {
  readonly state: number;
  readonly fails: boolean;
}

/** An exploration, and the first bad state that it came to for each of some queries. */
interface Searched {
  readonly layout: Layout;
  readonly explored: Explored;
  readonly bad: readonly (Bad | undefined)[];
}

/** @param isDone whether to end, after a bad state was found */
function searchBad(
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  limits: RunLimits,
  isDone: (bad: Searched['bad']) => boolean,
): Searched {
  const layout = layoutFor(program, hardware, queries, limits);
  const tests = queries.map((query) => badState(query, layout));
  const bad: (Bad | undefined)[] = queries.map(() => undefined);
  const explored = explore(
    layout,
    {
      state(s, state) {
        for (const [i, isBad] of tests.entries())
          if (bad[i] === undefined && isBad(s)) bad[i] = { state, fails: false };
        return isDone(bad);
      },
      failed(state) {
        for (const [i, { quantifier }] of queries.entries()) {
          if (quantifier === 'assertions') bad[i] ??= { state, fails: true };
        }
        return isDone(bad);
      },
      progress: limits.progress,
      isSame: (p, holdsIdentities) =>
        queries.every((query) =>
          isSame(query, p, (subject) => {
            const slot = slotOf(layout, subject);
            return p.slots[slot] === slot && !holdsIdentities(slot);
          }),
        ),
    },
    false,
    limitsOf(limits),
  );
  return { layout, explored, bad };
}

const layoutFor = (
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  { room = DEFAULT_ROOM, reduce }: RunLimits,
): Layout =>
  layoutOf(program, hardware, {
    ...{ room, resting: false, always: true, waits: [], reduce },
    ...lookedAt(queries.flatMap(subjectsOf).flatMap((s) => (s.kind === 'ghost' ? [] : [s]))),
  });

function decideSafety(
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  limits: RunLimits,
): readonly Found[] {
  const { layout, explored, bad } = searchBad(program, hardware, queries, limits, (found) =>
    found.every((b) => b !== undefined),
  );
  const about = restsOn(explored, limits.room ?? DEFAULT_ROOM);
  return bad.map((one, i): Found => {
    if (one !== undefined) {
      const steps = endOf(queries[i], badRun(explored, one));
      return { verdict: 'fails', ...inLines(layout, steps), ...sizeOf(explored) };
    }
    const { incomplete } = explored;
    if (incomplete !== undefined) return { verdict: 'unknown', reason: incomplete };
    return { verdict: 'holds', ...about };
  });
}

/** Whose steps a run takes, one after the other, as numbers of actors. */
export type Way = readonly number[];

/**
 * Can some state be bad for one of the queries? Ends at the first one.
 *
 * @returns a shortest way there; or why not all states could be reached
 */
export function findBad(
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  limits: RunLimits,
):
  | { readonly kind: 'found'; readonly way: Way }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string } {
  const isAny = (bad: Searched['bad']): boolean => bad.some((b) => b !== undefined);
  const { explored, bad } = searchBad(program, hardware, queries, limits, isAny);
  const first = bad.find((b) => b !== undefined);
  if (first !== undefined) return { kind: 'found', way: actorsTo(explored, first) };
  const { incomplete: reason } = explored;
  return reason === undefined ? { kind: 'none' } : { kind: 'unknown', reason };
}

function actorsTo(explored: Explored, { state, fails }: Bad): Way {
  const way: number[] = [];
  const note = (from: number, is: (to: number, failed: boolean) => boolean): void => {
    explored.steps(from, (to, actor, failed) => {
      const found = is(to, failed);
      if (found) way.push(actor);
      return found;
    });
  };
  const states = explored.wayTo(state);
  states.slice(1).forEach((next, i) => note(states[i], (to) => to === next));
  if (fails && state >= 0) note(state, (_, failed) => failed);
  return way;
}

/** Looks for a way to a bad state near one that another program has, with the same threads and queue pairs: see `follow`. */
export function findNear(
  way: Way,
  program: Program,
  hardware: Hardware,
  queries: readonly Safety[],
  limits: RunLimits,
): Way | undefined {
  const layout = layoutFor(program, hardware, queries, limits);
  const tests = queries.map((query) => badState(query, layout));
  const asserted = queries.some(({ quantifier }) => quantifier === 'assertions');
  const isBad = ({ s, failed }: Machine): boolean =>
    (asserted && failed) || tests.some((isBad) => isBad(s));
  return follow(layout, way, isBad);
}

/** Is a question the same if threads change places? `stays`: whether the values of something do. */
function isSame(
  query: Safety,
  { threads }: Permutation,
  stays: (subject: RunSubject) => boolean,
): boolean {
  switch (query.quantifier) {
    case 'exclusive':
      return query.threads.every((t) => query.threads.includes(threads[t]));
    case 'never':
      return subjectsOf(query).every(stays);
    case 'assertions':
      return true;
  }
}

/** What tells that a state is bad for a query. */
function badState(query: Safety, layout: Layout): (s: Int32Array) => boolean {
  switch (query.quantifier) {
    case 'exclusive': {
      const inside = query.threads.map((t) => {
        const { ops, sections } = layout.codes[t];
        const places = new Uint8Array(ops.length + 1);
        for (const { name, start, end } of sections) {
          if (name === query.section) places.fill(1, start, end + 1);
        }
        return { t, places };
      });
      return (s) => {
        let count = 0;
        for (const { t, places } of inside) count += places[s[t]];
        return count > 1;
      };
    }
    case 'never':
      return (s) => holdsIn(query.condition, layout, s);
    case 'assertions':
      return () => false;
  }
}

function holdsIn(p: Proposition<RunSubject>, layout: Layout, s: Int32Array): boolean {
  const value = (subject: RunSubject): number => s[slotOf(layout, subject)];
  switch (p.kind) {
    case 'true':
      return true;
    case 'atom':
      return (
        (value(p.left) === (p.right.kind === 'int' ? p.right.value : value(p.right))) === p.equal
      );
    case 'not':
      return !holdsIn(p.arg, layout, s);
    case 'and':
      return holdsIn(p.left, layout, s) && holdsIn(p.right, layout, s);
    case 'or':
      return holdsIn(p.left, layout, s) || holdsIn(p.right, layout, s);
  }
}

function subjectsOf(query: Safety): readonly RunSubject[] {
  const found: RunSubject[] = [];
  if (query.quantifier === 'never') collect(query.condition, found);
  return found;
}

/** The steps of a shortest run to a state. */
function runTo(explored: Explored, state: number): readonly Step[] {
  const way = explored.wayTo(state);
  const steps = way.slice(1).flatMap((to, i) => explored.steps(way[i], (found) => found === to));
  return [...explored.beginning(), ...steps];
}

function badRun(explored: Explored, { state, fails }: Bad): readonly Step[] {
  const run = runTo(explored, state);
  if (!fails || state < 0) return run;
  return [...run, ...explored.steps(state, (_to, _actor, failed) => failed)];
}

/**
 * A run up to the step that is the last straw. What is done at once with that step is of no interest; that a state is
 * bad for `never` may be due to any of it.
 */
function endOf(query: Safety, run: readonly Step[]): readonly Step[] {
  const isLast = (step: Step): boolean => {
    if (query.quantifier === 'assertions') return step.kind === 'assertion';
    if (query.quantifier !== 'exclusive' || step.kind !== 'pass') return false;
    return step.mark === query.section && query.threads.includes(step.thread);
  };
  const last =
    query.quantifier === 'assertions' ? run.findIndex(isLast) : run.findLastIndex(isLast);
  return last < 0 ? run : run.slice(0, last + 1);
}

/** A run, and the round behind it, as an answer has them. */
function inLines(
  layout: Layout,
  run: readonly Step[],
  round?: readonly Step[],
): Pick<Answer, 'run' | 'round' | 'steps'> {
  const steps = told(layout, [...run, ...(round ?? [])], round === undefined);
  const { length } = told(layout, run, false);
  const lines = steps.map(({ text }) => text);
  return { run: lines.slice(0, length), round: round && lines.slice(length), steps };
}

// Endless runs.

/** Steps of the NIC's atomic unit have to be fair in the strong sense, or one queue pair may be passed over for ever. */
const ASSUMED = 'each thread and buffer goes on where it can (weak fairness)';
const STRONG = 'a NIC performs an atomic that it can perform again and again (strong fairness)';

/** Something is put off for ever, but perhaps only because a buffer of the machine is full. */
const cramping = ({ full = [], room, ...about }: ReturnType<typeof restsOn>): Found => ({
  verdict: 'unknown',
  reason: `full was ${full.join(', ')}, with room for ${room}: more may change the answer`,
  ...about,
});

/** How many queries are decided by one exploration: a state has a bit for each. */
const BITS = 30;

function decideLiveness(
  program: Program,
  hardware: Hardware,
  queries: readonly Liveness[],
  limits: RunLimits,
): readonly Found[] {
  const { room = DEFAULT_ROOM } = limits;
  if (queries.length > BITS) {
    const [some, others] = [queries.slice(0, BITS), queries.slice(BITS)];
    return [some, others].flatMap((part) => decideLiveness(program, hardware, part, limits));
  }
  const waits: Asked['waits'][number][] = [];
  const bits = queries.map((query) =>
    query.quantifier === 'progress' ? waits.push(query) - 1 : -1,
  );
  const asked = {
    room,
    resting: true,
    always: false,
    reduce: limits.reduce,
    registers: new Set<string>(),
    locations: new Set<number>(),
    waits,
  };
  const layout = layoutOf(program, hardware, asked);
  const { codes } = layout;
  // By state: who waits, and which threads may stay where they are for ever. One bit for each.
  const [waiting, resting] = [new Numbers(), new Numbers()];
  // By state: is something only impossible because a buffer is full? Nothing is said to be put off for ever by that.
  const cramped = new Numbers();
  const ofBits = (bits: readonly boolean[]): number =>
    bits.reduce((all, bit, k) => (bit ? all | (1 << k) : all), 0);
  const everybody = ofBits(codes.map(() => true));
  const explored = explore(
    layout,
    {
      state(s) {
        waiting.push(ofBits(layout.waits.map((slot) => s[slot] === 1)));
        resting.push(ofBits(codes.map(({ ops }, t) => isAtRest(ops[s[t]]))));
        return false;
      },
      expanded: (waits) => cramped.push(Number(waits)),
      progress: limits.progress,
      // A round of states that stand for others need not be one of theirs: only what can be reached is the same.
      isSame: waits.length > 0 ? undefined : () => true,
    },
    true,
    limitsOf(limits),
  );
  const about = restsOn(explored, room);
  if (explored.incomplete !== undefined) {
    const { incomplete: reason } = explored;
    return queries.map(() => ({ verdict: 'unknown', reason }));
  }
  const { states, actors } = explored;
  const graph = explored.graph!;
  const isCramped = (s: number): boolean => cramped.get(s) === 1;
  return queries.map((query, i): Found => {
    if (query.quantifier === 'deadlock') {
      const stuckUnless = (isGood: (s: number) => boolean): number | undefined =>
        firstStuck(graph, states, (e) => graph.actor(e) !== actors.idle, {
          state: (s) => resting.get(s) === everybody || isGood(s),
          step: (e) => graph.passes(e),
        });
      const stuck = stuckUnless(isCramped);
      if (stuck !== undefined) {
        const run = inLines(layout, runTo(explored, stuck));
        return { verdict: 'fails', ...run, ...sizeOf(explored) };
      }
      if (about.full !== undefined && stuckUnless(() => false) !== undefined)
        return cramping(about);
      return { verdict: 'holds', ...about };
    }
    const waits = (s: number): boolean => ((waiting.get(s) >>> bits[i]) & 1) === 1;
    const starving = (
      fairness: Fairness,
      isAllowed: (s: number) => boolean,
    ): readonly number[] | undefined =>
      fairSet(graph, states, actors, fairness, (s) => waits(s) && isAllowed(s));
    const strong: Fairness = { strong: (actor) => actors.isPerforming(actor) };
    let set = starving(strong, (s) => !isCramped(s));
    if (set === undefined) {
      if (about.full !== undefined && starving(strong, () => true) !== undefined) {
        return cramping(about);
      }
      const needed = starving({ strong: () => false }, () => true) !== undefined;
      return { verdict: 'holds', ...about, assuming: needed ? [ASSUMED, STRONG] : [ASSUMED] };
    }
    // The fewer threads take part, the better it is understood.
    let rest = 0;
    for (const t of codes.keys()) {
      const wanted = rest | (1 << t);
      const smaller = starving(
        strong,
        (s) => !isCramped(s) && (resting.get(s) & wanted) === wanted,
      );
      if (smaller === undefined) continue;
      rest = wanted;
      set = smaller;
    }
    const steps = roundIn(graph, set, actors, strong);
    const first = steps[0]?.from ?? set.reduce((a, b) => Math.min(a, b));
    const round = steps.flatMap(({ from, to, actor }) =>
      explored.steps(from, (found, by) => found === to && by === actor),
    );
    return { verdict: 'fails', ...inLines(layout, runTo(explored, first), round), states };
  });
}
