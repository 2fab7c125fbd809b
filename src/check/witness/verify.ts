import { chosenGuesses } from '../../model/instructions/chosen.js';
import type { CountedEvents, Guessed } from '../../program/events/guessed.js';
import { sameLocation } from '../../program/events/relations.js';
import type { Event, EventId, EventStructure, ValueId } from '../../program/events/structure.js';
import { INITIAL, isRead, isWrite } from '../../program/events/structure.js';
import type { Model } from '../../model/term.js';
import type { Execution, Judgement } from '../../model/relation/concrete.js';
import { evaluate, fixedTerms } from '../../model/relation/concrete.js';
import type { BitRel } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { WitnessLayout } from './layout.js';
import { witnessLayout, relationOf } from './layout.js';
import { memo } from './memo.js';
import type { PerformedEvent } from './replay.js';
import { replay } from './replay.js';
import type { WitnessMeaning, Witness } from './witness.js';
import { pairsIn, runOfWitness } from './witness.js';

/** A verified execution: its events, its relations over them, and the model's judgement. */
export interface Verified {
  readonly witness: Witness;
  readonly run: WitnessMeaning;
  /** The executed events; relations are over their positions in this list. */
  readonly events: readonly Event[];
  readonly execution: Execution;
  readonly judgement: Judgement;
}

/** A witness's execution and the model's judgement, or what is wrong with the witness. */
export type WitnessJudgement = Verified | { readonly wrong: string };

/**
 * Checks a witness from first principles, without the solver and without the encoding: that the execution is
 * well-formed, that each thread's program performs exactly these events, and what the model says of it.
 */
export function verifyWitness(
  structure: EventStructure,
  model: Model,
  witness: Witness,
): WitnessJudgement {
  const last = verifiers.get(structure);
  const check = last?.model === model ? last.check : witnessVerifier(structure, model);
  verifiers.set(structure, { model, check });
  return check(witness);
}

/** For each structure, the verifier for the last model. */
const verifiers = new WeakMap<EventStructure, { readonly model: Model; readonly check: Check }>();

type Check = (witness: Witness) => WitnessJudgement;

/** For each model, the terms that do not depend on what is chosen. */
const fixedIn = new WeakMap<Model, readonly boolean[]>();

/**
 * Verifies one witness after another. Two results are kept for witnesses with the same part: what the executed events
 * fix, and whether a thread can perform its actions.
 */
export function witnessVerifier(structure: EventStructure, model: Model): Check {
  const chosen = ['rf', 'mo', ...chosenGuesses(model.instructions)];
  const fixed = fixedIn.get(model) ?? fixedTerms(model, chosen);
  fixedIn.set(model, fixed);
  const layout = memo((events: readonly Event[]) => witnessLayout(events, model));
  const performs = replays.get(structure) ?? performance(structure);
  replays.set(structure, performs);
  return (witness) => {
    const run = runOfWitness(structure, witness);
    const events = structure.events.filter((e) => run.executed(e.id));
    const impossible = wrongPath(structure, run) ?? performs(events, run);
    if (impossible !== undefined) return { wrong: impossible };
    const laid = layout(events.map((e) => e.id).join(), events);
    if ('wrong' in laid) return laid;
    const { position, execution, terms } = laid;
    const relations = new Map<string, BitRel>();
    for (const name of chosen) {
      const rel = relationOf(position, pairsIn(witness, name));
      if (rel === undefined) return { wrong: `${name} is no set of pairs of executed events` };
      relations.set(name, rel);
    }
    const wrong =
      wrongReads(events, witness, run, relations.get('rf')!) ??
      wrongOrder('mo', laid.writes, events, relations.get('mo')!) ??
      wrongNumber('mo', inOrder(laid.writes), witness) ??
      wrongGuess(laid, witness, relations);
    if (wrong !== undefined) return { wrong };
    const known = execution.relations;
    const complete = {
      ...execution,
      relations: { get: (name: string) => relations.get(name) ?? known.get(name) },
    };
    const judgement = evaluate(model, complete, { has: (id) => fixed[id], from: terms });
    return { witness, run, events, execution: complete, judgement };
  };
}

function wrongPath(structure: EventStructure, run: WitnessMeaning): string | undefined {
  if (structure.cuts.some((cut) => run.taken(cut.path))) return 'it is beyond the loop bound';
  for (const { path, condition } of [...structure.constraints, ...structure.divisions]) {
    if (run.taken(path) && !run.value(condition)) return 'an assumption fails on its path';
  }
  return undefined;
}

function wrongReads(
  events: readonly Event[],
  witness: Witness,
  run: WitnessMeaning,
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
  name: string,
  classes: readonly (readonly number[])[],
  events: readonly Event[],
  mo: BitRel,
): string | undefined {
  for (const group of classes) {
    for (const a of group) {
      for (const b of group) {
        if (a === b) continue;
        const [forth, back] = [m.related(mo, a, b), m.related(mo, b, a)];
        if (forth === back) return `${name} does not order ${events[a].id} and ${events[b].id}`;
        if (!forth) continue;
        if (events[b].thread === INITIAL)
          return `${name} puts ${events[a].id} before an initial write`;
        for (const c of group) {
          if (m.related(mo, b, c) && !m.related(mo, a, c)) return `${name} is not transitive`;
        }
      }
    }
  }
  return undefined;
}

/** How many pairs total orders of some events have. */
const inOrder = (classes: readonly (readonly number[])[]): number =>
  classes.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0);

/** A message if there are more pairs than expected, after all expected ones were found. */
const wrongNumber = (name: string, expected: number, witness: Witness): string | undefined =>
  pairsIn(witness, name).length === expected
    ? undefined
    : `${name} relates events that it should not`;

/** What is wrong with the relations that are guessed, by their declarations. */
function wrongGuess(
  { events, guesses }: WitnessLayout,
  witness: Witness,
  relations: ReadonlyMap<string, BitRel>,
): string | undefined {
  for (const guess of guesses) {
    if (!guess.chosen) continue;
    const { name, classes } = guess;
    const rel = relations.get(name)!;
    const wrong =
      wrongOrder(name, classes, events, rel) ??
      wrongPairs(guess, events, rel) ??
      wrongSources(guess, events, rel) ??
      wrongRanks(guess, events, relations) ??
      wrongNumber(name, guess.pairs.length + inOrder(classes) + guess.choices.length, witness);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongPairs(
  { name, pairs }: Guessed,
  events: readonly Event[],
  rel: BitRel,
): string | undefined {
  const wrong = pairs.find(([a, b]) => m.related(rel, a, b) === m.related(rel, b, a));
  return wrong && `${name} does not order ${events[wrong[0]].id} and ${events[wrong[1]].id}`;
}

function wrongRanks(
  { name, counted }: Guessed,
  events: readonly Event[],
  relations: ReadonlyMap<string, BitRel>,
): string | undefined {
  const rel = relations.get(name)!;
  const rank = ({ events: list, by }: CountedEvents, event: number): number =>
    by === undefined
      ? list.indexOf(event)
      : list.filter((other) => m.related(relations.get(by)!, other, event)).length;
  for (const { from, to } of counted) {
    for (const of of to.events) {
      const source = from.events.find((one) => m.related(rel, one, of));
      if (source === undefined || rank(from, source) !== rank(to, of))
        return `${name} gives ${events[of].id} a source of another rank`;
    }
  }
  return undefined;
}

function wrongSources(
  { name, choices }: Guessed,
  events: readonly Event[],
  rel: BitRel,
): string | undefined {
  for (const { of, sources } of choices) {
    const chosen = sources.filter((source) => m.related(rel, source, of));
    if (chosen.length !== 1) return `${name} gives ${events[of].id} ${chosen.length} sources`;
  }
  return undefined;
}

type Performs = (events: readonly Event[], run: WitnessMeaning) => string | undefined;

/** Replays are the same under all models. */
const replays = new WeakMap<EventStructure, Performs>();

/** Checks the executed events by replaying each thread's program; says what is wrong. */
function performance(structure: EventStructure): Performs {
  const { program, registers, bound, prefixes = false, waits } = structure;
  const reads = new Map<EventId, ValueId>();
  structure.values.forEach((v, id) => {
    if (v.op === 'read') reads.set(v.event, id);
  });
  const ofThreads = program.threads.map((thread) =>
    memo((actions: readonly PerformedEvent[], final: readonly (number | undefined)[] | undefined) =>
      replay(program, thread, actions, final, bound),
    ),
  );
  return (events, run) => {
    const numberOf = (id: ValueId | undefined) => (id === undefined ? undefined : run.value(id));
    const actions = program.threads.map((): PerformedEvent[] => []);
    // An event's identity determines everything but its numbers.
    const keys = program.threads.map((): (number | undefined)[] => []);
    for (const e of events) {
      if (e.thread === INITIAL || e.mark !== undefined) continue;
      const numbers = { reads: numberOf(reads.get(e.id)), writes: numberOf(e.value) };
      actions[e.thread].push(actionOf(e, numbers));
      keys[e.thread].push(e.id, numbers.reads, numbers.writes);
    }
    for (const [t, { name }] of program.threads.entries()) {
      // A thread that may stop has no final registers.
      const final = prefixes || waits !== undefined ? undefined : registers[t].map(run.value);
      if (ofThreads[t](`${keys[t].join()};${final?.join()}`, actions[t], final)) continue;
      return `no path of ${name} performs these events and ends with these registers`;
    }
    return undefined;
  };
}

function actionOf(
  { label, location, node, queuePair, work }: Event,
  { reads, writes }: { readonly reads: number | undefined; readonly writes: number | undefined },
): PerformedEvent {
  return { label, location, node, queuePair, work, reads, writes };
}
