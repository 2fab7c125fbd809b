import type { InstructionSet } from '../../model/instructions/set.js';
import type { Model } from '../../model/term.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { Group } from '../by-size/groups.js';
import { inOrder, inParts } from '../by-size/shared.js';
import type { Pool } from '../workers.js';
import type { DifferingProgram, Wanted } from './part.js';
import { firstOf } from './part.js';

/** What programs are compared, and how. */
export interface DistinguishOptions {
  readonly alphabet: Alphabet;
  /** The operations that programs of the alphabet call. */
  readonly instructions: InstructionSet;
  readonly wanted: Wanted;
  /** How many workers share a size with many programs. */
  readonly jobs: number;
}

/** What was found out about the programs of a group. */
export interface GroupFound {
  readonly calls: number;
  /** How many were compared; if only the first that tells the models apart is wanted, up to that one. */
  readonly programs: number;
  /** In the order in which they are made. */
  readonly differing: readonly DifferingProgram[];
  readonly open: readonly { readonly litmus: string; readonly reason: string }[];
  /** Why it was given up. */
  readonly unfinished?: string;
}

/** Compares all programs of a group under two models. */
export async function compareGroup(
  pool: Pool,
  models: readonly [Model, Model],
  group: Group,
  { jobs, ...input }: DistinguishOptions,
): Promise<GroupFound> {
  const { calls } = group;
  const { wanted } = input;
  const { outputs, ...rest } = await inParts(pool, 'compare-programs', models, group, {
    jobs,
    input,
  });
  const differing = inOrder(outputs.map((one) => one.differing));
  return {
    calls,
    programs:
      wanted === 'first' && differing.length > 0
        ? differing[0].index + 1
        : outputs.reduce((sum, { programs }) => sum + programs, 0),
    differing: firstOf(differing, wanted),
    open: inOrder(outputs.map(({ open }) => open)),
    ...rest,
  };
}
