/** The file of results of a campaign of `agree` or `refine`: a line about the run, then a line a job (docs/json.md). */
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { failure, targetOf } from '../output.js';
import type { Plan } from './plan.js';

/** A job as it stands in the file; the rest is what came of it. */
export interface JournalLine {
  readonly job: string;
  readonly from: number;
  readonly to: number;
}

export interface Journal {
  readonly header: Plan['header'];
  /** The jobs, each once, by their ids. */
  readonly jobs: ReadonlyMap<string, JournalLine>;
  /** How many bytes are whole lines. */
  readonly whole: number;
}

const isJob = (value: unknown): value is JournalLine => {
  const { job, from, to } = (value ?? {}) as Partial<JournalLine>;
  return typeof job === 'string' && Number.isSafeInteger(from) && Number.isSafeInteger(to);
};

/** Reads a file; undefined where it is none of `agree` or `refine`. A line that is cut off at the end is left out. */
export function readJournal(path: string): Journal | undefined | { readonly error: string } {
  // A device may never end.
  if (!statSync(path).isFile()) return undefined;
  const bytes = readFileSync(path);
  const first = bytes.indexOf(0x0a) + 1;
  const header = parse(bytes.toString('utf8', 0, first)) as Plan['header'] | undefined;
  if (header?.['command'] !== 'agree' && header?.['command'] !== 'refine') return undefined;
  const end = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.toString('utf8', first, end).split('\n').slice(0, -1);
  const jobs = new Map<string, JournalLine>();
  for (const [i, line] of lines.entries()) {
    const value = parse(line);
    if (!isJob(value)) return { error: `${path}:${i + 2}: not a line about a job` };
    if (!jobs.has(value.job)) jobs.set(value.job, value);
  }
  return { header, jobs, whole: end };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A file that lines are added to. */
export interface JournalWriter {
  /** The jobs that were there already. */
  readonly jobs: ReadonlyMap<string, JournalLine>;
  /** Adds a line. It is with the system when this returns. @throws what the system says */
  add(line: string): void;
  close(): void;
}

/** Opens a file for a campaign: a new one, or one that has results of the same campaign. */
export function openJournal(
  path: string,
  header: Plan['header'],
): JournalWriter | { readonly error: string } {
  const target = targetOf(path);
  if ('problem' in target) return { error: `${path}: ${target.problem}` };
  try {
    const isNew = !existsSync(path) || target.old?.size === 0n;
    const old = isNew ? undefined : readJournal(path);
    if (old !== undefined && 'error' in old) return old;
    if (!isNew && (old === undefined || JSON.stringify(old.header) !== JSON.stringify(header))) {
      return {
        error: `${path}: holds something else than results of this campaign: name another file`,
      };
    }
    const fd = openSync(path, isNew ? 'w' : 'a');
    if (old === undefined) writeSync(fd, `${JSON.stringify(header)}\n`);
    else ftruncateSync(fd, old.whole);
    return {
      jobs: old?.jobs ?? new Map(),
      add: (line) => void writeAll(fd, line),
      close() {
        fsyncSync(fd);
        closeSync(fd);
      },
    };
  } catch (error) {
    return { error: `${path}: ${failure(error)}` };
  }
}

function writeAll(fd: number, line: string): void {
  const bytes = Buffer.from(line);
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}
