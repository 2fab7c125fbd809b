import { reachableCut } from '../../check/completeness.js';
import type { Answer } from '../../check/result.js';
import type { CheckSession, Search } from '../../check/session.js';
import { openSession } from '../../check/session.js';
import { assumedBy } from '../../check/unknowns.js';
import type { Verified } from '../../check/witness/verify.js';
import { verifyWitness } from '../../check/witness/verify.js';
import type { Witness } from '../../check/witness/witness.js';
import type { Lit } from '../../encode/formula.js';
import { finalState } from '../../program/final.js';
import type { Program, Test } from '../../program/program.js';
import { stateQuery } from '../../program/program.js';
import { allSubjects, observedSubjects } from '../../program/subjects.js';
import type { Circumstances } from '../circumstances.js';

export interface AnotherInput {
  /** The test in the instructions of the model. */
  readonly test: Test;
  /** Index of the query, which is about final states. */
  readonly query: number;
  /** What was answered: allowed, or fails, with an execution. */
  readonly answer: Answer;
  /** How many executions after that one were seen already. */
  readonly seen: number;
}

export type Another =
  | {
      readonly kind: 'found';
      readonly answer: Answer;
      /** Whether one that was seen ends in the same values of all registers and locations. */
      readonly endsAsBefore: boolean;
    }
  /** All were seen; of runs whose loops end within `upTo` iterations, if there are others. */
  | { readonly kind: 'none'; readonly upTo?: number }
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Another execution that shows the same answer: something reads from another write, or writes come in another order, or
 * threads choose otherwise. Those that were seen before are found again, in the same order.
 *
 * Runs in a worker: `pool.analyse` with the analysis `another`.
 */
export function another(input: AnotherInput, circumstances: Circumstances): Another {
  const { test, query, answer, seen } = input;
  const { models, newSolver, acyclicity, bound } = circumstances;
  const [model] = models;
  const session = openSession(test.program, model, newSolver, { acyclicity, bound });
  if ('reason' in session) return { kind: 'unknown', reason: session.reason };
  try {
    const { encoding, structure } = session;
    const { condition, quantifier } = stateQuery(test, query);
    const holds = encoding.condition(condition);
    const wanted = quantifier === 'forall' ? -holds : holds;
    const first = verifyWitness(structure, model, answer.witness!);
    if ('wrong' in first) return { kind: 'unknown', reason: first.wrong };
    const ends = [valuesIn(first, test.program)];
    let last: Witness = answer.witness!;
    for (let count = 0; ; count += 1) {
      encoding.formula.assert(...otherwise(session, last));
      const found = session.find(wanted);
      if (found.kind === 'unknown') return found;
      if (found.kind === 'none') {
        const upTo = reachableCut(structure, newSolver)?.bound;
        return { kind: 'none', ...(upTo !== undefined && { upTo }) };
      }
      const end = valuesIn(found.verified, test.program);
      if (count === seen) {
        const endsAsBefore = ends.includes(end);
        return { kind: 'found', answer: answerOf(test, answer, found), endsAsBefore };
      }
      ends.push(end);
      last = found.witness;
    }
  } finally {
    session.solver.dispose();
  }
}

/** A clause that is true of every execution that can be told from this one: guesses of the model are not seen. */
function otherwise({ encoding, structure }: CheckSession, witness: Witness): readonly Lit[] {
  const { values, base } = encoding;
  const reads = new Map(witness.reads);
  return [
    ...witness.choices.map((c, i) => (c === 1 ? values.choices[i] : -values.choices[i])),
    ...witness.rf.map(([a, b]) => base.base('rf', a, b)),
    ...witness.mo.map(([a, b]) => base.base('mo', a, b)),
    ...structure.values.flatMap((v, id) => {
      const number = v.op === 'read' ? reads.get(v.event) : undefined;
      return number === undefined ? [] : [values.is(id, number)];
    }),
  ].map((lit) => -lit);
}

/** The final values of all registers and locations, to be compared. */
const valuesIn = ({ run }: Verified, program: Program): string =>
  allSubjects(program)
    .map((subject) => run.final(subject))
    .join();

function answerOf(
  test: Test,
  { query, verdict, milliseconds }: Answer,
  { verified, witness }: Extract<Search, { kind: 'found' }>,
): Answer {
  return {
    ...{ query, verdict, milliseconds, witness },
    state: finalState(test.program, observedSubjects(test), verified.run.final),
    ...assumedBy(verified.run),
    flags: verified.judgement.flags.map(({ name }) => name),
  };
}
