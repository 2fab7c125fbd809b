import { computeBounds } from '../encode/bounds/bounds.js';
import { encode } from '../encode/encode.js';
import { guessesIn } from '../program/events/guesses.js';
import { modelOver } from '../program/events/narrow.js';
import type { EventStructure } from '../program/events/structure.js';
import type { Axiom, Model } from '../model/term.js';
import { neverEnds } from '../program/never-ends.js';
import { idle } from '../program/partners.js';
import { instructionsOf } from '../program/instructions.js';
import type { Program } from '../program/program.js';
import { inverse, successors } from '../model/relation/matrix.js';
import type { SolverFactory } from '../solve/solver.js';
import { brokenByEveryRun } from './every-run.js';

/** The verdict if there is no consistent execution within the loop bound. */
export interface Emptiness {
  readonly verdict: 'vacuous' | 'unknown';
  readonly reason: string;
}

/**
 * The verdict on a program without any consistent execution within the loop bound: vacuous only if
 * there is none at all, however often loops run.
 *
 * @param upTo the bound, if some run may get beyond it
 */
export function emptinessOf(
  structure: EventStructure,
  model: Model,
  newSolver: SolverFactory,
  upTo: number | undefined,
): Emptiness {
  if (upTo === undefined) {
    const reason = neverEnds(structure.program) ?? causeOfVacuity(structure, model, newSolver);
    return { verdict: 'vacuous', reason };
  }
  // Threads that may stop anywhere need not end.
  return structure.prefixes === true
    ? { verdict: 'unknown', reason: noneWithin(structure.program, upTo) }
    : beyondBound(structure.program, upTo, model);
}

/** The same if some run may get beyond the bound. Without a model, only the program is judged. */
export function beyondBound(program: Program, upTo: number, model?: Model): Emptiness {
  const never = neverEnds(program) ?? (model && ruledOut(program, model));
  if (never !== undefined) return { verdict: 'vacuous', reason: never };
  return { verdict: 'unknown', reason: noneWithin(program, upTo) };
}

function noneWithin({ threads }: Program, upTo: number): string {
  const all = threads.flatMap(({ body }) => [...instructionsOf(body)]);
  const isOwn = all.some((i) => i.kind === 'loop' && i.bound === upTo);
  const mend = isOwn ? '`bound` at the loop can be larger' : '--bound takes a larger one';
  return `no run ends within the loop bound of ${upTo}: ${mend}`;
}

/** Why a program probably has no consistent execution under a model, in words. */
function causeOfVacuity(structure: EventStructure, model: Model, newSolver: SolverFactory): string {
  const satisfiable = (under: Model | undefined): boolean => {
    const result = computeBounds(structure, under);
    if (!result.ok) return true;
    const solver = newSolver();
    try {
      encode(structure, result.bounds, under, (clause) => solver.addClause(clause));
      return solver.check([]).kind !== 'unsat';
    } finally {
      solver.dispose();
    }
  };
  if (!satisfiable(undefined)) return causeInProgram(structure);
  const alone = model.axioms.find(
    (axiom) => !axiom.flag && !satisfiable({ ...model, axioms: [axiom] }),
  );
  if (alone !== undefined) return rulesOut(alone, model);
  // An axiom about operations that the program does not call says nothing of it.
  const { axioms, terms } = modelOver(structure, model);
  const names = axioms
    .filter(({ flag, term }) => !flag && terms[term].op !== 'empty')
    .map(({ name }) => name);
  return `the axioms ${names.join(', ')} of ${model.name} together rule out every execution`;
}

function ruledOut(program: Program, model: Model): string | undefined {
  const axiom = brokenByEveryRun(program, model);
  return axiom && rulesOut(axiom, model);
}

const rulesOut = (axiom: Axiom, model: Model): string =>
  `axiom '${axiom.name}' of ${model.name} rules out every execution`;

function causeInProgram(structure: EventStructure): string {
  const result = computeBounds(structure, undefined);
  const { labels } = structure.program.instructions;
  const ranked = guessesIn(structure).flatMap((guess) =>
    guess.ranked.flatMap(({ to }) => to.map((id) => ({ guess, id }))),
  );
  if (result.ok) {
    for (const { guess, id } of ranked) {
      const partners = inverse(result.bounds.base.relations.get(guess.name)!.may);
      if (successors(partners, id).length > 0) continue;
      const { thread, node = '', queuePair: name, label } = structure.events[id];
      const does = labels.find((one) => one.name === label)?.words ?? 'asks';
      return idle(structure.program, structure.program.threads[thread], does, { node, name });
    }
  }
  const causes = ['an `assume` or a CAS that no run satisfies'];
  if (structure.shortened === true) causes.push('a loop that no run leaves');
  if (ranked.length > 0) causes.push('a poll with nothing to poll');
  return `no path of the program can be executed: ${causes.join(', or ')}`;
}
