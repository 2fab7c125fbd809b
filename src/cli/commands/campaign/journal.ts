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
import type { AgreeRecord } from '../../../report/agree-record.js';
import { CHANGED, digested, undigested } from '../../results/digest.js';
import { isObject, parseJson } from '../../results/guards.js';
import { failure, targetOf } from '../../outputs/plan.js';
import type { JournalLine } from './records.js';
import { lineIn, totalOf, comparedWays, wrongLine } from './records.js';
import type { Plan } from './plan.js';

export interface Journal {
  readonly header: Plan['header'];
  /** The jobs, each once, by their ids. */
  readonly jobs: ReadonlyMap<string, JournalLine>;
  /** How many bytes are whole lines. */
  readonly whole: number;
}

/**
 * Reads a file; undefined if it is not one of `agree` or `refine`. A line that is cut off at the end is left out. Each
 * range must be there once, and no program twice.
 */
export function readJournal(path: string): Journal | undefined | { readonly error: string } {
  // A device may never end.
  if (!statSync(path).isFile()) return undefined;
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  const [first = '', ...lines] = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  const named = parseJson(first);
  const command = isObject(named) ? named['command'] : undefined;
  if (command !== 'agree' && command !== 'refine') return undefined;
  const wrong = (at: number, what: string) => ({ error: `${path}:${at + 1}: ${what}` });
  const own = undigested(first);
  if (own === undefined) return wrong(0, CHANGED);
  const header = JSON.parse(own.json) as Plan['header'];
  const total = totalOf(header);
  if (total === undefined) return wrong(0, 'not the first line of a campaign');
  const jobs = new Map<string, JournalLine>();
  let ways: string | undefined;
  for (const [i, line] of lines.entries()) {
    const json = undigested(line, own.digest)?.json ?? line;
    const problem = wrongLine(command, json, undefined, ways);
    if (problem !== undefined) return wrong(i + 1, problem);
    if (json === line) return wrong(i + 1, CHANGED);
    const job = lineIn(json);
    if (command === 'agree') ways ??= comparedWays(job as JournalLine & AgreeRecord);
    if (job.to > total) return wrong(i + 1, 'it is about more than the run');
    if (jobs.has(job.job)) return wrong(i + 1, 'its job is there twice');
    jobs.set(job.job, job);
  }
  const inOrder = [...jobs.values()].sort((a, b) => a.from - b.from);
  const twin = inOrder.findIndex(({ from }, i) => i > 0 && from < inOrder[i - 1].to);
  if (twin > 0) {
    const [a, b] = [inOrder[twin - 1], inOrder[twin]].map(({ from, to }) => `${from} to ${to}`);
    return { error: `${path}: the ranges ${a} and ${b} overlap` };
  }
  return { header, jobs, whole: end };
}

/** A file that lines are added to. */
export interface JournalWriter {
  /** The jobs that were there already. */
  readonly jobs: ReadonlyMap<string, JournalLine>;
  /** Adds an object as a line, which the operating system has when this returns. @throws the error of the system */
  add(json: string): void;
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
    const { line, digest } = digested(JSON.stringify(header));
    if (old === undefined) writeSync(fd, `${line}\n`);
    else ftruncateSync(fd, old.whole);
    return {
      jobs: old?.jobs ?? new Map(),
      add: (json) => writeAll(fd, `${digested(json, digest).line}\n`),
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
