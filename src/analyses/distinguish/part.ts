import type { InstructionSet } from '../../model/instructions/set.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import { draftOf } from '../../rdma/classes/draft.js';
import { writeDraft } from '../../rdma/classes/write.js';
import type { Share } from '../by-size/shares.js';
import type { MadeProgram } from '../by-size/programs.js';
import { MADE, eachProgram } from '../by-size/programs.js';
import { madePrograms } from '../by-size/unrolled.js';
import type { Circumstances } from '../circumstances.js';
import { sayingsOf } from './alike.js';
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
  const made = madePrograms(alphabet, instructions);
  const sayings = sayingsOf(made, [a, b]);
  let programs = 0;
  eachProgram(alphabet, input, (shape) => {
    programs += 1;
    // The second says what the first does.
    if (sayings.of(shape)[1] === 0) return;
    const draft = draftOf(shape, alphabet);
    const compared = compareStates(made.unrolled(draft), [a, b]);
    const litmus = (): string => writeDraft(draft, alphabet, MADE);
    if ('open' in compared) open.push({ litmus: litmus(), reason: compared.open });
    else {
      const [first, second] = compared.only.map((states) => states.length > 0);
      if (!first && !second) return;
      differing.push({ litmus: litmus(), more: [first, second] });
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
