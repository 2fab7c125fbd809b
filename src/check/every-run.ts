import { FIXED_RELATIONS, baseSets } from '../program/events/relations.js';
import { unroll } from '../program/events/unroll.js';
import { operationsOf } from '../model/instructions/operations.js';
import type { Body } from '../model/instructions/set.js';
import { anywhere } from '../model/operators/leaving.js';
import { sharesOf } from '../model/shares.js';
import type { Axiom, Model } from '../model/term.js';
import type { Instruction, Program } from '../program/program.js';
import { evaluate } from '../model/relation/concrete.js';
import { fixedRelations } from '../program/events/fixed.js';

/** Does an instruction make the same events whatever is read? */
function isPlain(i: Instruction, program: Program): boolean {
  if (i.kind !== 'call') return i.kind === 'assign';
  const operation = operationsOf(program.instructions).called(i);
  return operation.alternatives.length === 1 && !branches(operation.alternatives[0].body);
}

const branches = (body: Body): boolean =>
  body.kind === 'if' ||
  ('parts' in body ? body.parts : 'body' in body ? [body.body] : []).some(branches);

/**
 * An axiom that every complete run of a program breaks, however often loops run. Only the events outside of branches
 * and loops are used, which are in every run, and the relations that they fix. Undefined if no such axiom is known.
 */
export function brokenByEveryRun(program: Program, model: Model): Axiom | undefined {
  const judged = tellingAxioms(model);
  if (judged.length === 0) return undefined;
  const threads = program.threads.map((thread) => ({
    ...thread,
    body: thread.body.filter((i) => isPlain(i, program)),
  }));
  const { events } = unroll({ ...program, threads });
  const fixed = fixedRelations(events);
  const names = model.bases.filter((name) => FIXED_RELATIONS.has(name));
  const relations = new Map(names.map((name) => [name, fixed(name)]));
  const sets = { get: baseSets(events, program.instructions) };
  const execution = { size: events.length, sets, relations };
  const { axioms } = evaluate({ ...model, axioms: judged }, execution);
  return axioms.find(({ holds }) => !holds)?.axiom;
}

/** The axioms that a run breaks if some of its events break them, whatever the run chooses. */
function tellingAxioms(model: Model): readonly Axiom[] {
  const left = sharesOf(model, ({ kind, name }) =>
    anywhere(kind === 'set' || name === 'id' || FIXED_RELATIONS.has(name) ? 'same' : 'unknown'),
  );
  return model.axioms.filter(
    ({ term, negated, flag }) => !negated && !flag && left[term].share !== 'unknown',
  );
}
