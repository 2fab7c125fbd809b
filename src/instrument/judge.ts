import { FIXED_RELATIONS, baseSets, flushPair, queuePairs } from '../events/relations.js';
import type { Event } from '../events/structure.js';
import { INITIAL, isRead, isWrite } from '../events/structure.js';
import type { Model } from '../model/term.js';
import { evaluate } from '../relation/concrete.js';
import type { Execution } from '../relation/concrete.js';
import type { BitRel } from '../relation/matrix.js';
import * as m from '../relation/matrix.js';
import type { RunEvent, ViolatingRun } from './run.js';

/**
 * A second opinion on a violating run: its trace `T(τ)` (decidability paper, Def. 4) is judged by the
 * models themselves, which share nothing with the instrumentation.
 *
 * @returns what is wrong with the run, if something is
 */
export function wrongRun(run: ViolatingRun, rdma: Model, sc: Model): string | undefined {
  const execution = executionOf(run);
  if (!evaluate(rdma, execution).consistent) return `${rdma.name} does not admit it`;
  if (evaluate(sc, execution).consistent) return `${sc.name} admits it`;
  return undefined;
}

/** One step of a cycle: an event, and how it is related to the next. */
export interface CycleStep {
  /** Index into the run's events. */
  readonly event: number;
  readonly relation: 'po' | 'rf' | 'mo' | 'rb';
}

/** A shortest cycle of SC, from the first event of a thread that has one. */
export function cycleOf(run: ViolatingRun): readonly CycleStep[] {
  const { relations, size } = executionOf(run);
  const rf = relations.get('rf')!;
  const mo = relations.get('mo')!;
  const rb = m.diffRel(m.seq(m.inverse(rf), mo), m.identity(m.universe(size)));
  const po = relations.get('po')!;
  const kinds = [
    ['rf', rf],
    ['rb', rb],
    ['mo', mo],
    ['po', po],
  ] as const;
  let best: readonly CycleStep[] | undefined;
  for (let start = 0; start < size; start++) {
    const found = shortest(start, kinds);
    if (found !== undefined && (best === undefined || found.length < best.length)) best = found;
  }
  if (best === undefined) throw new Error('the run has no cycle of SC');
  return best;
}

type Kinds = readonly (readonly [CycleStep['relation'], BitRel])[];

function shortest(start: number, kinds: Kinds): readonly CycleStep[] | undefined {
  const origin = new Map<number, CycleStep>();
  const open = [start];
  for (let head = 0; head < open.length; head++) {
    const event = open[head];
    for (const [relation, rel] of kinds) {
      for (const next of m.successors(rel, event)) {
        if (origin.has(next)) continue;
        origin.set(next, { event, relation });
        open.push(next);
        if (next !== start) continue;
        const cycle: CycleStep[] = [];
        for (let at = start; ;) {
          const step = origin.get(at)!;
          cycle.unshift(step);
          at = step.event;
          if (at === start) return cycle;
        }
      }
    }
  }
  return undefined;
}

/** `T(τ)`: the relations that the order of events says. */
function executionOf(run: ViolatingRun): Execution {
  const events = run.events.map(eventOf);
  const size = events.length;
  const initial = events.filter((e) => e.thread === INITIAL).map((e) => e.id);
  const order = [...initial, ...run.order];
  const derived = (test: (a: Event, b: Event) => boolean): BitRel => {
    const rel = m.emptyRel(size);
    events.forEach((a) => events.forEach((b) => test(a, b) && m.relate(rel, a.id, b.id)));
    return rel;
  };
  const [rf, mo, nfo] = [m.emptyRel(size), m.emptyRel(size), m.emptyRel(size)];
  order.forEach((at, i) => {
    const event = events[at];
    const before = order.slice(0, i).map((id) => events[id]);
    const writes = before.filter((w) => isWrite(w) && w.location === event.location);
    const last = writes.at(-1);
    if (isRead(event) && last !== undefined) m.relate(rf, last.id, at);
    if (isWrite(event)) writes.forEach((w) => m.relate(mo, w.id, at));
    for (const e of before) if (flushPair(e, event) || flushPair(event, e)) m.relate(nfo, e.id, at);
  });
  const polls = queuePairs(events).flatMap(([writes, polls]) =>
    polls.map((p, k) => [writes[k].id, p.id] as const),
  );
  return {
    size,
    sets: baseSets(events),
    relations: new Map([
      ...[...FIXED_RELATIONS].map(([name, test]) => [name, derived(test)] as const),
      ['pf', m.relOf(size, polls)],
      ['rf', rf],
      ['mo', mo],
      ['nfo', nfo],
    ]),
  };
}

function eventOf({ thread, label, location, node, span }: RunEvent, id: number): Event {
  return {
    id,
    thread: thread ?? INITIAL,
    label,
    path: [],
    ...(location !== undefined && { location }),
    ...(node !== undefined && { node }),
    ...(span !== undefined && { span }),
  };
}
