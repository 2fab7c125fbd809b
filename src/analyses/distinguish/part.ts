import type { InstructionSet } from '../../model/instructions/set.js';
import type { Model } from '../../model/term.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { Shape } from '../../rdma/classes/shape.js';
import { contentOf } from '../../rdma/classes/shape.js';
import { writeShape } from '../../rdma/classes/write.js';
import type { Share } from '../by-size/shares.js';
import type { MadeProgram } from '../by-size/programs.js';
import { MADE, eachProgram, testOf } from '../by-size/programs.js';
import type { Circumstances } from '../circumstances.js';
import type { TermNumbers } from './alike.js';
import { saidOf } from './alike.js';
import { compareStates } from './pair.js';

/** A share of the programs of a size, to be compared under two models. */
export interface PartInput extends Share {
  readonly alphabet: Alphabet;
  /** The operations that programs of the alphabet call. */
  readonly instructions: InstructionSet;
  readonly wanted: Wanted;
}

/**
 * Which of the programs that tell the models apart: the first; the first in which each of the two allows what the other
 * forbids; or all.
 */
export type Wanted = 'first' | 'both' | 'all';

export interface DifferingProgram extends MadeProgram {
  /** Whether the first model, and whether the second, allows what the other forbids. */
  readonly more: readonly [boolean, boolean];
}

export interface PartFound {
  /** How many programs were compared, those included of which both models say the same in the same words. */
  readonly programs: number;
  readonly differing: readonly DifferingProgram[];
  /** The programs that were not decided, and why. */
  readonly open: readonly (MadeProgram & { readonly reason: string })[];
}

/** Compares the programs of a part. The models of the circumstances are the two. */
export function comparePart(input: PartInput, { models }: Circumstances): PartFound {
  const [a, b] = models;
  const { alphabet, instructions, wanted } = input;
  const differing: DifferingProgram[] = [];
  const open: (MadeProgram & { reason: string })[] = [];
  const same = sameWords([a, b], instructions, alphabet);
  let programs = 0;
  eachProgram(alphabet, input, (shape) => {
    programs += 1;
    if (same(shape)) return;
    const litmus = writeShape(shape, alphabet, MADE);
    const compared = compareStates(testOf(litmus, instructions), [a, b]);
    if ('open' in compared) open.push({ litmus, reason: compared.open });
    else {
      const [first, second] = compared.only.map((states) => states.length > 0);
      if (!first && !second) return;
      differing.push({ litmus, more: [first, second] });
      return wanted === 'first';
    }
  });
  return { programs, differing, open };
}

/** Are these all programs that are wanted? */
export const areEnough = (
  some: readonly Pick<DifferingProgram, 'more'>[],
  wanted: Wanted,
): boolean =>
  wanted === 'first'
    ? some.length > 0
    : wanted === 'both' && [0, 1].every((i) => some.some(({ more }) => more[i]));

/** The first ones that are wanted, of programs in their order. */
export function firstOf<Some extends Pick<DifferingProgram, 'more'>>(
  programs: readonly Some[],
  wanted: Wanted,
): readonly Some[] {
  if (wanted === 'all') return programs;
  if (wanted === 'first') return programs.slice(0, 1);
  const first = [0, 1].map((i) => programs.findIndex(({ more }) => more[i]));
  return programs.filter((_, i) => first.includes(i));
}

/** What is known of two models: workers go through many shares. */
const words = new WeakMap<Model, WeakMap<Model, Map<string, boolean>>>();

/** Whether two models say the same of a program in the same words. That depends on which calls it has, and not on their order. */
function sameWords(
  [a, b]: readonly [Model, Model],
  instructions: InstructionSet,
  alphabet: Alphabet,
): (shape: Shape) => boolean {
  const { letters, marks } = alphabet;
  const made = [...letters.map(({ name }) => name), ...marks].join(' ');
  const withA = words.get(a) ?? new WeakMap<Model, Map<string, boolean>>();
  words.set(a, withA);
  const known = withA.get(b) ?? new Map<string, boolean>();
  withA.set(b, known);
  return (shape) => {
    const key = `${made}: ${contentOf(shape)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const test = testOf(writeShape(shape, alphabet, MADE), instructions);
    const numbers: TermNumbers = new Map();
    const said = saidOf(test, a, numbers);
    const same = said !== undefined && said === saidOf(test, b, numbers);
    known.set(key, same);
    return same;
  };
}
