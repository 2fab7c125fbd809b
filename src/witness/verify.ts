import {
  FIXED_RELATIONS,
  baseSets,
  flushPair,
  programOrder,
  queuePairs,
  sameLocation,
} from '../events/relations.js';
import type { Event, EventStructure } from '../events/structure.js';
import { INITIAL, isRead, isWrite } from '../events/structure.js';
import type { Model } from '../model/term.js';
import type { Execution, Judgement } from '../relation/concrete.js';
import { evaluate } from '../relation/concrete.js';
import * as m from '../relation/matrix.js';
import type { Action } from './replay.js';
import { replay } from './replay.js';
import type { Pair, Run, Witness } from './witness.js';
import { runOf } from './witness.js';

/** A verified execution: its events, its relations over them, and what a model says of it. */
export interface Verified {
  readonly run: Run;
  /** The executed events; relations are over their positions in this list. */
  readonly events: readonly Event[];
  readonly execution: Execution;
  readonly judgement: Judgement;
}

/**
 * Checks a witness from first principles, without the solver and without the encoding: that the
 * execution is well-formed, that each thread's program performs just these events, and what the
 * model says of it.
 *
 * @returns the execution and the model's judgement, or what is wrong with the witness
 */
export function verify(
  structure: EventStructure,
  model: Model,
  witness: Witness,
): Verified | { readonly wrong: string } {
  const run = runOf(structure, witness);
  const events = structure.events.filter((e) => run.executed(e.id));
  const wrong =
    wrongPath(structure, run) ??
    wrongReads(events, witness, run) ??
    wrongOrder(events, witness.mo) ??
    wrongFlushes(events, witness.nfo) ??
    wrongProgram(structure, events, run);
  return wrong === undefined ? judgeRun(model, witness, run, events) : { wrong };
}

/**
 * What a model says of a witness, its relations taken as they are: `mo` and `nfo` may be partial.
 * A path that polls more than it has issued has no execution, and nothing to judge.
 */
export function judge(
  structure: EventStructure,
  model: Model,
  witness: Witness,
): Verified | { readonly wrong: string } {
  const run = runOf(structure, witness);
  const events = structure.events.filter((e) => run.executed(e.id));
  return judgeRun(model, witness, run, events);
}

function judgeRun(
  model: Model,
  witness: Witness,
  run: Run,
  events: readonly Event[],
): Verified | { readonly wrong: string } {
  const polls = pollsFrom(events);
  if (polls === undefined) return { wrong: 'a poll has nothing to poll' };
  const execution = executionOf(events, witness, polls);
  return { run, events, execution, judgement: evaluate(model, execution) };
}

function wrongPath(structure: EventStructure, run: Run): string | undefined {
  if (structure.cuts.some((cut) => run.taken(cut.path))) return 'it is beyond the loop bound';
  for (const { path, condition } of [...structure.constraints, ...structure.divisions]) {
    if (run.taken(path) && !run.value(condition)) return 'an assumption fails on its path';
  }
  return undefined;
}

function wrongReads(events: readonly Event[], witness: Witness, run: Run): string | undefined {
  const reads = new Map(witness.reads);
  const byId = new Map(events.map((e) => [e.id, e]));
  for (const r of events.filter(isRead)) {
    const sources = witness.rf.filter(([, to]) => to === r.id);
    if (sources.length !== 1) return `read ${r.id} has ${sources.length} writes to read from`;
    const w = byId.get(sources[0][0]);
    if (w === undefined || !isWrite(w) || !sameLocation(w, r)) return `read ${r.id} reads no write`;
    const value = run.value(w.value!);
    if (value === undefined || value !== reads.get(r.id)) return `read ${r.id} has another value`;
  }
  return undefined;
}

function wrongOrder(events: readonly Event[], mo: readonly Pair[]): string | undefined {
  const order = new Set(mo.map(([a, b]) => `${a} ${b}`));
  const before = (a: Event, b: Event) => order.has(`${a.id} ${b.id}`);
  const writes = events.filter(isWrite);
  let expected = 0;
  for (const a of writes) {
    for (const b of writes) {
      if (a === b || !sameLocation(a, b)) continue;
      if (before(a, b) === before(b, a)) return `mo does not order ${a.id} and ${b.id}`;
      if (before(a, b)) expected += 1;
      if (b.thread === INITIAL && before(a, b)) return `mo puts ${a.id} before an initial write`;
      for (const c of writes) {
        if (before(a, b) && before(b, c) && !before(a, c)) return 'mo is not transitive';
      }
    }
  }
  return expected === order.size ? undefined : 'mo relates events that it should not';
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

function executionOf(
  events: readonly Event[],
  witness: Witness,
  polls: readonly Pair[],
): Execution {
  const position = new Map(events.map((e, i) => [e.id, i]));
  const size = events.length;
  const given = (pairs: readonly Pair[]) =>
    m.relOf(
      size,
      pairs.map(([a, b]) => [position.get(a)!, position.get(b)!] as const),
    );
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
      ['rf', given(witness.rf)],
      ['mo', given(witness.mo)],
      ['nfo', given(witness.nfo)],
      ['pf', given(polls)],
    ]),
  };
}
