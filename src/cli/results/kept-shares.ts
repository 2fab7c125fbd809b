/** The file of results of a search through all programs, on one machine: a line for each share. */
import type { ShareStore } from '../../analyses/by-size/search.js';
import { sharesOf } from '../../analyses/by-size/shares.js';
import { JSON_FORMAT } from '../../report/json.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import { contentOf } from '../inputs/shard.js';
import { failure } from '../outputs/plan.js';
import { VERSION } from '../package.js';
import { complain } from '../print/print.js';
import type { JournalHeader, JournalWriter } from './journal.js';
import { openJournal } from './journal.js';
import type { JournalLine } from './records.js';
import type { Programs, SharesRecord, SizeHeader, SizeQuestion } from './share-records.js';

/** The first line of the file of a search. @param alphabet what programs are made of */
export function sizeHeader({ question, alphabet }: AskedSearch): SizeHeader & JournalHeader {
  const sizes = Array.from({ length: question.calls }, (_, i) => sharesOf(i + 1, alphabet).length);
  const shares = sizes.reduce((sum, own) => sum + own, 0);
  return { remora: VERSION, format: JSON_FORMAT, ...question, shares };
}

interface AskedSearch {
  readonly question: SizeQuestion;
  readonly alphabet: Alphabet;
}

/** Shares that a file keeps. */
export interface KeptShares extends ShareStore<Programs> {
  /** Returns whether everything was written. */
  close(): boolean;
}

/** Opens the file of `--resume`, or says why it cannot be. */
export function openShares(
  path: string,
  asked: AskedSearch,
): KeptShares | { readonly error: string } {
  const header = sizeHeader(asked);
  const failed = (error: unknown): void =>
    complain([`${path}: ${failure(error)}; the report has all results`]);
  const journal = openJournal(path, header, failed);
  if ('error' in journal) return journal;
  const known = sharesIn(journal.jobs);
  const run = JSON.stringify(header);
  return {
    get: (share) => known.get(share),
    add(from, found, milliseconds) {
      const job = contentOf(`${run} ${from}`);
      const line: JournalLine & SharesRecord = {
        ...{ job, from, to: from + 1, milliseconds },
        shares: [found],
      };
      journal.add(JSON.stringify(line));
    },
    close: journal.close,
  };
}

/** What a file has, by the number of the share. */
export const sharesIn = (jobs: JournalWriter['jobs']): ReadonlyMap<number, Programs> =>
  new Map(
    [...jobs.values()].flatMap((line) =>
      (line as JournalLine & SharesRecord).shares.map(
        (found, i) => [line.from + i, found] as const,
      ),
    ),
  );
