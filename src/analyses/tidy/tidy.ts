import type { Span } from '../../parse/diagnostics/index.js';
import type { Model } from '../../model/term.js';
import { printInstruction, printTest } from '../../program/print.js';
import type { Instruction, Program, Test } from '../../program/program.js';
import { workPolled } from '../../rdma/polled-work.js';
import { prepare } from '../../rdma/prepare.js';
import type { Candidate, CandidatePart } from './candidates.js';
import { candidatesOf, leavesEnough } from './candidates.js';
import { together } from './together.js';
import type { TidyOptions, Under } from './trial.js';
import { Trial, programWithout } from './trial.js';
import type { Viewer } from './view.js';
import { reasonOf } from './view.js';

/** What of a program is there for nothing. */
export interface Tidied {
  /** The models that were asked: all under which the program has a meaning, or else all. */
  readonly models: readonly string[];
  /** The others, and why it has none there. */
  readonly without: readonly { readonly model: string; readonly reason: string }[];
  readonly judged: readonly Judged[];
  /** Those that are needless and can all go at once, by their index. */
  readonly together: readonly number[];
  /** Whether it is known that no more of them can go at once. */
  readonly most: boolean;
  /** The test without them, as a litmus file; none where nothing goes. */
  readonly litmus?: string;
}

/** One thing that may be there for nothing. It is needed if it is so under one of the models. */
export interface Judged extends Pick<Candidate, 'isLast'> {
  readonly parts: readonly PrintedPart[];
  readonly verdict: 'needless' | 'needed' | 'unknown';
  /** What is different without it, by model. */
  readonly under: readonly Under[];
  /** If it is needless: what is different of what the queries do not see; undefined if nothing is. */
  readonly besides?: Under;
}

/** An instruction of a thread, as litmus text, with the polls and waits that go with it. */
export interface PrintedPart extends PrintedPlace {
  readonly thread: string;
  /** Of a poll, the work whose completion it takes, if that is known. */
  readonly of?: PrintedPlace;
  readonly also: readonly PrintedPlace[];
}

export interface PrintedPlace {
  readonly text: string;
  readonly span: Span;
}

/**
 * What of a program is there for nothing: polls and fences, and reads whose data nobody uses, without which all that has to
 * stay stays under each of the models. Each is tried by itself, then those that are needless at once.
 */
export async function tidy(
  pool: Viewer,
  test: Test,
  models: readonly Model[],
  options: TidyOptions,
): Promise<Tidied> {
  const { program } = test;
  const candidates = candidatesOf(test);
  const { asked, without } = meaningful(program, models, options);
  const trial = new Trial(pool, test, asked, options);
  const judged = await Promise.all(
    candidates.map(async (one): Promise<Judged> => {
      const under = await trial.seen([one]);
      const verdict = verdictOf(under);
      const besides = verdict === 'needless' ? await trial.besides(one) : undefined;
      const parts = one.parts.map((part) => printPart(program, part));
      return { parts, isLast: one.isLast, verdict, under, ...(besides && { besides }) };
    }),
  );
  const needless = candidates.filter((_, i) => judged[i].verdict === 'needless');
  let isSure = true;
  const { chosen, most } = await together(needless.length, async (some) => {
    const those = some.map((i) => needless[i]);
    if (!leavesEnough(program, those)) return false;
    const verdict = verdictOf(await trial.seen(those));
    isSure &&= verdict !== 'unknown';
    return verdict === 'needless';
  });
  const gone = chosen.map((i) => needless[i]);
  return {
    models: asked.map(({ name }) => name),
    without,
    judged,
    together: gone.map((one) => candidates.indexOf(one)),
    most: most && isSure,
    ...(gone.length > 0 && { litmus: printRest(test, gone) }),
  };
}

/** A program need not have a meaning under each model. Where it has none under any, all are asked and say why. */
function meaningful(
  program: Program,
  models: readonly Model[],
  { engine }: TidyOptions,
): Pick<Tidied, 'without'> & { readonly asked: readonly Model[] } {
  const without = models.flatMap((model) => {
    const prepared = prepare(program, model, engine);
    return prepared.ok ? [] : [{ model: model.name, reason: reasonOf(prepared.errors) }];
  });
  if (without.length === models.length) return { asked: models, without: [] };
  const isAsked = ({ name }: Model): boolean => !without.some(({ model }) => model === name);
  return { asked: models.filter(isAsked), without };
}

/** The test without what goes, and without what its head says of the program as it was. */
function printRest(test: Test, gone: readonly Candidate[]): string {
  const program = programWithout(test.program, gone);
  const said = { source: undefined, question: undefined, notes: [] };
  // Without queries, each location is looked at.
  const tidyFrom = test.queries.length === 0 ? undefined : 0;
  return printTest({ ...test, ...said, program }, { tidyFrom });
}

function verdictOf(under: readonly Under[]): Judged['verdict'] {
  if (under.some(({ kind }) => kind === 'differs')) return 'needed';
  return under.some(({ kind }) => kind === 'unknown') ? 'unknown' : 'needless';
}

function printPart(
  program: Program,
  { thread: index, instruction, also }: CandidatePart,
): PrintedPart {
  const thread = program.threads[index];
  const print = (i: Instruction): PrintedPlace => ({
    text: printInstruction(program, thread, i),
    span: i.span,
  });
  const of = workPolled(program, thread.body).get(instruction);
  return {
    thread: thread.name,
    ...print(instruction),
    ...(of && { of: print(of) }),
    also: also.map(print),
  };
}
