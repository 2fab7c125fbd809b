import type { InstructionSet } from '../../src/model/instructions/set.js';
import { BASE_SETS } from '../../src/model/bases.js';
import { computeBounds } from '../../src/encode/bounds/bounds.js';
import { FIXED_RELATIONS, membership, sameLocation } from '../../src/program/events/relations.js';
import type { Event, EventStructure } from '../../src/program/events/structure.js';
import { INITIAL, isRead, isWrite } from '../../src/program/events/structure.js';
import type { Subject } from '../../src/program/program.js';
import { runOfWitness } from '../../src/check/witness/witness.js';
import { combinations, permutations } from './combinations.js';
import type { Decided } from './guesses.js';
import { guess, ranksAgree } from './guesses.js';
import type { Value } from './operate.js';
import type { Rows } from './rows.js';
import { MOST_EVENTS, rowsOf } from './rows.js';
import type { Trace } from './traces.js';
import { tracesOf } from './traces.js';

/** What a path through a program fixes: its events, and every base relation that it leaves no choice of. */
export interface Frame {
  readonly size: number;
  readonly fixed: ReadonlyMap<string, Value>;
}

/** One execution, whether a model allows it or not. */
export interface Candidate {
  readonly frame: Frame;
  /** The base relations that an execution chooses. */
  readonly chosen: ReadonlyMap<string, Rows>;
  /** The final values of the subjects, in order. */
  readonly state: string;
}

/**
 * All executions of a small program, under no model at all.
 *
 * @returns undefined if there are more than `limit`, or too many events
 */
export function candidatesOf(
  structure: EventStructure,
  subjects: readonly Subject[],
  limit: number,
): readonly Candidate[] | undefined {
  const bounds = computeBounds(structure, undefined);
  if (!bounds.ok || structure.events.length > MOST_EVENTS) return undefined;
  const numbers = new Map(
    structure.values.flatMap((v, id) =>
      v.op === 'read' ? [[v.event, bounds.bounds.values[id]] as const] : [],
    ),
  );
  const ways = [...numbers.values()].reduce((product, values) => product * values.length, 1);
  if (ways > 100 * limit) return undefined;
  const threads = structure.program.threads.map((_, t) =>
    tracesOf(structure, t, (read) => numbers.get(read) ?? []),
  );
  const initial = structure.events.filter((e) => e.thread === INITIAL);
  const frames = new Map<string, Path | undefined>();
  const candidates: Candidate[] = [];
  for (const traces of combinations(threads)) {
    const events = [...initial, ...traces.flatMap((t) => t.events)];
    const path = events.map((e) => e.id).join();
    if (!frames.has(path)) frames.set(path, frameOf(events, structure.program.instructions));
    const frame = frames.get(path);
    if (frame === undefined) continue;
    for (const candidate of completions(structure, subjects, events, traces, frame)) {
      if (candidates.length >= limit) return undefined;
      candidates.push({ ...candidate, frame });
    }
  }
  return candidates;
}

/** A frame, and what its path leaves open of the relations that are guessed. */
interface Path extends Frame {
  readonly open: ReadonlyMap<string, readonly Decided[]>;
}

/** Everything that the events of a path fix; undefined if an event has no partner. */
function frameOf(events: readonly Event[], instructions: InstructionSet): Path | undefined {
  const size = events.length;
  const fixed = new Map<string, Value>();
  const isIn = membership(instructions);
  const sets = [...BASE_SETS, ...[...instructions.labels, ...instructions.tags].map((s) => s.name)];
  for (const name of sets) {
    const is = isIn(name)!;
    fixed.set(
      name,
      events.reduce((set, e, i) => (is(e) ? set | (1 << i) : set), 0),
    );
  }
  for (const [name, test] of FIXED_RELATIONS) fixed.set(name, relation(events, test));
  fixed.set(
    'id',
    relation(events, (a, b) => a === b),
  );
  const open = new Map<string, readonly Decided[]>();
  for (const [name, made] of guess(instructions, fixed, size)) {
    if (made === undefined) return undefined;
    if (Array.isArray(made)) open.set(name, made as readonly Decided[]);
    else fixed.set(name, made as Rows);
  }
  return { size, fixed, open };
}

function relation(events: readonly Event[], test: (a: Event, b: Event) => boolean): Rows {
  const pairs = events.flatMap((a, i) =>
    events.flatMap((b, j) => (test(a, b) ? [[i, j] as const] : [])),
  );
  return rowsOf(events.length, pairs);
}

/** What reads can read from, how writes can be ordered, how what is guessed besides can fall. */
function* completions(
  structure: EventStructure,
  subjects: readonly Subject[],
  events: readonly Event[],
  traces: readonly Trace[],
  { open, fixed }: Path,
): Generator<Omit<Candidate, 'frame'>> {
  const size = events.length;
  const reads = new Map(traces.flatMap((t) => t.reads));
  // A choice is made by one thread; the others have it at 0.
  const choices = Array.from({ length: structure.choices }, (_, i) =>
    Math.max(0, ...traces.map((t) => t.choices[i])),
  );
  const run = runOfWitness(structure, { choices, reads: [...reads], rf: [], mo: [], guessed: {} });
  const written = new Map(events.filter(isWrite).map((w) => [w, run.value(w.value!)]));
  const place = new Map(events.map((e, i) => [e, i]));

  const sources = events.filter(isRead).map((r) =>
    events
      .filter((w) => isWrite(w) && w !== r && sameLocation(w, r))
      .filter((w) => written.get(w) === reads.get(r.id))
      .map((w) => [place.get(w)!, place.get(r)!] as const),
  );
  if (sources.some((s) => s.length === 0)) return;
  const locations = [...new Set(events.filter(isWrite).map((w) => w.location!))];
  const orders = locations.map((location) => {
    const writes = events.filter((e) => isWrite(e) && e.location === location);
    const first = writes.filter((w) => w.thread === INITIAL);
    const rest = writes.filter((w) => w.thread !== INITIAL);
    return [...permutations(rest)].map((order) => [...first, ...order]);
  });
  const readings = [...combinations(sources)].map((pairs) => rowsOf(size, pairs));
  const guesses = [...open].map(([name, decisions]) =>
    [...combinations(decisions)].map((made) => [name, rowsOf(size, made.flat())] as const),
  );
  const guessings = [...combinations(guesses)];
  const agree = ranksAgree(structure.program.instructions, fixed, size);
  for (const chosen of combinations(orders)) {
    const last = new Map(chosen.map((order) => [order[0].location!, order.at(-1)!]));
    const final = (s: Subject): number | undefined => {
      if (s.kind === 'register') return run.final(s);
      const write = last.get(s.location);
      return write === undefined
        ? structure.program.locations[s.location].initial
        : written.get(write);
    };
    const state = subjects.map(final).join();
    const pairs = chosen.flatMap((order) =>
      order.flatMap((a, i) =>
        order.slice(i + 1).map((b) => [place.get(a)!, place.get(b)!] as const),
      ),
    );
    const mo = rowsOf(size, pairs);
    for (const rf of readings) {
      for (const guessed of guessings) {
        const relations = new Map([['rf', rf], ['mo', mo], ...guessed]);
        if (agree(relations)) yield { state, chosen: relations };
      }
    }
  }
}
