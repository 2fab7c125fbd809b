import type { Slot } from '../../machine/compute.js';
import { LARGEST_VALUE } from '../../machine/layout.js';
import type { Machine } from '../../machine/machine.js';
import type { Model } from '../../model/term.js';
import type { SourceFile } from '../../parse/diagnostics/index.js';
import { position } from '../../parse/diagnostics/index.js';
import { showQuery } from '../../program/print.js';
import type { RunQuery, Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import type { RunLimits } from '../answer.js';
import { DEFAULT_ROOM, limitsOf } from '../answer.js';
import { askedAlways } from '../asked.js';
import { machineOf, noMachineFor } from '../prepare.js';
import { subjectsOfRuns } from '../safety.js';
import { explore } from '../search.js';
import { LinkStates } from './links.js';
import { questionsOf, withInsides } from './questions.js';
import { withConstants, withoutDead } from './simplify.js';
import type { GuardedStep, ThreadSteps } from './steps.js';
import { mapSteps, stepsOf } from './steps.js';
import { LARGEST_INT, comment, largestIn } from './syntax.js';
import type { Printed } from './text.js';
import { promelaText } from './text.js';

/** Can SPIN be asked a query? That something is put off for ever under fairness, it does not know as Remora does. */
export const isForSpin = (query: Test['queries'][number]): query is RunQuery =>
  !isStateQuery(query) && query.quantifier !== 'progress';

/**
 * A program on the machine that a model is, as a Promela model in which SPIN finds out whether queries about runs hold. An exploration that reduces nothing tells which
 * controls each thread comes to; values, memory and interleavings are for SPIN. Where it would leave what was explored, it finds a violated assertion.
 *
 * @param queries indices of queries, for each of which `isForSpin` is true
 * @returns the model, or why there is none
 */
export function runsInPromela(
  test: Test,
  model: Model,
  queries: readonly number[],
  source: SourceFile,
  limits: RunLimits & { readonly note?: string },
): { readonly text: string } | { readonly reason: string } {
  const { room = DEFAULT_ROOM } = limits;
  const asked = queries.map((q) => test.queries[q]).filter(isForSpin);
  const machine = machineOf(test.program, model, {
    ...askedAlways(subjectsOfRuns(asked)),
    ...{ waits: [], room, reduces: false, resting: asked.some(isAboutEnds) },
  });
  if ('message' in machine) return { reason: noMachineFor(machine) };
  if (machine.remembersOrder) {
    return {
      reason:
        'the machine remembers in which order steps were taken, which no Promela is written for yet',
    };
  }
  const explored = explore(machine, {}, false, limitsOf(limits));
  if (explored.incomplete !== undefined) return { reason: explored.incomplete };
  const header = [
    `${test.name}${test.title === undefined ? '' : `: ${test.title}`}`,
    `file ${test.file}, model ${model.name}`,
    ...(limits.note === undefined ? [] : [limits.note]),
    '',
    ...howTo(test.name, asked, explored.states),
    ...fullLines(machine, room),
    '',
    ...LEGEND,
  ];
  if (!machine.reset()) {
    const body = 'init { skip } /* there is no run: an assumption fails before the first step */';
    return { text: [...header.map(comment), '', body, ''].join('\n') };
  }
  const printed = printedOf(machine, asked, source);
  const large = printed.threads.flatMap(({ steps }, t) =>
    [...steps].flatMap(([{ place }, all]) =>
      all.some(isTooLarge) ? [printed.placeText(t, place)] : [],
    ),
  );
  if (large.length > 0) {
    const [place] = large;
    return {
      reason: `SPIN has no numbers beyond ${LARGEST_INT}, and the step at ${place} may need them`,
    };
  }
  return { text: [...header.map(comment), '', ...promelaText(printed), ''].join('\n') };
}

/** May SPIN compute other numbers than Remora, whose integers are larger? */
const isTooLarge = ({ guard, actions }: GuardedStep): boolean =>
  [guard, ...actions.map(({ value }) => value)].some(
    (e) => largestIn(e, LARGEST_VALUE) > LARGEST_INT,
  );

const isAboutEnds = ({ quantifier }: RunQuery): boolean => quantifier === 'deadlock';

/** What is printed of a machine that is in its first state, after an exploration. */
function printedOf(machine: Machine, asked: readonly RunQuery[], source: SourceFile): Printed {
  const { layout, failed } = machine;
  const { flows } = layout.calls;
  const first = machine.s.slice();
  const questions = questionsOf(machine, asked);
  const { insides, slots } = questions;
  const asserts = asked.some(({ quantifier }) => quantifier === 'assertions');
  const links = new LinkStates(machine);
  const all = stepsOf(machine, first, links).map((thread) =>
    asserts ? thread : withoutAssertions(thread),
  );
  const value = (slot: Slot): number => {
    const inside = insides.find((one) => one.slot === slot);
    if (slot < layout.program.threads.length) return links.numberOf(machine.controlOf(first, slot));
    if (inside === undefined) return first[slot];
    return Number(inside.is(machine.controlOf(first, inside.thread)));
  };
  const threads = withoutDead(withConstants(withInsides(all, insides), value), slots);
  return {
    ...{ machine, threads, questions, start: value, failed: failed && asserts },
    resting: asked.some(isAboutEnds),
    placeText(t, place) {
      const step = flows[t].steps.at(place);
      if (place >= flows[t].steps.length || step === undefined) return 'the end';
      const { line, column } = position(source.text, step.span.start);
      const [text] = source.text.slice(step.span.start, step.span.end).split('\n');
      return `${line}:${column} ${text}`;
    },
  };
}

const withoutAssertions = (thread: ThreadSteps): ThreadSteps =>
  mapSteps(thread, (steps) =>
    steps.map((step) => ({
      ...step,
      actions: step.actions.filter(({ kind }) => kind !== 'assert'),
    })),
  );

/** What SPIN is asked, and how. */
function howTo(name: string, asked: readonly RunQuery[], states: number): readonly string[] {
  const ends = asked.some(isAboutEnds);
  return [
    'SPIN finds a violated assertion exactly if one of these fails:',
    ...asked.filter((query) => !isAboutEnds(query)).map((query) => `  ${showQuery(query)}`),
    ...(ends ? DEADLOCKS : []),
    `  spin -a ${name}.pml && gcc -DSAFETY -o pan pan.c && ./pan ${ends ? '' : '-E '}-m1000000`,
    `Remora has gone through ${states} states of this, without reductions.`,
  ];
}

const DEADLOCKS = [
  'and an invalid end state where all threads that are not at rest are stuck. (That they go round for ever and get nowhere',
  'is a deadlock for Remora, too, but no invalid end state.)',
];

const fullLines = ({ full }: Machine, room: number): readonly string[] =>
  full.size === 0
    ? []
    : [`No more than ${room} are unfinished at a time of ${[...full].sort().join(', ')}.`];

const LEGEND = [
  'Each label is a place of a thread with the calls that it has begun and not finished, in some stage. Its steps are',
  'those of the machine that the model file is: the thread goes on, or an event of a call is issued or observed. Where a',
  'run would leave what Remora has explored, `beyond` is set, and an assertion is violated.',
];
