import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { resolve } from 'node:path';
import type { Entry, Header } from './results.js';
import { blockLines, differences, headerLine, sameCorpus } from './results.js';
import type { Results, Saved } from './saved.js';
import { missing, readSaved } from './saved.js';

/** The file that results go to as soon as they are there. */
export interface Store {
  /** The results that were there already. */
  readonly results?: Results;
  /** Is a file there, as it is now? */
  has(entry: Entry): boolean;
  /** Adds a file and results of it. They are with the system, as a whole, when this returns. */
  add(entry: Entry, results: readonly string[]): void;
  /** Closes the file; was all of it written? */
  close(): boolean;
}

/** Milliseconds after which the system is asked to have the disk hold what it was given. */
const SYNC_AFTER = 5000;

export interface StoreOptions {
  readonly out?: string;
  readonly resume?: string;
}

/** What cannot be meant by these options, if anything. */
export function misuse({ out, resume }: StoreOptions): string | undefined {
  if (out === undefined || resume === undefined || resolve(out) === resolve(resume))
    return undefined;
  return '--resume goes on in the file that it names: --out cannot name another one';
}

/**
 * Opens the file of `--out` or `--resume` for a run with a header. `complain` hears about a file
 * that can no longer be written; results are then still reported, and `close` returns false.
 */
export function openStore(
  { out, resume }: StoreOptions,
  header: Header,
  complain: (error: string) => void,
): Store | { readonly error: string } | undefined {
  const path = resume ?? out;
  if (path === undefined) return undefined;
  try {
    const before = resume === undefined ? replaceable(path) : resumable(path, header);
    if ('error' in before) return before;
    const { saved } = before;
    const fd = openSync(path, resume === undefined ? 'w' : 'a');
    const whole = saved?.whole ?? 0;
    if (resume !== undefined) ftruncateSync(fd, whole);
    const failed = (error: unknown): void => {
      const { code } = error as NodeJS.ErrnoException;
      complain(`${path}: cannot be written (${code}); the report has all results`);
    };
    return writer(fd, whole, header, saved, failed);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { error: `${path}: cannot be written (${code})` };
  }
}

/** A file may be written anew if no result is lost that way but those of a run that was finished. */
function replaceable(path: string): { readonly error: string } | { readonly saved?: undefined } {
  const old = statSync(path, { throwIfNoEntry: false });
  if (old === undefined || !old.isFile() || old.size === 0) return {};
  const read = readSaved(path);
  if ('error' in read) {
    return { error: `${read.error}; --out does not write over it` };
  }
  if (read.saved === undefined || missing(read.saved) === 0) return {};
  const error = `${path}: holds results of a run that was not finished: go on with --resume, or remove it`;
  return { error };
}

/** The results to go on with: of the same run, or none yet. */
function resumable(
  path: string,
  header: Header,
): { readonly error: string } | { readonly saved?: Saved } {
  if (!existsSync(path)) return {};
  const read = readSaved(path);
  if ('error' in read || read.saved === undefined) return read;
  const { header: is } = read.saved;
  const all = [...differences(is, header)];
  if (is.shard !== header.shard) all.push(`shard ${is.shard}, not ${header.shard}`);
  if (all.length === 0) return read;
  return { error: `${path}: holds results of another run: ${all.join('; ')}` };
}

function writer(
  fd: number,
  whole: number,
  header: Header,
  saved: Saved | undefined,
  failed: (error: unknown) => void,
): Store {
  let length = whole;
  let synced = performance.now();
  let good = true;
  const attempt = (action: () => void): void => {
    if (!good) return;
    try {
      action();
    } catch (error) {
      good = false;
      failed(error);
    }
  };
  const write = (text: string): void =>
    attempt(() => {
      const bytes = Buffer.from(text);
      try {
        for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
      } catch (error) {
        takeBack(fd, length);
        throw error;
      }
      length += bytes.length;
      if (performance.now() - synced < SYNC_AFTER) return;
      sync(fd);
      synced = performance.now();
    });
  if (saved === undefined || headerLine(saved.header) !== headerLine(header)) {
    write(headerLine(header));
  }
  const entries = new Map<number, string>();
  if (saved !== undefined && sameCorpus(saved.header, header)) {
    for (const entry of saved.entries.values()) entries.set(entry.position, blockLines(entry, []));
  }
  return {
    ...(saved !== undefined && { results: saved.results }),
    has: (entry) => entries.get(entry.position) === blockLines(entry, []),
    add(entry, results) {
      entries.set(entry.position, blockLines(entry, []));
      write(blockLines(entry, results));
    },
    close() {
      attempt(() => sync(fd));
      attempt(() => closeSync(fd));
      return good;
    },
  };
}

/** Takes the beginning of something back that could not be written as a whole. */
function takeBack(fd: number, length: number): void {
  try {
    ftruncateSync(fd, length);
  } catch {
    // Not a regular file. Readers leave out what is cut off.
  }
}

/** Has the disk hold what was written; pipes and devices have none. */
function sync(fd: number): void {
  try {
    fsyncSync(fd);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  }
}
