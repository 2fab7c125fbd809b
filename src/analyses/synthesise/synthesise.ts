import type { Model } from '../../model/term.js';
import type { ShareFound, SizeSearch } from '../by-size/search.js';
import type { SynthesisFound, SynthesisInput } from './part.js';

export interface SynthesisOptions extends Pick<
  SynthesisInput,
  'alphabet' | 'drawn' | 'instructions'
> {
  /** The most calls of a program. */
  readonly calls: number;
}

/** What was found out about the programs of a share. */
export type ShareSynthesis = ShareFound<SynthesisFound>;

/** The search for the minimal tests of a model. */
export function synthesisSearch(
  model: Model,
  { calls, ...input }: SynthesisOptions,
): SizeSearch<SynthesisFound> {
  const { alphabet, drawn } = input;
  return {
    calls,
    alphabet: { ...alphabet, letters: alphabet.letters.slice(0, drawn) },
    nothing: { programs: 0, tests: [], open: [] },
    find: (share, pool) =>
      pool.analyse<'synthesise'>({
        ...{ kind: 'analysis', analysis: 'synthesise', engine: 'search', models: [model] },
        input: { ...input, ...share },
      }),
  };
}
