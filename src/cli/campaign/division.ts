import type { Pool } from '../../analyses/workers.js';
import type { RunOptions } from '../run.js';
import type { Plan, Range } from './plan.js';

/** A command line that can be done in parts. */
export interface Division extends Pick<Plan, 'header' | 'unit' | 'count' | 'size' | 'paths'> {
  /** The files that were read. */
  readonly files: readonly string[];
  /** What workers are prepared for. */
  readonly run: RunOptions;
  /** Warnings, ready to print. */
  readonly warnings: readonly string[];
  /**
   * Does a part. Gives lines as the file of results has them; their first has the id of the job, where the file
   * does not tell otherwise which jobs are done. A pool that is closed meanwhile makes them worthless.
   *
   * @param lanes how many programs are tried at the same time
   */
  work(job: Range & { readonly id: string }, pool: Pool, lanes: number): Promise<string>;
}

/** A division, or what keeps the command from its work, ready to print. */
export type Divided = Division | { readonly errors: readonly string[] };
