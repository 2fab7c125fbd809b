import { LABELS } from '../../src/model/bases.js';
import type { Model } from '../../src/model/term.js';
import type { Program } from '../../src/program/program.js';
import { allSubjects, subjectName } from '../../src/program/subjects.js';
import { evaluate } from '../../src/model/relation/concrete.js';
import type { Execution } from '../../src/model/relation/concrete.js';
import { isAcyclic, relOf, setOf } from '../../src/model/relation/matrix.js';
import { threadRuns } from './paths.js';
import type { Step, ThreadRun } from './paths.js';

/**
 * Executions by their definition, to the letter: every combination of thread runs, then every
 * rf, mo and nfo over their events. It shares nothing with bounds and encoding. It is simple, and slow.
 */

/** One well-formed execution and the state it ends in. */
export interface Candidate {
  readonly execution: Execution;
  readonly state: string;
  /** No value comes out of thin air: no read gets its value from itself. */
  readonly grounded: boolean;
}

type Pair = readonly [number, number];

/** An event; initial writes have thread -1. */
interface Event extends Step {
  readonly id: number;
  readonly thread: number;
  /** The events of its thread that its value is computed from. */
  readonly from: readonly number[];
}

const isWrite = (e: Event): boolean => e.writes !== undefined;
const isRead = (e: Event): boolean => e.reads !== undefined;

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
  const sizes = spaces.map(({ space: { rf, mo, nfo } }) =>
    [...rf, ...mo, ...nfo].reduce((count, options) => count * options.length, 1),
  );
  if (sizes.reduce((a, b) => a + b, 0) > limit) return undefined;
  return spaces.flatMap(({ runs, space }) =>
    product(space.rf).flatMap((rf) =>
      product(space.mo).flatMap((mo) =>
        product(space.nfo).map((nfo) => candidate(program, runs, space, rf, mo, nfo)),
      ),
    ),
  );
}

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
  /** What is the same in all executions of these runs. */
  readonly sets: Execution['sets'];
  readonly relations: Execution['relations'];
  /** For each read its writes, for each location its orders, for each flush pair both ways. */
  readonly rf: readonly (readonly Pair[])[];
  readonly mo: readonly (readonly (readonly number[])[])[];
  readonly nfo: readonly (readonly Pair[])[];
}

/** What is to be chosen for given runs of the threads; undefined where a poll has nothing to poll. */
function spaceOf(program: Program, runs: readonly ThreadRun[]): Space | undefined {
  const events: Event[] = [...accessed(program)].map((location, id) => ({
    id,
    thread: -1,
    label: 'lW',
    location,
    writes: { n: program.locations[location].initial, from: [] },
    from: [],
  }));
  const initial = [...events];
  runs.forEach(({ steps }, thread) => {
    const first = events.length;
    for (const step of steps) {
      const from = (step.writes?.from ?? []).map((i) => first + i);
      events.push({ ...step, id: events.length, thread, from });
    }
  });
  const pf = pollsFrom(events);
  if (pf === undefined) return undefined;
  const sources = (r: Event): Pair[] =>
    events
      .filter((w) => isWrite(w) && w !== r && w.location === r.location && w.writes!.n === r.reads)
      .map((w) => [w.id, r.id]);
  const flushes = events.flatMap((a) =>
    events.filter((b) => flushPair(a, b)).map((b): Pair => [a.id, b.id]),
  );
  return {
    events,
    sets: setsOf(events),
    relations: fixedRelations(events, pf),
    rf: events.filter(isRead).map(sources),
    mo: initial.map((first) => {
      const later = events.filter(
        (e) => isWrite(e) && e.location === first.location && e !== first,
      );
      return permutations(later.map(({ id }) => id)).map((order) => [first.id, ...order]);
    }),
    nfo: flushes.map(([a, b]): Pair[] => [
      [a, b],
      [b, a],
    ]),
  };
}

/** Initial writes of locations that no instruction names would change nothing but `empty`. */
function accessed(program: Program): ReadonlySet<number> {
  const found = new Set<number>();
  JSON.stringify(program.threads, (key, value: unknown) => {
    if (['location', 'from', 'to'].includes(key) && typeof value === 'number') found.add(value);
    return value;
  });
  return new Set([...found].sort((a, b) => a - b));
}

const sameQueuePair = (a: Event, b: Event): boolean =>
  a.thread === b.thread && a.node !== undefined && a.node === b.node;

function flushPair(a: Event, b: Event): boolean {
  if (!sameQueuePair(a, b)) return false;
  return (a.label === 'nlR' && b.label === 'nlW') || (a.label === 'nrR' && b.label === 'nrW');
}

const isNicWrite = (e: Event): boolean => e.label === 'nlW' || e.label === 'nrW';

/** Every poll takes the oldest NIC write of its queue pair that no poll has taken. */
function pollsFrom(events: readonly Event[]): Pair[] | undefined {
  const pairs: Pair[] = [];
  for (const p of events.filter(({ label }) => label === 'P')) {
    const taken = new Set(pairs.map(([w]) => w));
    const oldest = events.find(
      (w) => isNicWrite(w) && sameQueuePair(w, p) && w.id < p.id && !taken.has(w.id),
    );
    if (oldest === undefined) return undefined;
    pairs.push([oldest.id, p.id]);
  }
  return pairs;
}

function setsOf(events: readonly Event[]): Execution['sets'] {
  const labelled = LABELS.map(
    (label) => [label, events.filter((e) => e.label === label).map(({ id }) => id)] as const,
  );
  const initial = events.filter(({ thread }) => thread < 0).map(({ id }) => id);
  const sets = [...labelled, ['IW', initial] as const];
  return new Map(sets.map(([name, ids]) => [name, setOf(events.length, ids)]));
}

function fixedRelations(events: readonly Event[], pf: readonly Pair[]): Execution['relations'] {
  const size = events.length;
  const all = (test: (a: Event, b: Event) => boolean) =>
    relOf(
      size,
      events.flatMap((a) => events.filter((b) => test(a, b)).map((b): Pair => [a.id, b.id])),
    );
  return new Map([
    ['po', all((a, b) => b.thread >= 0 && (a.thread < 0 || (sthd(a, b) && a.id < b.id)))],
    ['loc', all((a, b) => a.location !== undefined && a.location === b.location)],
    ['sthd', all(sthd)],
    ['ext', all((a, b) => !sthd(a, b))],
    ['sqp', all(sameQueuePair)],
    ['wf', all((a, b) => waitsFor(a, b))],
    ['pf', relOf(size, pf)],
  ]);
}

function candidate(
  program: Program,
  runs: readonly ThreadRun[],
  { events, sets, relations }: Space,
  rf: readonly Pair[],
  orders: readonly (readonly number[])[],
  nfo: readonly Pair[],
): Candidate {
  const size = events.length;
  const chosen = (pairs: readonly Pair[]) => relOf(size, pairs);
  const mo = orders.flatMap((order) =>
    order.flatMap((a, i) => order.slice(i + 1).map((b): Pair => [a, b])),
  );
  const execution: Execution = {
    size,
    sets,
    relations: new Map([
      ...relations,
      ['rf', chosen(rf)],
      ['mo', chosen(mo)],
      ['nfo', chosen(nfo)],
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
  return { execution, state: state.join(' '), grounded: isAcyclic(chosen(flow)) };
}

const sthd = (a: Event, b: Event): boolean => a.thread === b.thread;

const waitsFor = (a: Event, b: Event): boolean =>
  isNicWrite(a) && b.label === 'WT' && sthd(a, b) && a.id < b.id && a.work === b.work;

/** Every way to take one element of each list. */
function product<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (all, list) => all.flatMap((before) => list.map((x) => [...before, x])),
    [[]],
  );
}

function permutations<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length === 0) return [[]];
  return list.flatMap((x, i) => permutations(list.filter((_, k) => k !== i)).map((p) => [x, ...p]));
}
