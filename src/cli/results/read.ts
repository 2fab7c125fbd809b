import { readFileSync, statSync } from 'node:fs';
import type { Answer, Outcomes } from '../../check/result.js';
import type { Test } from '../../program/program.js';
import { CHANGED, undigested } from './digest.js';
import { parseJson } from './guards.js';
import { STDIN_NAME, receive } from '../inputs/reader.js';
import type { FileEntry, Header } from './format.js';
import { differences, sameCorpus } from './format.js';
import { contentOf, shardKey } from '../inputs/shard.js';
import type { ResultLine } from './lines.js';
import { isEntry, isHeader, resultOf } from './lines.js';

/** The contents of a file of results. */
export interface SavedResults {
  readonly header: Header;
  /** The files that are done, by position. */
  readonly entries: ReadonlyMap<number, FileEntry>;
  /** The results, by the hash of the litmus file's text, so that files may be renamed. */
  readonly results: Results;
  /** The verdicts that executions show, in all blocks. */
  readonly claims: readonly ClaimedAnswer[];
  /** How many bytes are whole blocks; the rest was cut off in the middle of a block. */
  readonly whole: number;
}

/** An answer that its execution has to show, and the number of its line. */
export interface ClaimedAnswer {
  readonly line: number;
  readonly entry: FileEntry;
  readonly model: string;
  readonly answer: Answer;
}

/** Results by key (`keyOf`) and model. */
export interface Results {
  /** The answers by the index of the query. */
  answers(key: string, model: string): ReadonlyMap<number, Answer>;
  outcomes(key: string, model: string): Outcomes | undefined;
}

/** A file of results; without `saved` if not even the first line is whole. */
export type ReadResults = { readonly saved?: SavedResults } | { readonly error: string };

/**
 * Reads a file of results. A block that is cut off at the end, for example by a signal or a full disk, is no error and
 * is left out.
 */
export function readSaved(path: string): ReadResults {
  try {
    // A device may never end.
    if (!statSync(path).isFile()) return { error: `${path}: is not a regular file` };
    return readBytes(path, readFileSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const problem = code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`;
    return { error: `${path}: ${problem}` };
  }
}

/** Reads results from standard input. */
export async function readSavedInput(): Promise<ReadResults> {
  const received = await receive(Infinity);
  if ('problem' in received) return { error: `${STDIN_NAME}: ${received.problem}` };
  return readBytes(STDIN_NAME, received.bytes);
}

/** How every file of results begins. */
const BEGIN = '{"remora":';

function readBytes(path: string, bytes: Buffer): ReadResults {
  const lines = wholeLines(bytes);
  if (lines.length === 0) {
    const begin = bytes.toString('utf8', 0, BEGIN.length);
    return BEGIN.startsWith(begin) ? {} : { error: `${path}: not a file of results` };
  }
  let header: Header | undefined;
  let run = '';
  let whole = 0;
  const entries = new Map<number, FileEntry>();
  const results = collect();
  const claims: ClaimedAnswer[] = [];
  const wrong = (at: number, what: string) => ({ error: `${path}:${at + 1}: ${what}` });

  for (let at = 0; at < lines.length;) {
    const value = parseJson(lines[at].text);
    if (isHeader(value)) {
      const own = undigested(lines[at].text);
      if (own === undefined) return wrong(at, CHANGED);
      const read = JSON.parse(own.json) as Header;
      const [difference] = header === undefined ? [] : differences(read, header);
      if (difference !== undefined) return wrong(at, `another run than above: ${difference}`);
      if (header !== undefined && !sameCorpus(header, read)) entries.clear();
      [header, run] = [read, own.digest];
      at += 1;
    } else if (header === undefined) {
      return wrong(at, 'not a file of results');
    } else if (isEntry(value)) {
      const own = undigested(lines[at].text, run);
      if (own === undefined) return wrong(at, CHANGED);
      const { results: count, ...entry } = JSON.parse(own.json) as typeof value;
      if (contentOf(entry.source) !== entry.content) {
        return wrong(at, 'the source is not the one that the content was made from');
      }
      const block: ResultLine[] = [];
      for (const [i, line] of lines.slice(at + 1, at + 1 + count).entries()) {
        const result = resultOf(parseJson(line.text));
        if (result === undefined) return wrong(at + 1 + i, 'not a line of results');
        if (undigested(line.text, own.digest) === undefined) return wrong(at + 1 + i, CHANGED);
        block.push(result);
      }
      // A block that is cut off is computed again as a whole.
      if (block.length < count) break;
      for (const [i, result] of block.entries()) {
        results.add(shardKey(entry), result);
        if (result.kind !== 'answer' || !isShown(result.answer)) continue;
        const { model, answer } = result;
        claims.push({ line: at + 2 + i, entry, model, answer });
      }
      entries.set(entry.position, entry);
      at += 1 + count;
    } else return wrong(at, 'not a line about a litmus file');
    whole = lines[at - 1].end;
  }
  return header === undefined ? {} : { saved: { header, entries, results, claims, whole } };
}

/** The complete lines, each with the position of its end in bytes. */
function wholeLines(bytes: Buffer): readonly { readonly text: string; readonly end: number }[] {
  const lines = [];
  for (let start = 0; ;) {
    const newline = bytes.indexOf(0x0a, start);
    if (newline === -1) return lines;
    lines.push({ text: bytes.toString('utf8', start, newline), end: newline + 1 });
    start = newline + 1;
  }
}

/** Collects results: a later one replaces an earlier one, unless only the earlier one is decided. */
function collect(): Results & { add(key: string, result: ResultLine): void } {
  const answers = new Map<string, Map<number, Answer>>();
  const outcomes = new Map<string, Outcomes>();
  const under = (known: string, model: string): string => `${known} ${model}`;
  return {
    answers: (known, model) => answers.get(under(known, model)) ?? new Map(),
    outcomes: (known, model) => outcomes.get(under(known, model)),
    add(known, result) {
      if (result.kind === 'untranslatable') return;
      const key = under(known, result.model);
      if (result.kind === 'outcomes') {
        const old = outcomes.get(key);
        const keep = old !== undefined && isComplete(old) && !isComplete(result.outcomes);
        if (!keep) outcomes.set(key, result.outcomes);
        return;
      }
      const { answer } = result;
      const of = answers.get(key) ?? new Map<number, Answer>();
      answers.set(key, of);
      const old = of.get(answer.query);
      if (old === undefined || !isDecided(old) || isDecided(answer)) of.set(answer.query, answer);
    },
  };
}

/** Is an answer decided? Then it holds whatever the limits were. */
export const isDecided = ({ verdict }: Answer): boolean => verdict !== 'unknown';

/** Does an execution show this answer? */
const isShown = ({ verdict }: Answer): boolean => verdict === 'allowed' || verdict === 'fails';

export const isComplete = ({ incomplete }: Outcomes): boolean => incomplete === undefined;

/** How many files of its shard lack some or all results. */
export function missing(saved: SavedResults): number {
  const done = [...saved.entries.values()].filter((entry) => isWhole(saved, entry));
  return saved.header.files - done.length;
}

/** Has a file all its results? */
export const isWhole = ({ header, results }: SavedResults, entry: FileEntry): boolean =>
  entry.models.every(({ model, untranslatable, withoutMachine = 0 }) => {
    if (untranslatable !== undefined) return true;
    const key = shardKey(entry);
    if (header.command === 'outcomes') return results.outcomes(key, model) !== undefined;
    return results.answers(key, model).size + withoutMachine >= entry.queries;
  });

/** The answers in the results to the queries of a test. */
export function savedAnswers(
  results: Results | undefined,
  { queries }: Test,
  key: string,
  model: string,
): readonly Answer[] {
  const answers = results?.answers(key, model);
  return queries.flatMap((_, query) => answers?.get(query) ?? []);
}
