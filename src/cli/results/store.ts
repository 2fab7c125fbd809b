import { existsSync, ftruncateSync, openSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OverwriteRule, OutputTarget } from '../outputs/plan.js';
import { FORCE, failure, identities, fileIdentity, openStream, targetOf } from '../outputs/plan.js';
import { appendTo } from './append.js';
import { STDIN } from '../inputs/reader.js';
import { notReplayed, replayed } from './replay.js';
import type { FileEntry, Header } from './format.js';
import { blockLines, differences, headerLine, sameCorpus } from './format.js';
import type { Results, SavedResults } from './read.js';
import { missing, readSaved } from './read.js';

/** The file to which results go as soon as they are there. */
export interface ResultStore {
  /** The results that were there already. */
  readonly results?: Results;
  /** Does it have results for this file with its present text? */
  has(entry: FileEntry): boolean;
  /** Adds a file and its results. The operating system has all of them when this returns. */
  add(entry: FileEntry, results: readonly string[]): void;
  /**
   * Closes the file; if the run is finished, it replaces a former file. Returns whether everything was written.
   */
  close(finished: boolean): boolean;
}

export interface StoreOptions {
  readonly out?: string;
  readonly resume?: string;
}

/** Why these options cannot be meant together, or undefined. */
export function storeMisuse({ out, resume }: StoreOptions): string | undefined {
  if (out === undefined || resume === undefined || resolve(out) === resolve(resume))
    return undefined;
  return '--resume goes on in the file that it names: --out cannot name another one';
}

/** Where results are written, and the final place of the file if it is another. */
interface ResultsPlace {
  readonly file: string;
  readonly streams?: boolean;
  readonly replaces?: string;
}

/** The place of results, with the results that are there already. */
type Before = (ResultsPlace & { readonly saved?: SavedResults }) | { readonly error: string };

/**
 * Opens the file of `--out` or `--resume` for a run with a header. `complain` gets messages about executions that are
 * not replayed, and about a file that can no longer be written; in the latter case results are still reported, and
 * `close` returns false.
 */
export function openStore(
  { out, resume }: StoreOptions,
  header: Header,
  rule: OverwriteRule,
  complain: (error: string) => void,
): ResultStore | { readonly error: string } | undefined {
  const path = resume ?? out;
  if (path === undefined) return undefined;
  try {
    const before = resume === undefined ? fresh(path, rule) : resumable(path, header, complain);
    if ('error' in before) return before;
    const { saved, file } = before;
    const fd =
      before.streams === true ? openStream(file) : openSync(file, resume === undefined ? 'w' : 'a');
    const whole = saved?.whole ?? 0;
    if (resume !== undefined) ftruncateSync(fd, whole);
    const failed = (error: unknown): void =>
      complain(`${file}: ${failure(error)}; the report has all results`);
    const store = writer(fd, whole, header, saved, failed);
    return before.replaces === undefined ? store : replacing(store, before, complain);
  } catch (error) {
    return { error: `${path}: ${failure(error)}` };
  }
}

/** A store whose file replaces a former one when the run is finished. */
function replacing(
  store: ResultStore,
  { file, replaces = file }: ResultsPlace,
  complain: (error: string) => void,
): ResultStore {
  return {
    ...store,
    close(finished) {
      const good = store.close(finished);
      try {
        if (finished && good) renameSync(file, replaces);
        else complain(`${replaces} is as it was, and ${file} has what was found: --resume goes on`);
        return good;
      } catch (error) {
        complain(`${replaces}: ${failure(error)}; the results are in ${file}`);
        return false;
      }
    },
  };
}

/** The place of results for a new run. A file that is to be replaced stays until the run is finished. */
function fresh(path: string, rule: OverwriteRule): Before {
  const target = targetOf(path);
  if ('problem' in target) return { error: `${path}: ${target.problem}` };
  const { file, old } = target;
  if (target.streams || old === undefined || old.size === 0n) return target;
  const problem = rule.force === true ? undefined : objection(path, target, rule);
  if (problem !== undefined) return { error: problem };
  const draft = `${file}.unfinished`;
  if (!existsSync(draft)) return { file: draft, replaces: file };
  return { error: `${draft} is there: go on with it by --resume, or remove it` };
}

/** Why results may not replace the file that is there, without force. */
function objection(path: string, target: OutputTarget, rule: OverwriteRule): string | undefined {
  if (identities(rule.inputs).has(fileIdentity(target)))
    return `${path}: this is an input of this command: ${FORCE}`;
  const read = readSaved(path);
  if ('error' in read) return `${read.error}: ${FORCE}`;
  if (read.saved === undefined) return undefined;
  return missing(read.saved) === 0
    ? `${path}: holds the results of a finished run: ${FORCE}`
    : `${path}: holds results of a run that was not finished: go on with --resume; ${FORCE}`;
}

/** The place and the results of a run to resume; it may have none yet. */
function resumable(path: string, header: Header, complain: (notice: string) => void): Before {
  if (path === STDIN || !existsSync(path)) {
    const target = targetOf(path);
    return 'problem' in target ? { error: `${path}: ${target.problem}` } : { file: path };
  }
  const read = readSaved(path);
  if ('error' in read) return read;
  if (read.saved === undefined) return { file: path };
  const { header: is } = read.saved;
  const all = [...differences(is, header)];
  if (is.shard !== header.shard) all.push(`shard ${is.shard}, not ${header.shard}`);
  if (all.length > 0) {
    return { error: `${path}: holds results of another run: ${all.join('; ')}` };
  }
  const { errors, left } = replayed(path, read.saved);
  if (errors.length > 0) return { error: errors.join('\n') };
  notReplayed(left).forEach(complain);
  return { file: path, saved: read.saved };
}

function writer(
  fd: number,
  whole: number,
  header: Header,
  saved: SavedResults | undefined,
  failed: (error: unknown) => void,
): ResultStore {
  const file = appendTo(fd, whole, failed);
  if (saved === undefined || headerLine(saved.header) !== headerLine(header)) {
    file.write(headerLine(header));
  }
  const entries = new Map<number, string>();
  if (saved !== undefined && sameCorpus(saved.header, header)) {
    for (const entry of saved.entries.values()) entries.set(entry.position, JSON.stringify(entry));
  }
  return {
    results: saved?.results,
    has: (entry) => entries.get(entry.position) === JSON.stringify(entry),
    add(entry, results) {
      entries.set(entry.position, JSON.stringify(entry));
      file.write(blockLines(header, entry, results));
    },
    close: file.close,
  };
}
