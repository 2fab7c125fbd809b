import type { Model } from '../../model/term.js';
import type { Group } from '../distinguish/distinguish.js';
import { SHARED_FROM } from '../distinguish/distinguish.js';
import type { Pool } from '../workers.js';
import type { SynthesisFound, SynthesisInput } from './part.js';

export interface SynthesisOptions extends Pick<
  SynthesisInput,
  'alphabet' | 'drawn' | 'instructions'
> {
  /** How many workers share a size with many programs. */
  readonly jobs: number;
}

/** What was found out about the programs of a group. */
export interface GroupSynthesis extends SynthesisFound {
  readonly calls: number;
  /** Why it was given up. */
  readonly unfinished?: string;
}

/** The minimal tests among the programs of a group, in the order in which these are made. */
export async function synthesiseGroup(
  pool: Pool,
  model: Model,
  { calls, size }: Group,
  { jobs, ...options }: SynthesisOptions,
): Promise<GroupSynthesis> {
  const parts = calls < SHARED_FROM ? 1 : jobs;
  const found = await Promise.all(
    Array.from({ length: parts }, (_, part) =>
      pool.analyse({
        ...{ kind: 'analysis', analysis: 'synthesise', engine: 'search', models: [model] },
        input: { ...options, size, part, parts },
      }),
    ),
  );
  const outputs = found.flatMap((one) => ('output' in one ? [one.output] : []));
  const unfinished = found.flatMap((one) => ('unfinished' in one ? [one.unfinished] : [])).at(0);
  return {
    calls,
    programs: outputs.reduce((sum, { programs }) => sum + programs, 0),
    tests: outputs.flatMap(({ tests }) => tests).sort((x, y) => x.index - y.index),
    open: outputs.flatMap(({ open }) => open).sort((x, y) => x.index - y.index),
    ...(unfinished !== undefined && { unfinished }),
  };
}
