/** Where the results of a campaign go, each once. */
import { merge } from '../merge/merge.js';
import { refuse } from '../../run/answer.js';
import { readSaved, isWhole } from '../../results/read.js';
import type { Header } from '../../results/format.js';
import { openStore } from '../../results/store.js';
import { complain } from '../../print/print.js';
import { blocksIn } from './blocks.js';
import type { Division } from './division.js';
import { openJournal } from '../../results/journal.js';
import type { CampaignJob, JournalLine } from '../../results/records.js';
import type { Plan } from './plan.js';
import { lineIn } from '../../results/records.js';
import { isWrong, campaignReport } from './reports.js';

export interface Sink {
  /** Are the results of a job there? */
  has(id: string): boolean;
  /** Takes the results of a job, as a worker gave them, after they were checked. */
  add(id: string, lines: string): void;
  /** How many jobs have found something that is wrong. */
  readonly wrong: number;
  /**
   * Closes the file, and reports a campaign that is done. Gives the exit code; undefined if the campaign is not done.
   */
  close(done: boolean): Promise<number | undefined>;
}

/** Opens the place for the results of a campaign: a file, or only the report. */
export function openSink(
  plan: Plan,
  jobs: ReadonlyMap<string, CampaignJob>,
  division: Division,
  out: string | undefined,
): Sink | { readonly error: string } {
  if (plan.unit === 'litmus file') return openCorpus(plan, out);
  return openCounts(plan, out, (line) => {
    const job = jobs.get(line.job);
    return job === undefined ? 'of another build' : division.wrong(job, JSON.stringify(line));
  });
}

/** What cannot be written ends the watching. */
function thrown(error: unknown): never {
  throw error;
}

/** For commands that count: one line a job. */
function openCounts(
  { header }: Plan,
  out: string | undefined,
  wrongWith: (line: JournalLine) => string | undefined,
): Sink | { readonly error: string } {
  const writer = out === undefined ? undefined : openJournal(out, header, thrown);
  if (writer !== undefined && 'error' in writer) return writer;
  const stranger = [...(writer?.jobs.values() ?? [])].map(wrongWith).find(Boolean);
  if (stranger !== undefined) {
    writer?.close();
    return { error: `${out}: holds results that are none of this campaign: ${stranger}` };
  }
  const jobs = new Map<string, JournalLine>(writer?.jobs);
  let wrong = [...jobs.values()].filter(isWrong).length;
  return {
    has: (id) => jobs.has(id),
    add(id, lines) {
      if (jobs.has(id)) return;
      writer?.add(lines);
      const line = lineIn(lines);
      jobs.set(id, line);
      if (isWrong(line)) wrong += 1;
    },
    get wrong() {
      return wrong;
    },
    async close(done) {
      writer?.close();
      if (!done) return undefined;
      const report = await campaignReport({ header, jobs });
      if ('errors' in report) return refuse(report.errors);
      process.stdout.write(report.text);
      return report.code;
    },
  };
}

/** For commands over litmus files: the file that `--out` of the command would write. */
function openCorpus(plan: Plan, out: string | undefined): Sink | { readonly error: string } {
  const before = out === undefined ? {} : readSaved(out);
  const saved = 'saved' in before ? before.saved : undefined;
  const header = plan.header as unknown as Header;
  const store = openStore({ resume: out }, header, { inputs: [] }, (error) => complain([error]));
  if (store !== undefined && 'error' in store) return store;
  const seen = new Set<string>();
  const kept = new Set<string>();
  for (const entry of saved?.entries.values() ?? []) {
    if (isWhole(saved!, entry)) kept.add(`${entry.position} ${entry.content}`);
  }
  return {
    has: (id) => seen.has(id),
    add(id, lines) {
      if (seen.has(id)) return;
      seen.add(id);
      for (const { entry, results } of blocksIn(lines)) {
        if (!kept.has(`${entry.position} ${entry.content}`)) store?.add(entry, results);
      }
    },
    wrong: 0,
    async close(done) {
      const good = store?.close(done) ?? true;
      if (!good || !done || out === undefined) return undefined;
      return merge([out], {});
    },
  };
}
