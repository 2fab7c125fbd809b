import type { EventStructure } from '../../program/events/structure.js';
import { termNames } from '../../model/print.js';
import type { Model } from '../../model/term.js';
import type { Library } from '../../model/instructions/set.js';
import { operationsUsed } from '../../program/occasions.js';
import type { Program, Test } from '../../program/program.js';
import { evaluate } from '../../model/relation/concrete.js';
import { plus, related } from '../../model/relation/matrix.js';
import type { Verified } from '../../check/witness/verify.js';
import type { ModelComparison, Lack, ModelExplanation, AxiomViolation } from './explanation.js';
import type { Showing } from './graph.js';
import { graphOf } from './graph.js';
import { orderingAxiom } from './order.js';
import { edgesOf, violationsOf } from './violation.js';

/** One model, its part of the explanation, and what that was made from. */
export interface ExplainedModel {
  readonly model: Model;
  /** The test in the instructions of the model. */
  readonly test: Test;
  readonly showing: Showing;
  readonly explanation: ModelExplanation;
  /** The execution that it admits, if it admits one. */
  readonly admitted?: { readonly structure: EventStructure; readonly verified: Verified };
}

/** How messages about bugs begin. */
export const INTERNAL = 'internal error, please report it';

/**
 * Compares models that disagree about a query. Each model that rejects it judges an execution of a model that admits it: of
 * the first one for which the program has the same instructions.
 */
export function comparisonsOf(subjects: readonly ExplainedModel[]): readonly ModelComparison[] {
  const admitting = subjects.filter((s) => s.admitted !== undefined);
  const rejecting = subjects.filter((s) => s.explanation.refuted !== undefined);
  const [first] = admitting;
  if (first === undefined) return [];
  return rejecting.map((rejects): ModelComparison => {
    const admits = admitting.find((other) => sameProgram(other, rejects));
    if (admits !== undefined) return comparison(admits, rejects);
    const notes = [first, rejects].flatMap(({ explanation }) => explanation.note ?? []);
    const why = notes.length === 0 ? '' : `: ${notes.join('; ')}`;
    const incomparable = `their programs have different instructions${why}`;
    return { ...between(first, rejects), incomparable, violations: [] };
  });
}

/** Executions of two models can be compared only if the models have the same program: events are those of the program. */
const sameProgram = (a: ExplainedModel, b: ExplainedModel): boolean =>
  a.test.program === b.test.program || textOf(a.test.program) === textOf(b.test.program);

/** All of a program but for operations that it does not call, where its libraries are from and what they are called. */
function textOf(program: Program): string {
  const called = operationsUsed(program);
  const instructions = { ...program.instructions, operations: called };
  return JSON.stringify({ ...program, instructions }, (key, value: unknown) =>
    key === 'libraries' ? (value as readonly Library[]).map(unnamed) : value,
  );
}

const unnamed = (library: Library): object => ({ ...library, file: '', title: '' });

const between = (admits: ExplainedModel, rejects: ExplainedModel) => ({
  admits: admits.model.name,
  rejects: rejects.model.name,
});

function comparison(admits: ExplainedModel, rejects: ExplainedModel): ModelComparison {
  const { structure, verified } = admits.admitted!;
  const { model, showing } = rejects;
  try {
    const judgement = evaluate(model, verified.execution);
    const broken = violationsOf(model, verified, judgement);
    if (broken.length === 0) throw new Error(`${model.name} admits what it was said to forbid`);
    const violations = broken.map((b) => b.told());
    const highlight = edgesOf(violations[0].steps, showing);
    const graph = graphOf(structure, { ...verified, judgement }, showing, highlight);
    const lacks = lackOf(admits.model, verified, violations[0]);
    return { ...between(admits, rejects), graph, violations, lacks };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...between(admits, rejects), incomparable: `${INTERNAL}: ${message}`, violations: [] };
  }
}

/** The steps of a cycle that a model does not order. The model admits the execution; another one finds the cycle. */
function lackOf(
  model: Model,
  { events, judgement }: Verified,
  { kind, steps }: AxiomViolation,
): Lack | undefined {
  const axiom = orderingAxiom(model);
  if (axiom === undefined || kind !== 'cycle') return undefined;
  const order = plus(judgement.rel(axiom.term));
  const position = new Map(events.map((e, i) => [e.id, i]));
  const lacking = steps.filter(
    ({ from, to }) => from !== to && !related(order, position.get(from)!, position.get(to)!),
  );
  if (lacking.length === 0) return undefined;
  return {
    relation: termNames(model).text(axiom.term),
    steps: lacking.map(({ from, to }) => ({ from, to })),
  };
}
