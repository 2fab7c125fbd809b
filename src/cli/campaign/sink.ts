/** Where the results of a campaign go, each once. */
import { merge } from '../merge.js';
import { readSaved, isWhole } from '../saved.js';
import type { FileEntry, Header } from '../results.js';
import { openStore } from '../store.js';
import { complain } from '../print.js';
import type { JournalLine } from './journal.js';
import { openJournal } from './journal.js';
import type { Plan } from './plan.js';
import { isWrong, reportOf } from './reports.js';

export interface Sink {
  /** Are the results of a job there? */
  has(id: string): boolean;
  /** Takes the results of a job, as a worker gave them. */
  add(id: string, lines: string): void;
  /** How many jobs have found something that is wrong. */
  readonly wrong: number;
  /** Closes the file. Of a campaign that is done, reports it. Gives the exit code; undefined where nothing is known. */
  close(done: boolean): Promise<number | undefined>;
}

/** Opens what the results of a campaign go to: a file, or else the report alone. */
export function openSink(plan: Plan, out: string | undefined): Sink | { readonly error: string } {
  return plan.unit === 'litmus file' ? openCorpus(plan, out) : openCounts(plan, out);
}

/** Of `agree` and `refine`: one line a job. */
function openCounts({ header }: Plan, out: string | undefined): Sink | { readonly error: string } {
  const writer = out === undefined ? undefined : openJournal(out, header);
  if (writer !== undefined && 'error' in writer) return writer;
  const jobs = new Map<string, JournalLine>(writer?.jobs);
  let wrong = [...jobs.values()].filter(isWrong).length;
  return {
    has: (id) => jobs.has(id),
    add(id, lines) {
      if (jobs.has(id)) return;
      writer?.add(lines);
      const line = JSON.parse(lines) as JournalLine;
      jobs.set(id, line);
      if (isWrong(line)) wrong += 1;
    },
    get wrong() {
      return wrong;
    },
    async close(done) {
      writer?.close();
      if (!done) return undefined;
      const { text, code } = reportOf({ header, jobs });
      process.stdout.write(text);
      return code;
    },
  };
}

/** Of commands over litmus files: what `--out` of the command would write. */
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
      for (const { entry, results } of blocksOf(lines)) {
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

/** The blocks that a worker wrote: a line about a file, and the lines of its results. */
function blocksOf(
  text: string,
): readonly { readonly entry: FileEntry; readonly results: readonly string[] }[] {
  const lines = text.split('\n').slice(0, -1);
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    const { results: count, ...entry } = JSON.parse(lines[at]) as FileEntry & {
      readonly results: number;
    };
    blocks.push({ entry, results: lines.slice(at + 1, at + 1 + count) });
    at += 1 + count;
  }
  return blocks;
}
