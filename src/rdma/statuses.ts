import { groupBy } from '../model/relation/groups.js';
import { registersOf } from '../program/accessed.js';
import { bodiesOf, expressionsOf, instructionsOf } from '../program/instructions.js';
import { programSet } from '../program/occasions.js';
import type { Call, DeclaredQueuePair, Instruction, Mark, Program } from '../program/program.js';
import type { AddedPart, Addition, AdditionKind } from './additions.js';
import { asksStatus, queuePairKey } from './instructions.js';
import { doesSomething, isCopy } from './offering.js';
import { workPolled } from './polled-work.js';
import { completionsOf, knownPosting } from './postings.js';

/** Where tests of statuses can help: `if (s = 0) { … }` around what is behind a poll of a queue pair that may break. */

/** A test at one place of the program's text. All threads of a family get it. */
export interface StatusTest {
  readonly parts: readonly TestPart[];
  /** The kinds of what is added for it: none if the poll is there already. */
  readonly kinds: readonly AdditionKind[];
}

/** The part of a test in one thread. */
export interface TestPart extends Omit<AddedPart, 'instructions'> {
  /** The poll that is tested, if it is there already. */
  readonly poll?: Call;
  /** What is added before the test, if it is not: the poll that is tested is the last. */
  readonly instructions: readonly Instruction[];
}

const FALLIBLE = 'fallible';

/** Can polls of a program have a status that is not success? */
export const mayFail = ({ threads, instructions }: Program): boolean =>
  threads.some(({ queuePairs = [] }) => queuePairs.some(isFallible)) &&
  instructions.operations.some(
    ({ name, alternatives }) => name === 'poll' && alternatives.some((a) => a.result !== undefined),
  );

const isFallible = ({ tags = [] }: DeclaredQueuePair): boolean => tags.includes(FALLIBLE);

/** The program with queue pairs that never break. All of its statuses are success. */
export function withoutFailures(program: Program): Program {
  const threads = program.threads.map(({ queuePairs, ...t }) => ({
    ...t,
    queuePairs: queuePairs?.map(({ tags = [], ...pair }) => ({
      ...pair,
      tags: tags.filter((tag) => tag !== FALLIBLE),
    })),
  }));
  const changed = { ...program, threads };
  return { ...changed, instructions: programSet(changed, program.instructions) };
}

/** All tests that can help: of polls that are there, and of polls that are among additions. */
export function statusTestsOf(
  program: Program,
  additions: readonly Addition[],
): readonly StatusTest[] {
  if (!mayFail(program)) return [];
  const queues = program.threads.map(({ queuePairs = [] }) =>
    queuePairs
      .filter(isFallible)
      .map(({ node, name }) => completionsOf(program, { node, queuePair: name })),
  );
  const polls: IsPoll = (thread, i): i is Call => {
    const posting = i && knownPosting(program, i);
    return posting?.kind === 'poll' && queues[thread].includes(posting.of);
  };
  const canGuard = ({ thread, place }: TestPart): boolean => {
    const rest = bodyFrom(program.threads[thread].body, place);
    return rest.some((i) => doesSomething(program, i)) && !leavesSection(rest);
  };
  return [...ofPolls(program, polls), ...ofAdditions(program, additions, polls)].filter(
    ({ parts }) => parts.every(canGuard),
  );
}

/** Is an instruction of a thread a poll of a queue pair that may break? */
type IsPoll = (thread: number, i: Instruction | undefined) => i is Call;

/**
 * Tests of polls that come with additions, and with those that these need. Before a flush all is polled that is not polled
 * yet, as a poll takes the oldest completion.
 */
function ofAdditions(
  program: Program,
  additions: readonly Addition[],
  polls: IsPoll,
): readonly StatusTest[] {
  const keyOf = ({ thread, place, instructions }: AddedPart): string => {
    const posting = knownPosting(program, instructions.at(-1)!);
    return [thread, ...place, posting.kind === 'poll' ? posting.of : ''].join();
  };
  const plain = groupBy(
    additions.filter(({ kind }) => kind === 'poll'),
    ({ parts }) => keyOf(parts[0]),
  );
  return additions.flatMap((last) => {
    if (!last.parts.every((part) => polls(part.thread, part.instructions.at(-1)))) return [];
    const beside = plain.get(keyOf(last.parts[0])) ?? [];
    const all = last.kind === 'poll' ? beside.slice(0, beside.indexOf(last)) : beside;
    const chain = [...all, last];
    const parts = last.parts.map((part, index) => ({
      ...part,
      instructions: chain.flatMap((one) => one.parts[index].instructions),
    }));
    return [{ parts, kinds: chain.map(({ kind }) => kind) }];
  });
}

/** Tests of polls that are there. A status that the program looks at itself is left to it. */
function ofPolls({ threads }: Program, polls: IsPoll): readonly StatusTest[] {
  const found = new Map<string, TestPart[]>();
  threads.forEach((own, thread) => {
    const family = threads.findIndex((other) => isCopy(other, own));
    const all = [...instructionsOf(own.body)];
    const read = new Set(all.flatMap((i) => expressionsOf(i).flatMap(registersOf)));
    const isFree = ({ result }: Call): boolean =>
      result === undefined || (result.kind === 'register' && !read.has(result.register));
    const walk = (body: readonly Instruction[], outer: readonly number[], again: boolean): void =>
      body.forEach((i, at) => {
        if (polls(thread, i) && isFree(i)) {
          const place = [...outer, at + 1];
          const key = [family, ...place].join();
          const part = { thread, place, repeated: again, poll: i, instructions: [] };
          found.set(key, [...(found.get(key) ?? []), part]);
        }
        bodiesOf(i).forEach((inner, b) =>
          walk(inner, [...outer, at, b], again || i.kind === 'loop'),
        );
      });
    walk(own.body, [], false);
  });
  return [...found.values()].map((parts) => ({ parts, kinds: [] }));
}

/** The instructions from a place to the end of its body. */
export function bodyFrom(
  body: readonly Instruction[],
  [at, inner, ...deeper]: readonly number[],
): readonly Instruction[] {
  return inner === undefined ? body.slice(at) : bodyFrom(bodiesOf(body[at])[inner], deeper);
}

/** Does a critical section begin before these instructions and end among them, or the other way round? */
function leavesSection(rest: readonly Instruction[]): boolean {
  const marks = rest.flatMap((i) => (i.marks ? [...i.marks.before, ...i.marks.after] : []));
  const count = (kind: Mark['kind']): number => marks.filter((mark) => mark.kind === kind).length;
  return count('enter') !== count('leave');
}

/** Where queue pairs may break: for each poll of a status, the work whose completion it takes, if all paths agree on that. */
export function statusSources(program: Program): ReadonlyMap<Instruction, Instruction | undefined> {
  if (!mayFail(program)) return new Map();
  const all = program.threads.flatMap(({ body }) => [...workPolled(program, body)]);
  return new Map(all.filter(([poll]) => asksStatus(poll)));
}

/**
 * May an addition change which statuses the polls of a program give? A flush may fail in the place of something later. A poll
 * takes a completion that a later poll would have taken.
 */
export function changesStatuses(program: Program, { parts }: Addition): boolean {
  return parts.some(({ thread, place, repeated, instructions }) => {
    const posting = knownPosting(program, instructions.at(-1)!);
    if (posting.kind !== 'poll') return false;
    const isShared = (program.completionQueues ?? []).some(({ name }) => name === posting.of);
    return statusPolls(program, posting.of).some((poll) =>
      poll.thread === thread ? repeated || !isBefore(poll.place, place) : isShared || poll.isJoint,
    );
  });
}

interface StatusPoll {
  readonly thread: number;
  readonly place: readonly number[];
  /** Whether its queue pair is of several threads. */
  readonly isJoint: boolean;
}

/** The polls of a queue whose status is used. */
function statusPolls(program: Program, of: string): readonly StatusPoll[] {
  return program.threads.flatMap(({ body, queuePairs = [] }, thread) => {
    const isJoint = queuePairs.some(
      ({ node, name, joint }) => joint === true && queuePairKey({ node, queuePair: name }) === of,
    );
    const walk = (list: readonly Instruction[], outer: readonly number[]): readonly StatusPoll[] =>
      list.flatMap((i, at) => {
        const place = [...outer, at];
        const posting = knownPosting(program, i);
        const isOne = asksStatus(i) && posting.kind === 'poll' && posting.of === of;
        const inside = bodiesOf(i).flatMap((inner, b) => walk(inner, [...place, b]));
        return isOne ? [{ thread, place, isJoint }] : inside;
      });
    return walk(body, []);
  });
}

/** Is one place of a body before another, in the order of the text? */
function isBefore(a: readonly number[], b: readonly number[]): boolean {
  const differs = a.findIndex((step, n) => step !== b[n]);
  return differs >= 0 && differs < b.length && a[differs] < b[differs];
}
