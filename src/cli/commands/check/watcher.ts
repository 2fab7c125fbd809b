import type { Dirent, FSWatcher } from 'node:fs';
import { existsSync, readdirSync, realpathSync, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isFolder } from '../../outputs/folders.js';
import { UsageError } from '../../command/usage.js';
import { SIGNALS } from '../../run/signals.js';

/** Notices changes of files and folders, until it is closed or a signal ends it. */
export interface Watcher {
  /** Has a signal come? */
  readonly ended: boolean;
  /** Watches these places from now on. Returns whether some were not watched before. */
  follow(places: readonly string[]): boolean;
  /** Resolves when something has changed since the last time, or when a signal comes. */
  change(): Promise<void>;
  close(): void;
}

/** Milliseconds of rest after a change: programs write files in several steps. */
const REST = 100;

/** Which entries of a folder are watched: all, or those with these names. */
type Interest = 'all' | Set<string>;

/** A watched folder. Another folder may have its path later, so it is known by its number. */
interface WatchedFolder {
  readonly handle: FSWatcher;
  readonly inode: number;
  interest: Interest;
}

/**
 * Watches folders, not files: editors replace files, and a file may come back; both are changes of its folder.
 */
export function watchPlaces(): Watcher {
  let ended = false;
  let changed = false;
  let wake: (() => void) | undefined;
  const end = (): void => {
    ended = true;
    wake?.();
  };
  for (const signal of SIGNALS) process.on(signal, end);
  const folders = watchFolders(() => {
    changed = true;
    wake?.();
  });
  return {
    get ended() {
      return ended;
    },
    follow: (places) => folders.follow(interests(places)),
    async change() {
      if (!changed && !ended) await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
      changed = false;
    },
    close() {
      for (const signal of SIGNALS) process.removeListener(signal, end);
      folders.close();
    },
  };
}

/** Watches folders, and calls back a while after a watched entry has changed. */
function watchFolders(onChange: () => void): {
  follow(wanted: ReadonlyMap<string, Interest>): boolean;
  close(): void;
} {
  const folders = new Map<string, WatchedFolder>();
  let timer: NodeJS.Timeout | undefined;
  const notice = (folder: string, name: string | null): void => {
    const interest = folders.get(folder)?.interest;
    // A model may lack a file that it includes.
    const isModel = name?.endsWith('.cat') === true;
    if (interest instanceof Set && name !== null && !interest.has(name) && !isModel) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, REST);
  };
  const leave = (folder: string): void => {
    folders.get(folder)?.handle.close();
    folders.delete(folder);
  };
  /** Watches a folder, unless it is gone. */
  const start = (folder: string, interest: Interest): boolean => {
    try {
      const handle = watch(folder, (_, name) => notice(folder, name));
      // A folder that is deleted is missed in its parent, which is watched as well.
      handle.on('error', () => leave(folder));
      folders.set(folder, { handle, interest, inode: inodeOf(folder) ?? -1 });
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return false;
      throw new UsageError(`${folder}: cannot be watched (${code})`);
    }
  };
  return {
    follow(wanted) {
      for (const [folder, { inode }] of folders) {
        if (!wanted.has(folder) || inodeOf(folder) !== inode) leave(folder);
      }
      let more = false;
      for (const [folder, interest] of wanted) {
        const old = folders.get(folder);
        if (old === undefined) more = start(folder, interest) || more;
        else old.interest = interest;
      }
      return more;
    },
    close() {
      clearTimeout(timer);
      [...folders.keys()].forEach(leave);
    },
  };
}

/** The folders to watch for these places, and which entries of each. */
function interests(places: readonly string[]): ReadonlyMap<string, Interest> {
  const all = new Map<string, Interest>();
  const add = (folder: string, name: string): void => {
    const names = all.get(folder) ?? new Set<string>();
    if (names !== 'all') all.set(folder, names.add(name));
  };
  /** Watches a place by its name, and by the place that it links to. */
  const entry = (path: string): void => {
    let here = resolve(path);
    while (!existsSync(dirname(here))) here = dirname(here);
    add(dirname(here), basename(here));
    if (existsSync(here) && realpathSync(here) !== here) {
      const real = realpathSync(here);
      add(dirname(real), basename(real));
    }
  };
  /** Watches a folder with everything in it. */
  const tree = (folder: string): void => {
    if (all.get(folder) === 'all') return;
    all.set(folder, 'all');
    for (const found of entriesOf(folder)) {
      const path = join(folder, found.name);
      if (found.isSymbolicLink()) entry(path);
      if (isFolder(path)) tree(realpathSync(path));
    }
  };
  for (const place of places) {
    entry(place);
    if (isFolder(place)) tree(realpathSync(place));
  }
  return all;
}

/** The entries of a folder; none if it cannot be listed, which is reported when it is read. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const inodeOf = (path: string): number | undefined =>
  statSync(path, { throwIfNoEntry: false })?.ino;
