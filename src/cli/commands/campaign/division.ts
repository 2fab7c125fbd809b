import type { Pool } from '../../../analyses/workers.js';
import type { RunOptions } from '../../run/tasks.js';
import type { CampaignJob } from '../../results/records.js';
import type { Plan } from './plan.js';

/** A command line that can be done in parts. */
export interface Division extends Pick<Plan, 'header' | 'unit' | 'count' | 'size' | 'paths'> {
  /** The files that were read. */
  readonly files: readonly string[];
  /** The options that workers are started with. */
  readonly run: RunOptions;
  /** Does it ask a solver, which each worker names for itself? */
  readonly native: boolean;
  /** Warnings, ready to print. */
  readonly warnings: readonly string[];
  /**
   * Does a part, and gives its results as text. If the pool is closed meanwhile, they are worthless.
   *
   * @param lanes how many programs are tried at the same time
   */
  work(job: CampaignJob, pool: Pool, lanes: number): Promise<string>;
  /** Why a text is not the results of a job, or undefined. It comes from Redis, where anybody may have put it. */
  wrong(job: CampaignJob, results: string): string | undefined;
}

/** A division, or why the command cannot work, ready to print. */
export type Divided = Division | { readonly errors: readonly string[] };

/** The same, before it is known whether workers need a solver. */
export type DividedCommand = Omit<Division, 'native'> | { readonly errors: readonly string[] };
