import { inside } from '../program/instructions.js';
import { printInstruction, printTest } from '../program/print.js';
import type { Test } from '../program/program.js';
import type { Addition, AdditionKind } from './additions.js';
import type { Repair } from './repair.js';

/** A repair as plain data, for people and programs to read. */
export type PrintedRepair =
  | {
      readonly kind: 'found';
      readonly cost: number;
      readonly additions: readonly PrintedAddition[];
      /** The repaired program as a litmus file, each addition marked by a comment. */
      readonly litmus: string;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface PrintedAddition {
  readonly thread: string;
  readonly kind: AdditionKind;
  /** What is added, as litmus text. */
  readonly text: string;
  /** The instruction that it is added before. */
  readonly before: string;
}

const MARK = 'added';

/** @param test the test that was repaired, its program as it is for the model */
export function printRepair(test: Test, repair: Repair): PrintedRepair {
  if (repair.kind !== 'found') return repair;
  const { cost, additions, program, added } = repair;
  const marked = new Map([...added].map((i) => [i, MARK] as const));
  const litmus = printTest({ ...test, program }, { marked, tidy: true });
  return { kind: 'found', cost, additions: additions.map(printAddition), litmus };

  function printAddition(addition: Addition): PrintedAddition {
    const thread = program.threads[addition.thread];
    const print = (i: Parameters<typeof printInstruction>[2]): string =>
      printInstruction(program, thread, i);
    const text = addition.instructions.map(print).join('; ');
    const before = placeOf(test, addition);
    return { thread: thread.name, kind: addition.kind, text, before };
  }
}

/** The instruction at an addition's place, as people wrote it. */
function placeOf({ program }: Test, { thread, place }: Addition): string {
  const own = program.threads[thread];
  let body = own.body;
  for (let at = 0; at + 2 < place.length; at += 2) body = inside(body[place[at]])[place[at + 1]];
  const instruction = body[place[place.length - 1]];
  return printInstruction(program, own, instruction, () => '{ … }');
}
