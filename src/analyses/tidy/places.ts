import { bodiesOf } from '../../program/instructions.js';
import { printInstruction } from '../../program/print.js';
import type { Instruction, Program } from '../../program/program.js';
import { isCopy } from '../../rdma/offering.js';

/**
 * For each instruction of a program, a name that it shares with those that are left out with it:
 * - those of threads that have one text, as members of a family, and of threads that are declared to be symmetric
 * - those of one text on different ways through a thread, of which only one is done: what stands behind a branch of C is in
 *   both branches
 *
 * What one way does several times, as a helper of C that is called twice, has several names.
 */
export function placesOf(program: Program): ReadonlyMap<Instruction, string> {
  const own = program.threads.map((_, thread) => namesIn(program, thread));
  return new Map(
    own.flatMap((names, thread) => {
      const first = firstOf(program, thread);
      return [...names].map(([path, { instruction, name }]) => {
        const shared = own[first].get(path)?.name ?? name;
        return [instruction, `${first} ${shared}`] as const;
      });
    }),
  );
}

/** By text: how often it was there before. */
type Counts = ReadonlyMap<string, number>;

/** Names that differ within a thread, by the paths of instructions. */
function namesIn(program: Program, index: number) {
  const thread = program.threads[index];
  const names = new Map<string, { readonly instruction: Instruction; readonly name: string }>();
  const walk = (list: readonly Instruction[], outer: string, before: Counts): Counts =>
    list.reduce((counts, instruction, at) => {
      const path = `${outer},${at}`;
      const bodies = bodiesOf(instruction);
      if (bodies.length > 0) {
        return bodies.map((body, b) => walk(body, `${path},${b}`, counts)).reduce(most);
      }
      // What C makes of one place has its ends apart.
      const text = `${instruction.span.start} ${printInstruction(program, thread, instruction)}`;
      const count = counts.get(text) ?? 0;
      names.set(path, { instruction, name: `${text} ${count}` });
      return new Map(counts).set(text, count + 1);
    }, before);
  walk(thread.body, '', new Map());
  return names;
}

const most = (a: Counts, b: Counts): Counts =>
  new Map([...a, ...b].map(([text]) => [text, Math.max(a.get(text) ?? 0, b.get(text) ?? 0)]));

/** The first of the threads that have the same text, or that are declared to be symmetric. */
function firstOf({ threads, symmetric = [] }: Program, thread: number): number {
  const group = symmetric.find((members) => members.some((one) => one.thread === thread)) ?? [];
  const copy = threads.findIndex((other) => isCopy(other, threads[thread]));
  return Math.min(copy, ...group.map((one) => one.thread));
}
