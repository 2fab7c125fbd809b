import { locationsOf } from '../../program/accessed.js';
import { bodiesOf, expressionsOf, instructionsOf } from '../../program/instructions.js';
import type { Instruction, Program, Test } from '../../program/program.js';
import { useOf } from '../../program/purpose.js';
import { withoutInstructions } from '../../program/without.js';
import { blockingPolls } from '../../rdma/blocking.js';
import { isUnknown, viewed } from '../../rdma/instructions.js';
import { doesSomething, isCopy } from '../../rdma/offering.js';
import { workPolled } from '../../rdma/postings.js';
import { seenIn } from './seen.js';
import { setBy, unusedIn } from './unused.js';

/** Something at one place of the text that may be there for nothing. */
export interface Candidate {
  /** One for each thread that has this text. */
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
  const found = new Map<string, CandidatePart[]>();
  program.threads.forEach(({ body }, thread) => {
    const family = firstOf(program, thread);
    const walk = (list: readonly Instruction[], outer: readonly number[]): void =>
      list.forEach((i, at) => {
        const place = [...outer, at];
        if (isOne(i)) {
          const key = [family, ...place].join();
          const part = { thread, instruction: i, also: waitingFor(program, thread, i) };
          found.set(key, [...(found.get(key) ?? []), part]);
        }
        bodiesOf(i).forEach((inner, b) => walk(inner, [...place, b]));
      });
    walk(body, []);
  });
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

const textOf = ({ span: { file, start, end } }: Instruction): string => `${file} ${start} ${end}`;

/** Is it a remote fetch-and-add of 0, as repairs add it? */
function addsNothing(i: Instruction): boolean {
  if (isUnknown(i)) return false;
  const view = viewed(i);
  if (view.kind !== 'remote-atomic' || view.update.kind !== 'faa') return false;
  const { value } = view.update;
  return value.kind === 'int' && value.value === 0;
}

/** The first of the threads that have the same text, or that are declared to be symmetric. */
function firstOf({ threads, symmetric = [] }: Program, thread: number): number {
  const group = symmetric.find((members) => members.some((one) => one.thread === thread)) ?? [];
  const copy = threads.findIndex((other) => isCopy(other, threads[thread]));
  return Math.min(copy, ...group.map((one) => one.thread));
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
