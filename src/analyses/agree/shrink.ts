import type { InstructionSet } from '../../model/instructions/set.js';
import fc from 'fast-check';
import { readTest } from '../../program/read.js';
import type { Program, Test } from '../../program/program.js';
import type { Source } from '../../rdma/random/programs.js';
import { inBlocks } from '../../rdma/random/programs.js';
import type { Discrepancy } from './compare.js';
import { keep, keepable } from './drop.js';
import { printProgram } from '../../program/print.js';

/** The name of the file in messages about smaller programs. */
const SHRUNK = 'input.litmus';

/** Where a random program comes from. With this, fast-check can draw it again and shrink it. */
export interface Origin {
  readonly arbitrary: fc.Arbitrary<Source>;
  readonly seed: number;
  readonly index: number;
}

/** A program on which methods still disagree, and of which no instruction can be left out. */
export interface Shrunk {
  readonly test: Test;
  readonly finding: Discrepancy;
  /** How many smaller programs were tried. */
  readonly tries: number;
}

/**
 * Looks for a small program on which the methods still disagree. A random program is first shrunk as it was drawn: fewer
 * nodes and threads, and smaller numbers. Then instructions are left out or replaced by their bodies, as long as the
 * methods disagree.
 */
export async function shrink(
  test: Test,
  origin: Origin | undefined,
  findingOf: (test: Test) => Promise<Discrepancy | undefined>,
): Promise<Shrunk | undefined> {
  const known = new Map<
    string,
    { readonly test: Test; readonly finding?: Discrepancy | undefined }
  >();

  /** Tries a program. Undefined: it is not valid, or has more warnings than the program that is shrunk. */
  const attempt = async (text: string) => {
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    const parsed = readTest({ path: SHRUNK, text }, test.program.instructions, []);
    const isMeant = parsed.ok && parsed.value.warnings.length <= test.warnings.length;
    const result = isMeant
      ? { test: parsed.value, finding: await findingOf(parsed.value) }
      : undefined;
    if (result !== undefined) known.set(text, result);
    return result;
  };
  const agrees = async (text: string): Promise<boolean> =>
    (await attempt(text))?.finding === undefined;

  let text = textOf(test.program);
  if (origin !== undefined) {
    const { arbitrary, seed, index } = origin;
    const property = fc.asyncProperty(arbitrary, (source) =>
      agrees(drawn(source, test.program.instructions)),
    );
    const path = String(index);
    const { counterexample } = await fc.check(property, { seed, path, numRuns: 1 });
    if (counterexample !== null) text = drawn(counterexample[0], test.program.instructions);
  }
  for (;;) {
    const from = await attempt(text);
    if (from?.finding === undefined) return undefined;
    const shorter = await drop(from.test.program, agrees);
    if (shorter === text) return { test: from.test, finding: from.finding, tries: known.size };
    text = shorter;
  }
}

/** Leaves out what can be left out so that the methods still disagree. */
async function drop(program: Program, agrees: (text: string) => Promise<boolean>): Promise<string> {
  const all = Array.from({ length: keepable(program) }, () => true);
  const kept = fc.tuple(...all.map(() => fc.boolean()));
  const write = (list: readonly boolean[]): string => textOf(keep(program, list));
  const property = fc.asyncProperty(kept, (list) => agrees(write(list)));
  const { counterexample } = await fc.check(property, { examples: [[all]], numRuns: 1 });
  return write(counterexample?.[0] ?? all);
}

const textOf = (program: Program): string =>
  `RDMA shrunk\n${printProgram(program, { tidy: true })}`;

/** A random program as it is printed, so that it is recognised when it comes up again. */
function drawn(source: Source, instructions: InstructionSet): string {
  const parsed = readTest({ path: SHRUNK, text: inBlocks(source) }, instructions, []);
  if (!parsed.ok) throw new Error(`a random program is not valid: ${parsed.errors[0].message}`);
  return textOf(parsed.value.program);
}
