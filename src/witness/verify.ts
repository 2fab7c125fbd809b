import {
  FIXED_RELATIONS,
  baseSets,
  flushPair,
  programOrder,
  queuePairs,
  sameLocation,
} from '../events/relations.js';
import type { Event, EventId, EventStructure } from '../events/structure.js';
import { INITIAL, isRead, isWrite } from '../events/structure.js';
import type { Interpretation } from '../model/interpret.js';
import { interpret } from '../model/interpret.js';
import type { Model } from '../model/term.js';
import type { Execution, Judgement } from '../relation/concrete.js';
import { concreteDomain, evaluate, fixedTerms } from '../relation/concrete.js';
import type { BitRel, BitSet } from '../relation/matrix.js';
import * as m from '../relation/matrix.js';
import type { Action } from './replay.js';
import { replay } from './replay.js';
import type { Pair, Run, Witness } from './witness.js';
import { runOf } from './witness.js';

/** A verified execution: its events, its relations over them, and what a model says of it. */
export interface Verified {
  readonly witness: Witness;
  readonly run: Run;
  /** The executed events; relations are over their positions in this list. */
  readonly events: readonly Event[];
  readonly execution: Execution;
  readonly judgement: Judgement;
}

/** A witness's execution and the model's judgement, or what is wrong with the witness. */
export type Verdict = Verified | { readonly wrong: string };

/**
 * Checks a witness from first principles, without the solver and without the encoding: that the
 * execution is well-formed, that each thread's program performs just these events, and what the
 * model says of it.
 */
export function verify(structure: EventStructure, model: Model, witness: Witness): Verdict {
  return verifier(structure, model)(witness);
}

/**
 * Verifies one witness after another. What follows from choices and values alone is not worked out
 * again for a witness that has them from the one before.
 */
export function verifier(structure: EventStructure, model: Model): (witness: Witness) => Verdict {
  const fixed = fixedTerms(model, CHOSEN);
  let last: { readonly witness: Witness; readonly traces: Traces } | undefined;
  return (witness) => {
    const known = last !== undefined && sameTraces(last.witness, witness);
    const traces = known ? last!.traces : tracesOf(structure, model, witness);
    last = { witness, traces };
    if ('wrong' in traces) return traces;
    const { events, position, execution, terms } = traces;
    const run = runOf(structure, witness);
    const relations = new Map(execution.relations);
    for (const name of CHOSEN) {
      const rel = relOf(events.length, position, witness[name]);
      if (rel === undefined) return { wrong: `${name} is no set of pairs of executed events` };
      relations.set(name, rel);
    }
    const wrong =
      wrongReads(events, witness, run, relations.get('rf')!) ??
      wrongOrder(events, witness.mo, relations.get('mo')!) ??
      wrongFlushes(events, witness.nfo);
    if (wrong !== undefined) return { wrong };
    const complete = { ...execution, relations };
    const judgement = evaluate(model, complete, { has: (id) => fixed[id], from: terms });
    return { witness, run, events, execution: complete, judgement };
  };
}

/** The relations that choices and values leave open. */
const CHOSEN = ['rf', 'mo', 'nfo'] as const;

/** What the threads do in an execution, and what follows from it, or what is wrong with it. */
type Traces =
  | {
      readonly events: readonly Event[];
      readonly position: ReadonlyMap<EventId, number>;
      /** The execution without the relations that are chosen. */
      readonly execution: Execution;
      /** The terms of the model that do not depend on them. */
      readonly terms: Interpretation<BitSet, BitRel>;
    }
  | { readonly wrong: string };

function tracesOf(structure: EventStructure, model: Model, witness: Witness): Traces {
  const run = runOf(structure, witness);
  const events = structure.events.filter((e) => run.executed(e.id));
  const wrong = wrongPath(structure, run) ?? wrongProgram(structure, events, run);
  if (wrong !== undefined) return { wrong };
  const polls = pollsFrom(events);
  if (polls === undefined) return { wrong: 'a poll has nothing to poll' };
  const position = new Map(events.map((e, i) => [e.id, i]));
  const execution = executionOf(events, relOf(events.length, position, polls)!);
  return { events, position, execution, terms: interpret(model, concreteDomain(execution)) };
}

function sameTraces(a: Witness, b: Witness): boolean {
  return (
    a.choices.length === b.choices.length &&
    a.reads.length === b.reads.length &&
    a.choices.every((choice, i) => choice === b.choices[i]) &&
    a.reads.every(([read, number], i) => read === b.reads[i][0] && number === b.reads[i][1])
  );
}

function wrongPath(structure: EventStructure, run: Run): string | undefined {
  if (structure.cuts.some((cut) => run.taken(cut.path))) return 'it is beyond the loop bound';
  for (const { path, condition } of [...structure.constraints, ...structure.divisions]) {
    if (run.taken(path) && !run.value(condition)) return 'an assumption fails on its path';
  }
  return undefined;
}

function wrongReads(
  events: readonly Event[],
  witness: Witness,
  run: Run,
  rf: BitRel,
): string | undefined {
  const reads = new Map(witness.reads);
  const sources = m.inverse(rf);
  for (const [i, r] of events.entries()) {
    const [source, ...others] = m.successors(sources, i);
    if (!isRead(r) && source === undefined) continue;
    if (!isRead(r)) return `event ${r.id} reads, and is no read`;
    if (source === undefined) return `read ${r.id} has no write to read from`;
    if (others.length > 0) return `read ${r.id} has ${others.length + 1} writes to read from`;
    const w = events[source];
    if (!isWrite(w) || !sameLocation(w, r)) return `read ${r.id} reads no write`;
    const value = run.value(w.value!);
    if (value === undefined || value !== reads.get(r.id)) return `read ${r.id} has another value`;
  }
  return undefined;
}

function wrongOrder(
  events: readonly Event[],
  pairs: readonly Pair[],
  mo: BitRel,
): string | undefined {
  const writes = events.flatMap((e, i) => (isWrite(e) ? [i] : []));
  let expected = 0;
  for (const a of writes) {
    for (const b of writes) {
      if (a === b || !sameLocation(events[a], events[b])) continue;
      const [forth, back] = [m.related(mo, a, b), m.related(mo, b, a)];
      if (forth === back) return `mo does not order ${events[a].id} and ${events[b].id}`;
      if (!forth) continue;
      expected += 1;
      if (events[b].thread === INITIAL) return `mo puts ${events[a].id} before an initial write`;
      for (const c of writes) {
        if (m.related(mo, b, c) && !m.related(mo, a, c)) return 'mo is not transitive';
      }
    }
  }
  return expected === pairs.length ? undefined : 'mo relates events that it should not';
}

function wrongFlushes(events: readonly Event[], nfo: readonly Pair[]): string | undefined {
  const order = new Set(nfo.map(([a, b]) => `${a} ${b}`));
  for (const a of events) {
    for (const b of events) {
      if (!flushPair(a, b)) continue;
      if (order.delete(`${a.id} ${b.id}`) === order.delete(`${b.id} ${a.id}`)) {
        return `nfo does not order ${a.id} and ${b.id}`;
      }
    }
  }
  return order.size === 0 ? undefined : 'nfo relates events that it should not';
}

/** Replays every thread, with the final registers of the unrolled program. */
function wrongProgram(
  structure: EventStructure,
  events: readonly Event[],
  run: Run,
): string | undefined {
  for (const [index, thread] of structure.program.threads.entries()) {
    const actions = events
      .filter((e) => e.thread === index)
      .map((e) => actionOf(structure, e, run));
    const registers = structure.registers[index].map(run.value);
    if (!replay(thread, actions, registers, structure.bound)) {
      return `no path of ${thread.name} performs these events and ends with these registers`;
    }
  }
  return undefined;
}

function actionOf(structure: EventStructure, e: Event, run: Run): Action {
  const read = structure.values.findIndex((v) => v.op === 'read' && v.event === e.id);
  const { label, location, node, work } = e;
  const reads = read < 0 ? undefined : run.value(read);
  const writes = e.value === undefined ? undefined : run.value(e.value);
  return {
    label,
    ...(location !== undefined && { location }),
    ...(node !== undefined && { node }),
    ...(work !== undefined && { work }),
    ...(reads !== undefined && { reads }),
    ...(writes !== undefined && { writes }),
  };
}

/** The k-th poll of a queue pair polls its k-th NIC write; undefined where there is none. */
function pollsFrom(events: readonly Event[]): Pair[] | undefined {
  const pairs: Pair[] = [];
  for (const [writes, polls] of queuePairs(events)) {
    for (const [k, p] of polls.entries()) {
      if (k >= writes.length || !programOrder(writes[k], p)) return undefined;
      pairs.push([writes[k].id, p.id]);
    }
  }
  return pairs;
}

/** The base sets, and the base relations that are not chosen. */
function executionOf(events: readonly Event[], polls: BitRel): Execution {
  const size = events.length;
  const derived = (test: (a: Event, b: Event) => boolean) => {
    const rel = m.emptyRel(size);
    events.forEach((a, i) => events.forEach((b, j) => test(a, b) && m.relate(rel, i, j)));
    return rel;
  };
  const numbered = events.map((e, id) => ({ ...e, id }));
  return {
    size,
    sets: baseSets(numbered),
    relations: new Map([
      ...[...FIXED_RELATIONS].map(([name, test]) => [name, derived(test)] as const),
      ['pf', polls],
    ]),
  };
}

/** Pairs of events as a relation over their positions; undefined if one has none, or is there twice. */
function relOf(
  size: number,
  position: ReadonlyMap<EventId, number>,
  pairs: readonly Pair[],
): BitRel | undefined {
  const rel = m.emptyRel(size);
  for (const [a, b] of pairs) {
    const [i, j] = [position.get(a), position.get(b)];
    if (i === undefined || j === undefined || m.related(rel, i, j)) return undefined;
    m.relate(rel, i, j);
  }
  return rel;
}
