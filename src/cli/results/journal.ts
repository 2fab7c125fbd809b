/** The file of results of a command in parts: a line about the run, then a line a job (docs/json.md). */
import { existsSync, ftruncateSync, openSync, readFileSync, statSync } from 'node:fs';
import type { AgreeRecord } from '../../report/agree-record.js';
import { CHANGED, digested, undigested } from './digest.js';
import { appendTo } from './append.js';
import { isObject, isString, parseJson } from './guards.js';
import { failure, targetOf } from '../outputs/plan.js';
import type { JournalLine } from './records.js';
import { PARTED_COMMANDS, lineIn, totalOf, comparedWays, wrongLine } from './records.js';

/** Everything that the results depend on. */
export type JournalHeader = Readonly<Record<string, unknown>>;

export interface Journal {
  readonly header: JournalHeader;
  /** The jobs, each once, by their ids. */
  readonly jobs: ReadonlyMap<string, JournalLine>;
  /** How many bytes are whole lines. */
  readonly whole: number;
}

/**
 * Reads a file; undefined if it is not one of a command in parts. A line that is cut off at the end is left out. Each
 * range must be there once, and no program twice.
 */
export function readJournal(path: string): Journal | undefined | { readonly error: string } {
  // A device may never end.
  if (!statSync(path).isFile()) return undefined;
  const bytes = readFileSync(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  const [first = '', ...lines] = bytes.toString('utf8', 0, end).split('\n').slice(0, -1);
  const named = parseJson(first);
  const name = isObject(named) ? named['command'] : undefined;
  const command = PARTED_COMMANDS.find((one) => one === name);
  if (command === undefined) return undefined;
  const wrong = (at: number, what: string) => ({ error: `${path}:${at + 1}: ${what}` });
  const own = undigested(first);
  if (own === undefined) return wrong(0, CHANGED);
  const header = JSON.parse(own.json) as JournalHeader;
  const total = totalOf(header);
  if (total === undefined) return wrong(0, 'not the first line of a run in parts');
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
  /** Adds an object as a line, which the operating system has when this returns. */
  add(json: string): void;
  /** Returns whether everything was written. */
  close(): boolean;
}

/**
 * Opens a file for the results of a run: a new one, or one that has results of the same run.
 *
 * @param failed hears once that the file cannot be written any more
 */
export function openJournal(
  path: string,
  header: JournalHeader,
  failed: (error: unknown) => void,
): JournalWriter | { readonly error: string } {
  const target = targetOf(path);
  if ('problem' in target) return { error: `${path}: ${target.problem}` };
  try {
    const isNew = !existsSync(path) || target.old?.size === 0n;
    const old = isNew ? undefined : readJournal(path);
    if (old !== undefined && 'error' in old) return old;
    if (!isNew && old === undefined) {
      return { error: `${path}: is no file of results of such a run: name another file` };
    }
    const other = old === undefined ? [] : differences(old.header, header);
    if (other.length > 0) {
      return { error: `${path}: holds results of another run: ${other.join('; ')}` };
    }
    const { line, digest } = digested(JSON.stringify(header));
    const fd = openSync(path, isNew ? 'w' : 'a');
    if (old !== undefined) ftruncateSync(fd, old.whole);
    const file = appendTo(fd, old?.whole ?? 0, failed);
    if (old === undefined) file.write(`${line}\n`);
    return {
      jobs: old?.jobs ?? new Map(),
      add: (json) => file.write(`${digested(json, digest).line}\n`),
      close: file.close,
    };
  } catch (error) {
    return { error: `${path}: ${failure(error)}` };
  }
}

/** What differs between two runs, in words: what the first has, and what the other. */
function differences(is: JournalHeader, other: JournalHeader): readonly string[] {
  const isOther = (key: string): boolean => JSON.stringify(is[key]) !== JSON.stringify(other[key]);
  const keys = [...new Set([...Object.keys(is), ...Object.keys(other)])].filter(isOther);
  // Another command has other options, too, and how many shares there are follows from the rest.
  const rest = keys.filter((key) => key !== 'shares');
  const told = keys.includes('command') ? ['command'] : rest.length > 0 ? rest : keys;
  return told.map((key) => {
    const [a, b] = [is[key], other[key]].map(valueText);
    return a === b ? `another text of ${key}` : `${key} ${a}, not ${b}`;
  });
}

/** A value of a header in words; of models, their names. */
function valueText(value: unknown): string {
  if (value === undefined) return 'as usual';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (isObject(value) && isString(value['model'])) return value['model'];
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
