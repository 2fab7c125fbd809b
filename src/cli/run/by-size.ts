/** How commands go through all programs by size: shares for workers, how far they are, and the file that keeps what they find. */
import { availableParallelism } from 'node:os';
import type { ShareFound, ShareStore, SizeSearch } from '../../analyses/by-size/search.js';
import { searchBySize } from '../../analyses/by-size/search.js';
import { sizeName } from '../../analyses/by-size/shares.js';
import type { Pool } from '../../analyses/workers.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import type { CommandReport } from '../print/print.js';
import { startProgress } from '../print/progress.js';
import { openShares } from '../results/kept-shares.js';
import type { Programs, SizeQuestion } from '../results/share-records.js';
import { answer, refuse } from './answer.js';
import type { RunOptions } from './tasks.js';
import { startRun } from './tasks.js';

/** A command that goes through all programs by size. */
export interface SizeCommand<Found extends Programs = Programs> {
  readonly question: SizeQuestion;
  /** What programs are made of. */
  readonly alphabet: Alphabet;
  /** Begins the search. The pool is asked about what is found, too. */
  begin(pool: Pool): BegunSearch<Found>;
}

export interface BegunSearch<Found extends Programs> {
  readonly search: SizeSearch<Found>;
  /** Makes the report of what was found in the shares, once all is known about it. */
  report(shares: readonly ShareFound<Found>[]): Promise<SizeReport>;
}

/** A report that lacks what it says of the run itself. */
export type SizeReport = (run: {
  readonly interrupted: boolean;
  readonly seconds: number;
}) => CommandReport;

/** Answers the question of a command, with the results that a file has. */
export async function answerBySize(
  command: SizeCommand,
  options: RunOptions & { readonly resume?: string },
): Promise<number> {
  const started = performance.now();
  const { resume, jobs } = options;
  const kept = resume === undefined ? undefined : openShares(resume, command);
  if (kept !== undefined && 'error' in kept) return refuse([kept.error]);
  return answer(startRun(options, true), {
    store: kept,
    tasks: [{ name: 'all programs', do: (pool) => reportBySize(command, pool, jobs, kept) }],
    report: ([report], interrupted) =>
      report({ interrupted, seconds: (performance.now() - started) / 1000 }),
  });
}

/** Goes through all programs, and shows the size that is reached. */
async function reportBySize(
  command: SizeCommand,
  pool: Pool,
  jobs = availableParallelism(),
  store?: ShareStore<Programs>,
): Promise<SizeReport> {
  const { search, report } = command.begin(pool);
  const shares = await searchBySize(search, pool, {
    // While one worker reports, there is a share for it already.
    lanes: jobs + 1,
    store,
    async watch(own, known) {
      const before = [...known.values()].reduce((sum, programs) => sum + programs, 0);
      const counted = { what: 'programs', before };
      const bar = await startProgress(own.length, (i) => sizeName(own[i]), counted);
      for (const [share, programs] of known) bar?.done(share, programs);
      return bar;
    },
  });
  return report(shares);
}
