import { locationsOf, registersOf } from '../../program/accessed.js';
import { destinationOf, expressionsOf, instructionsOf } from '../../program/instructions.js';
import type { Instruction, Mark, Program, Subject, Target } from '../../program/program.js';
import { leavesIn } from '../../parse/fold.js';
import { useOf } from '../../program/purpose.js';
import { keyOf } from './seen.js';

/** What an instruction of a thread sets: registers and memory. */
export function setBy(
  { instructions }: Program,
  thread: number,
  i: Instruction,
): readonly Subject[] {
  const to = destinationOf(i);
  const written = i.kind === 'call' ? useOf(instructions, i).writes : [];
  return [
    ...(to === undefined ? [] : [subjectOf(thread, to)]),
    ...written.map(({ location }): Subject => ({ kind: 'location', location })),
  ];
}

/** Says whether nobody uses what is in a register or in memory: no instruction reads it, no mark, and no query. */
export function unusedIn(
  program: Program,
  seen: readonly Subject[],
): (subject: Subject) => boolean {
  const used = new Set(seen.map(keyOf));
  program.threads.forEach(({ body }, thread) => {
    for (const i of instructionsOf(body))
      for (const one of readBy(program, thread, i)) used.add(keyOf(one));
  });
  return (subject) => !used.has(keyOf(subject));
}

function readBy({ instructions }: Program, thread: number, i: Instruction): readonly Subject[] {
  const inRegister = (register: number): Subject => ({ kind: 'register', thread, register });
  const inMemory = (location: number): Subject => ({ kind: 'location', location });
  const places = i.kind === 'call' ? useOf(instructions, i).reads : [];
  const marks = i.marks === undefined ? [] : [...i.marks.before, ...i.marks.after];
  return [
    ...expressionsOf(i).flatMap((e) => [
      ...registersOf(e).map(inRegister),
      ...locationsOf(e).map(inMemory),
    ]),
    ...places.map(({ location }) => inMemory(location)),
    ...marks.flatMap(registersIn).map(inRegister),
  ];
}

/** The registers that a mark reads. */
function registersIn(mark: Mark): readonly number[] {
  if (mark.kind !== 'ghost' && mark.kind !== 'assert') return [];
  const e = mark.kind === 'ghost' ? mark.value : mark.condition;
  return leavesIn(e).flatMap((leaf) => (leaf.kind === 'register' ? [leaf.register] : []));
}

const subjectOf = (thread: number, to: Target): Subject =>
  to.kind === 'location' ? to : { kind: 'register', thread, register: to.register };
