import type { Answer } from '../../check/result.js';
import { decide } from '../../check/decide.js';
import { unrollingFor } from '../../check/structure.js';
import type { EventStructure } from '../../program/events/structure.js';
import { unroll } from '../../program/events/unroll.js';
import type { Model } from '../../model/term.js';
import { modelFor } from '../../program/occasions.js';
import { timelineOfExecution } from '../timeline/from-execution.js';
import { timelineOfRun } from '../timeline/from-run.js';
import type { Timeline } from '../timeline/timeline.js';
import { findFinalRun } from '../../explore/final-run.js';
import { ofPrograms } from '../../explore/finals.js';
import { findWholeRun } from '../../explore/whole/final-run.js';
import { isOutOfOrder, readLayers } from '../../machine/layers.js';
import type { Program, Subject, Test } from '../../program/program.js';
import { allSubjects } from '../../program/subjects.js';
import { showQuery } from '../../program/print.js';

import { holds } from '../../check/witness/witness.js';
import type { Verified } from '../../check/witness/verify.js';
import { verifyWitness } from '../../check/witness/verify.js';
import type { Circumstances } from '../circumstances.js';
import { candidatesOf } from './candidates.js';
import type { ExplainedModel } from './compare.js';
import { INTERNAL, comparisonsOf } from './compare.js';
import { coresOf } from './cores.js';
import type { Admitted, Explanation, ModelExplanation, Order, Refuted } from './explanation.js';
import type { Showing } from './graph.js';
import { graphOf } from './graph.js';
import { orderInWords, orderOf } from './order.js';
import { proofOf } from './proof.js';
import { explainRuns } from './runs.js';
import { shownRelations } from './shown-relations.js';
import { oneOfEachShape } from './ways.js';
import { isStateQuery, stateQuery } from '../../program/program.js';

/** What is to be explained. */
export interface ExplainInput {
  /** The test as written. */
  readonly test: Test;
  /** Its program as it is for each model, in the order of the models (see `adapt`). */
  readonly programs: readonly Program[];
  /** What was translated for each model. */
  readonly notes: readonly (string | undefined)[];
  /** Index of the query. */
  readonly query: number;
  /** Names of relations to show, in the place of those that the models choose. */
  readonly shown?: readonly string[];
  /** Whether executions are shown in space and time, too. */
  readonly timelines?: boolean;
  /**
   * What was answered before, in the order of the models. It is not decided again: a witness is verified here, and of a no,
   * each candidate is shown to break an axiom.
   */
  readonly answers?: readonly (Answer | undefined)[];
  /** Whether steps are told of the very execution that was answered: a run of the machine to its final state may be another one. */
  readonly exactly?: boolean;
}

const LATE = 'time limit reached';

/** The search for a run gives up after so many states. Then the events of the execution are told instead. */
const STATES = 10_000;

/**
 * Explains the answer to one query under each model, and compares models that disagree. If there is no time for something,
 * it is left out, and the explanation says so.
 *
 * Runs in a worker: `pool.analyse` with the analysis `explain`.
 */
export function explain(input: ExplainInput, circumstances: Circumstances): Explanation {
  const { test, query } = input;
  const subjects = circumstances.models.map((_, i) => explainUnder(input, i, circumstances));
  return {
    file: test.file,
    test: test.name,
    query,
    question: showQuery(test.queries[query]),
    models: subjects.map((s) => s.explanation),
    comparisons: comparisonsOf(subjects),
  };
}

function explainUnder(
  { test: written, programs, notes, query, shown, timelines, answers = [], exactly }: ExplainInput,
  index: number,
  circumstances: Circumstances,
): ExplainedModel {
  const test = { ...written, program: programs[index] };
  // Explanations say nothing of what the program does not have.
  const model = modelFor(test.program, circumstances.models[index]);
  const note = notes[index];
  const showing: Showing = {
    shown: shownRelations(model, shown),
    asked: shown !== undefined,
    source: written.program,
    timelines,
    exactly,
  };
  const subject = { model, test, showing };
  if (!isStateQuery(test.queries[query])) {
    const explained = explainRuns(test, query, model, timelines === true, circumstances);
    return { ...subject, explanation: { ...explained, note } };
  }
  const answer = answers[index] ?? answerTo(test, query, model, circumstances);
  const { verdict, reason, upTo, flags, assuming } = answer;
  const head: ModelExplanation = {
    ...{ model: model.name, note, verdict, flags, reason, upTo },
    ...(assuming && { assuming }),
  };
  if (verdict === 'unknown' || verdict === 'vacuous') return { ...subject, explanation: head };
  try {
    return explainAnswer(subject, query, answer, head, circumstances);
  } catch (error) {
    // This is a bug in the explanation, or in what it uses. The verdict is still given, with a message about the bug.
    const message = error instanceof Error ? error.message : String(error);
    return { ...subject, explanation: { ...head, unfinished: `${INTERNAL}: ${message}` } };
  }
}

function answerTo(
  test: Test,
  query: number,
  model: Model,
  { newSolver, acyclicity, bound }: Circumstances,
): Answer {
  const decided: Answer[] = [];
  const options = { acyclicity, bound, queries: [query] };
  decide(test, model, newSolver, options, (answer) => decided.push(answer));
  return decided[0];
}

/**
 * Shows the execution of an answer, or why there is none.
 *
 * @param head what there is to say of the model besides
 * @throws Error where the execution is none of the model: a bug
 */
function explainAnswer(
  subject: Pick<ExplainedModel, 'model' | 'test' | 'showing'>,
  query: number,
  { witness, state }: Answer,
  head: ModelExplanation,
  circumstances: Circumstances,
): ExplainedModel {
  const { model, test, showing } = subject;
  if (witness === undefined || state === undefined) {
    const { refuted, unfinished } = refute(test, query, model, showing, circumstances);
    return { ...subject, explanation: { ...head, refuted, unfinished } };
  }
  const structure = unrolled(test, model, circumstances.bound);
  const verified = verifyWitness(structure, model, witness);
  if ('wrong' in verified) throw new Error(verified.wrong);
  const graph = graphOf(structure, verified, showing);
  const { order, timeline, trouble } = orderIn(structure, subject, query, verified, circumstances);
  const admitted: Admitted = { state, graph, order, timeline };
  const explanation = { ...head, admitted, unfinished: trouble };
  return { ...subject, explanation, admitted: { structure, verified } };
}

/** The events that the verdict was about. */
const unrolled = ({ program }: Test, model: Model, bound?: number): EventStructure =>
  unroll(program, bound, unrollingFor(program, model));

/**
 * The steps of an execution. If the model has a machine, they are those of a run of the machine to the same final state. This
 * also checks that the machine can reach what the model allows.
 */
function orderIn(
  structure: EventStructure,
  { model, test, showing }: Pick<ExplainedModel, 'model' | 'test' | 'showing'>,
  query: number,
  verified: Verified,
  { bound, deadline }: Circumstances,
): {
  readonly order?: Order | undefined;
  readonly timeline?: Timeline | undefined;
  readonly trouble?: string;
} {
  const byEvents = () => {
    const execution = { structure, verified, source: showing.source };
    const found = orderOf(execution, model);
    if (found === undefined) return {};
    const timeline =
      showing.timelines === true
        ? timelineOfExecution(execution, found.happenings, found.told)
        : undefined;
    return { order: orderInWords(found), timeline };
  };
  const isWhole = isOutOfOrder(model);
  if (showing.exactly === true || (!isWhole && 'message' in readLayers(model))) return byEvents();
  if (performance.now() > deadline) return { trouble: LATE };
  const { program } = test;
  const { condition, quantifier } = stateQuery(test, query);
  const subjects = allSubjects(program);
  const options = { ...ofPrograms(program, { bound }), subjects, deadline, states: STATES };
  const isWanted = (final: (subject: Subject) => number): boolean =>
    holds(condition, final) === (quantifier !== 'forall') &&
    subjects.every((subject) => final(subject) === verified.run.final(subject));
  const search = isWhole
    ? findWholeRun(program, model, isWanted, options)
    : findFinalRun(program, model, isWanted, options);
  switch (search.kind) {
    case 'found': {
      if ('lines' in search)
        return { order: { kind: 'run', steps: search.lines }, timeline: byEvents().timeline };
      const { steps } = search;
      const timeline = showing.timelines === true ? timelineOfRun(program, steps) : undefined;
      return { order: { kind: 'run', steps: steps.map(({ text }) => text) }, timeline };
    }
    case 'unknown': {
      const { order, timeline } = byEvents();
      return { order: order && { ...order, instead: search.reason }, timeline };
    }
    case 'wrong':
      return { ...byEvents(), trouble: search.reason };
    case 'none': {
      const what = `${model.name} admits a final state that its machine does not reach`;
      return { ...byEvents(), trouble: `${INTERNAL}: ${what}` };
    }
  }
}

/** Why no execution satisfies a query. */
function refute(
  test: Test,
  query: number,
  model: Model,
  showing: Showing,
  { newSolver, acyclicity, bound, deadline }: Circumstances,
): { readonly refuted: Refuted; readonly unfinished?: string } {
  const axioms = model.axioms.filter((a) => !a.flag);
  const options = { acyclicity, bound };
  const candidates = candidatesOf(test.program, stateQuery(test, query), model, newSolver, options);
  try {
    const cores = coresOf(axioms.length, (positions) => {
      if (performance.now() > deadline) return LATE;
      const found = candidates.find(positions.map((i) => axioms[i]));
      return found.kind === 'unknown' ? found.reason : found.kind === 'found';
    });
    if ('reason' in cores) {
      return { refuted: { cores: [], allCores: false }, unfinished: cores.reason };
    }
    const named = {
      cores: cores.cores.map((core) => core.map((i) => axioms[i].name)),
      allCores: cores.all,
    };
    // An empty core: no execution satisfies the query, even without axioms. So there are no candidates.
    if (cores.cores.some((core) => core.length === 0)) return { refuted: named };
    const ways = oneOfEachShape(
      test,
      unrolled(test, model, bound),
      proofOf(model, candidates, deadline),
      showing,
    );
    return { refuted: { ...named, ways } };
  } finally {
    candidates.dispose();
  }
}
