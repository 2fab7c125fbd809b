import type { Pool } from '../../../analyses/workers.js';
import type { RunOptions } from '../../run/tasks.js';
import type { CampaignJob, Plan } from './plan.js';

/** A command line that can be done in parts. */
export interface Division extends Pick<Plan, 'header' | 'unit' | 'count' | 'size' | 'paths'> {
  /** The files that were read. */
  readonly files: readonly string[];
  /** What workers are prepared for. */
  readonly run: RunOptions;
  /** Does it ask a solver, which each worker names for itself? */
  readonly native: boolean;
  /** Warnings, ready to print. */
  readonly warnings: readonly string[];
  /**
   * Does a part. Gives its results as text. A pool that is closed meanwhile makes them worthless.
   *
   * @param lanes how many programs are tried at the same time
   */
  work(job: CampaignJob, pool: Pool, lanes: number): Promise<string>;
  /** What keeps a text from being the results of a job, if anything: it comes from Redis, where anybody may have put it. */
  wrong(job: CampaignJob, results: string): string | undefined;
}

/** A division, or what keeps the command from its work, ready to print. */
export type Divided = Division | { readonly errors: readonly string[] };

/** The same, as the commands know it. */
export type DividedCommand = Omit<Division, 'native'> | { readonly errors: readonly string[] };
