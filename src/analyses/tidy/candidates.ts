import { groupBy } from '../../model/relation/groups.js';
import { locationsOf } from '../../program/accessed.js';
import { expressionsOf, instructionsOf } from '../../program/instructions.js';
import type { Instruction, Program, Test } from '../../program/program.js';
import { useOf } from '../../program/purpose.js';
import { withoutInstructions } from '../../program/without.js';
import { blockingPolls } from '../../rdma/blocking.js';
import { isUnknown, viewed } from '../../rdma/instructions.js';
import { doesSomething } from '../../rdma/offering.js';
import { workPolled } from '../../rdma/polled-work.js';
import { placesOf } from './places.js';
import { seenIn } from './seen.js';
import { setBy, unusedIn } from './unused.js';

/** Something at one place of the text that may be there for nothing. */
export interface Candidate {
  /** One for each thread that has this text, and each way through it. */
  readonly parts: readonly CandidatePart[];
  /** Whether it only orders, and nothing comes behind it in its threads that it could hold back. */
  readonly isLast: boolean;
}

export interface CandidatePart {
  readonly thread: number;
  readonly instruction: Instruction;
  /** What goes with it: the polls and waits for it. */
  readonly also: readonly Instruction[];
}

/** The instructions that go with some candidates. */
export const instructionsIn = (candidates: readonly Candidate[]): ReadonlySet<Instruction> =>
  new Set(
    candidates.flatMap(({ parts }) =>
      parts.flatMap(({ instruction, also }) => [instruction, ...also]),
    ),
  );

/**
 * What may be there for nothing, in the order of the text: what only orders, such as polls and fences, and what only reads, if
 * nobody uses what it finds. Nothing without which some poll might have nothing to poll.
 */
export function candidatesOf(test: Test): readonly Candidate[] {
  const { program } = test;
  const isUnused = unusedIn(program, seenIn(test).named);
  // One text may be in several threads, and be read in one of them only.
  const kept = new Set<string>();
  program.threads.forEach(({ body }, thread) => {
    for (const i of instructionsOf(body)) {
      if (!setBy(program, thread, i).every(isUnused)) kept.add(textOf(i));
    }
  });
  const isOne = (i: Instruction): boolean => mayGo(program, i) && !kept.has(textOf(i));
  const place = placesOf(program);
  const parts = program.threads.flatMap(({ body }, thread) =>
    [...instructionsOf(body)].filter(isOne).map((instruction): CandidatePart => {
      return { thread, instruction, also: waitingFor(program, thread, instruction) };
    }),
  );
  const found = groupBy(parts, ({ instruction }) => place.get(instruction));
  const all = [...found.values()].map((parts): Candidate => ({
    parts,
    isLast: parts.every((part) => isLast(program, part)),
  }));
  return all.filter((one) => leavesEnough(program, [one]));
}

/** Without some candidates, has each poll something to poll that has so now? */
export function leavesEnough(program: Program, candidates: readonly Candidate[]): boolean {
  const before = blockingPolls(program);
  const rest = withoutInstructions(program, instructionsIn(candidates));
  return [...blockingPolls(rest)].every((poll) => before.has(poll));
}

function mayGo({ instructions }: Program, i: Instruction): boolean {
  if (i.kind === 'assign') return expressionsOf(i).some((e) => locationsOf(e).length > 0);
  return i.kind === 'call' && (useOf(instructions, i).purpose !== 'more' || addsNothing(i));
}

function isLast(program: Program, { thread, instruction }: CandidatePart): boolean {
  const { body } = program.threads[thread];
  if (instruction.kind !== 'call') return false;
  if (useOf(program.instructions, instruction).purpose !== 'orders') return false;
  const all = [...instructionsOf(body)];
  const isAgain = all.some(
    (i) => i.kind === 'loop' && [...instructionsOf(i.body)].includes(instruction),
  );
  const later = all.slice(all.indexOf(instruction) + 1);
  const isMarked = [instruction, ...later].some(({ marks }) => marks !== undefined);
  return !isAgain && !isMarked && !later.some((i) => doesSomething(program, i));
}

/** What is done where. Instructions that C makes of one place have their ends apart. */
const textOf = (i: Instruction): string =>
  `${i.span.start} ${i.kind === 'call' ? i.operation : i.kind}`;

/** Is it a remote fetch-and-add of 0, as repairs add it? */
function addsNothing(i: Instruction): boolean {
  if (isUnknown(i)) return false;
  const view = viewed(i);
  if (view.kind !== 'remote-atomic' || view.update.kind !== 'faa') return false;
  const { value } = view.update;
  return value.kind === 'int' && value.value === 0;
}

/** The polls and waits that are for an operation. */
function waitingFor(program: Program, thread: number, i: Instruction): readonly Instruction[] {
  if (i.kind !== 'call') return [];
  const { body } = program.threads[thread];
  const polls = [...workPolled(program, body)].flatMap(([poll, work]) =>
    work === i ? [poll] : [],
  );
  const all = [...instructionsOf(body)];
  const { work } = i;
  const isShared = all.some((one) => one !== i && one.kind === 'call' && one.work === work);
  if (work === undefined || isShared) return polls;
  const waits = all.filter(
    (one) =>
      one.kind === 'call' &&
      one.arguments.some((given) => given.kind === 'work' && given.work === work),
  );
  return [...polls, ...waits];
}
