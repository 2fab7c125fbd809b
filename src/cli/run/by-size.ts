/** How commands go through all programs by size: shares for workers, and how far they are. */
import { availableParallelism } from 'node:os';
import type { ShareFound, ShareStore, SizeSearch } from '../../analyses/by-size/search.js';
import { searchBySize } from '../../analyses/by-size/search.js';
import { sizeName } from '../../analyses/by-size/shares.js';
import type { Pool } from '../../analyses/workers.js';
import { startProgress } from '../print/progress.js';

/** Goes through all programs of a search, and shows the size that is reached. */
export const searchPrograms = <Found extends { readonly programs: number }>(
  search: SizeSearch<Found>,
  pool: Pool,
  jobs = availableParallelism(),
  store?: ShareStore<Found>,
): Promise<readonly ShareFound<Found>[]> =>
  searchBySize(search, pool, {
    // While one worker reports, there is a share for it already.
    lanes: jobs + 1,
    store,
    async watch(shares, known) {
      const before = [...known.values()].reduce((sum, programs) => sum + programs, 0);
      const counted = { what: 'programs', before };
      const bar = await startProgress(shares.length, (i) => sizeName(shares[i]), counted);
      for (const [share, programs] of known) bar?.done(share, programs);
      return bar;
    },
  });
