import { computeBounds } from '../bounds/bounds.js';
import { flushPair, sameLocation } from '../events/relations.js';
import type { Event, EventStructure } from '../events/structure.js';
import { INITIAL, isRead, isWrite } from '../events/structure.js';
import type { Model } from '../model/term.js';
import type { Pair, Witness } from '../witness/witness.js';
import type { Verified } from '../witness/verify.js';
import { judge, verify } from '../witness/verify.js';
import { stagesOf } from './stages.js';
import type { Trace } from './traces.js';
import { tracesOf } from './traces.js';

export interface Enumeration {
  /** Candidates judged, partial ones included. */
  readonly judged: number;
  /** Why the enumeration is not complete. */
  readonly incomplete?: string;
}

/**
 * Enumerates the consistent executions of an unrolled program under a model as herd does, without
 * a solver: a path through each thread with a value for each read, then reads-from, then
 * modification order write by write, then NIC flush order pair by pair. A partial candidate is
 * given up when an axiom fails that cannot come to hold again as the relations grow (stages.ts).
 * At most `limit` candidates are judged.
 */
export function enumerateCandidates(
  structure: EventStructure,
  model: Model,
  visit: (verified: Verified) => void,
  limit: number,
): Enumeration {
  const bounds = computeBounds(structure, undefined);
  if (!bounds.ok) return { judged: 0, incomplete: bounds.reason };
  const readValues = new Map(
    structure.values.flatMap((v, id) =>
      v.op === 'read' ? [[v.event, bounds.bounds.values[id]] as const] : [],
    ),
  );
  const numbers = (read: number) => readValues.get(read) ?? [];
  const threads = structure.program.threads.map((_, t) => [...tracesOf(structure, t, numbers)]);
  const initial = structure.events.filter((e) => e.thread === INITIAL);
  const stages = stagesOf(model);
  let judged = 0;
  let exceeded = false;

  /** Does a partial candidate pass the axioms that can be judged before it is complete? */
  const passes = (witness: Witness): boolean => {
    if (judged >= limit) exceeded = true;
    if (exceeded) return false;
    judged += 1;
    const verdict = judge(structure, stages.afterReads, witness);
    return !('wrong' in verdict) && verdict.judgement.consistent;
  };

  combine(0, []);
  return exceeded ? { judged, incomplete: `limit of ${limit} candidates reached` } : { judged };

  /** Chooses a trace for each thread. */
  function combine(thread: number, chosen: readonly Trace[]): void {
    if (exceeded) return;
    if (thread < threads.length) {
      for (const trace of threads[thread]) combine(thread + 1, [...chosen, trace]);
      return;
    }
    const events = [...initial, ...chosen.flatMap((t) => t.events)];
    const reads = new Map(chosen.flatMap((t) => [...t.reads]));
    const written = new Map(chosen.flatMap((t) => [...t.writes]));
    for (const e of initial) {
      written.set(e.id, structure.program.locations[e.location!].initial);
    }
    const made = new Map(chosen.flatMap((t) => [...t.choices]));
    const choices = Array.from({ length: structure.choices }, (_, i) => made.get(i) ?? 0);
    const sources = events.filter(isRead).map((r) =>
      events
        .filter((w) => isWrite(w) && w.id !== r.id && sameLocation(w, r))
        .filter((w) => written.get(w.id) === reads.get(r.id))
        .map((w): Pair => [w.id, r.id]),
    );
    if (sources.some((s) => s.length === 0)) return;
    const start: Witness = { choices, reads: [...reads], rf: [], mo: [], nfo: [] };
    readFrom(events, sources, 0, start);
  }

  function readFrom(
    events: readonly Event[],
    sources: readonly (readonly Pair[])[],
    index: number,
    witness: Witness,
  ): void {
    if (exceeded) return;
    if (index < sources.length) {
      for (const pair of sources[index]) {
        readFrom(events, sources, index + 1, { ...witness, rf: [...witness.rf, pair] });
      }
      return;
    }
    const byLocation = new Map<number, Event[]>();
    for (const w of events.filter(isWrite)) {
      byLocation.set(w.location!, [...(byLocation.get(w.location!) ?? []), w]);
    }
    // Initial writes come first in any case.
    const mo = [...byLocation.values()].flatMap((writes) =>
      writes
        .filter((w) => w.thread === INITIAL)
        .flatMap((i) => writes.filter((w) => w !== i).map((w): Pair => [i.id, w.id])),
    );
    const open = [...byLocation.values()].map((writes) =>
      writes.filter((w) => w.thread !== INITIAL),
    );
    const begun = { ...witness, mo };
    if (!passes(begun)) return;
    orderWrites(
      events,
      open.filter((writes) => writes.length > 1),
      begun,
    );
  }

  /** Chooses which write of the first location that is not ordered yet comes next. */
  function orderWrites(
    events: readonly Event[],
    open: readonly (readonly Event[])[],
    witness: Witness,
  ): void {
    if (exceeded) return;
    const [writes, ...others] = open;
    if (writes === undefined) {
      const flushes = events.flatMap((a) =>
        events.filter((b) => flushPair(a, b)).map((b): Pair => [a.id, b.id]),
      );
      flush(flushes, 0, witness);
      return;
    }
    for (const next of writes) {
      const rest = writes.filter((w) => w !== next);
      const mo = [...witness.mo, ...rest.map((w): Pair => [next.id, w.id])];
      const extended = { ...witness, mo };
      if (!passes(extended)) continue;
      orderWrites(events, rest.length > 1 ? [rest, ...others] : others, extended);
    }
  }

  /** Chooses a direction for each pair of NIC flush order. */
  function flush(pairs: readonly Pair[], index: number, witness: Witness): void {
    if (exceeded) return;
    if (index === pairs.length) {
      const verified = verify(structure, model, witness);
      if ('wrong' in verified) throw new Error(`enumeration made no execution: ${verified.wrong}`);
      if (verified.judgement.consistent) visit(verified);
      return;
    }
    const [a, b] = pairs[index];
    for (const pair of [[a, b] as const, [b, a] as const]) {
      const extended = { ...witness, nfo: [...witness.nfo, pair] };
      if (passes(extended)) flush(pairs, index + 1, extended);
    }
  }
}
