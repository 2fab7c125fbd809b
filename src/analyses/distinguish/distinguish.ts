import type { InstructionSet } from '../../model/instructions/set.js';
import type { Model } from '../../model/term.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { ShareFound, SizeSearch } from '../by-size/search.js';
import type { DifferingProgram, PartFound, Wanted } from './part.js';
import { areEnough, firstOf } from './part.js';

/** What programs are compared, and how. */
export interface DistinguishOptions {
  readonly alphabet: Alphabet;
  /** The operations that programs of the alphabet call. */
  readonly instructions: InstructionSet;
  readonly wanted: Wanted;
  /** The most calls of a program. */
  readonly calls: number;
}

/**
 * What was found out about the programs of a share: those that differ are the first that are wanted. If only one is
 * wanted, the programs behind it were not compared.
 */
export type PairFound = ShareFound<PartFound>;

/**
 * The search for programs that tell two models apart.
 *
 * @param tell hears of each that is wanted, in their order
 */
export function pairSearch(
  models: readonly [Model, Model],
  { calls, ...input }: DistinguishOptions,
  tell: (program: DifferingProgram) => void = () => {},
): SizeSearch<PartFound> {
  const { alphabet, wanted } = input;
  let differing: readonly DifferingProgram[] = [];
  return {
    ...{ alphabet, calls },
    nothing: { programs: 0, differing: [], open: [] },
    async find(share, pool) {
      const found = await pool.analyse<'compare-programs'>({
        ...{ kind: 'analysis', analysis: 'compare-programs', engine: 'search', models },
        input: { ...input, ...share },
      });
      if ('unfinished' in found) return found;
      const { output } = found;
      return { output: { ...output, differing: firstOf(output.differing, wanted) } };
    },
    begin: () => wanted === 'both' || differing.length === 0,
    take(found) {
      const before = differing;
      differing = firstOf([...before, ...found.differing], wanted);
      differing.filter((one) => !before.includes(one)).forEach(tell);
      return areEnough(differing, wanted);
    },
  };
}
