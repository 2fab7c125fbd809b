import type { Model } from '../../model/term.js';
import type { Group } from '../by-size/groups.js';
import { inOrder, inParts } from '../by-size/shared.js';
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
  group: Group,
  { jobs, ...input }: SynthesisOptions,
): Promise<GroupSynthesis> {
  const { outputs, ...rest } = await inParts(pool, 'synthesise', [model], group, { jobs, input });
  return {
    calls: group.calls,
    programs: outputs.reduce((sum, { programs }) => sum + programs, 0),
    tests: inOrder(outputs.map(({ tests }) => tests)),
    open: inOrder(outputs.map(({ open }) => open)),
    ...rest,
  };
}
