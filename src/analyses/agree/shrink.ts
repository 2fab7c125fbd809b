import type { InstructionSet } from '../../model/instructions/set.js';
import fc from 'fast-check';
import { readTest } from '../../program/read.js';
import { isAboutUnusedQueue } from '../../program/resolve.js';
import type { Test } from '../../program/program.js';
import type { Source } from '../../rdma/random/programs.js';
import { inBlocks } from '../../rdma/random/programs.js';
import { Shrinker } from '../shrink/shrink.js';
import type { Discrepancy } from './compare.js';

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
  const { instructions } = test.program;
  const shrinker = new Shrinker({
    name: 'shrunk',
    /** Not one with more warnings than the program that is shrunk. */
    read(text) {
      const parsed = readTest({ path: SHRUNK, text }, instructions, []);
      const isMeant = parsed.ok && slips(parsed.value) <= slips(test);
      return isMeant ? parsed.value : undefined;
    },
    findingOf,
  });
  // A random program is printed, so that it is recognised when it comes up again.
  const textOf = (source: Source): string => shrinker.textOf(drawn(source, instructions).program);
  let text = shrinker.textOf(test.program);
  if (origin !== undefined) {
    const { arbitrary, seed, index } = origin;
    const property = fc.asyncProperty(arbitrary, (source) => shrinker.lacks(textOf(source)));
    const path = String(index);
    const { counterexample } = await fc.check(property, { seed, path, numRuns: 1 });
    if (counterexample !== null) text = textOf(counterexample[0]);
  }
  const smallest = await shrinker.smallest(text);
  if (smallest === undefined) return undefined;
  return { test: smallest.read, finding: smallest.finding, tries: shrinker.tries };
}

/** How many warnings a program has but for those of queues that it need not use, as may be left where others were left out. */
const slips = ({ warnings }: Test): number =>
  warnings.filter(({ message }) => !isAboutUnusedQueue(message)).length;

function drawn(source: Source, instructions: InstructionSet): Test {
  const parsed = readTest({ path: SHRUNK, text: inBlocks(source) }, instructions, []);
  if (!parsed.ok) throw new Error(`a random program is not valid: ${parsed.errors[0].message}`);
  return parsed.value;
}
