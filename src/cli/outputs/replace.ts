import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { SourceFile } from '../../parse/diagnostics/index.js';
import { INTERRUPTED } from '../command/exit.js';
import { SIGNALS } from '../run/signals.js';

/**
 * Replaces a file, or makes it. The bytes are written beside it and renamed when the disk holds all of them, so that at
 * any moment there is the former file or the new one. Throws the error of the system; then the former file is there,
 * and nothing else. Signals wait until it is done.
 *
 * (The packages write-file-atomic and atomically do not notice that the disk is full: they rename a file that was
 * written only in part.)
 */
export function replaceFile(file: string, bytes: Uint8Array): void {
  holdSignals();
  const draft = join(dirname(file), `.remora-unfinished-${process.pid}`);
  try {
    const fd = openSync(draft, 'wx');
    try {
      writeFileSync(fd, bytes);
      keepOwner(fd, file);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(draft, { force: true });
    throw error;
  }
}

/** The number of writes whose signals may still be waiting to be delivered. */
let writes = 0;

/** Delays signals until the present synchronous work is done. Then they end the process, unless somebody else listens for them. */
function holdSignals(): void {
  writes += 1;
  if (writes === 1) for (const signal of SIGNALS) process.on(signal, exit);
  const release = (): void => {
    writes -= 1;
    if (writes === 0) for (const signal of SIGNALS) process.removeListener(signal, exit);
  };
  // Signals that came during the write are delivered between the two.
  setImmediate(() => setImmediate(release));
}

const exit = (signal: NodeJS.Signals): void => {
  if (process.listenerCount(signal) === 1) process.exit(INTERRUPTED);
};

/** Gives a new file the rights and the owner of the old one, as far as this is allowed. */
function keepOwner(fd: number, file: string): void {
  const old = statSync(file, { throwIfNoEntry: false });
  if (old === undefined) return;
  try {
    fchmodSync(fd, old.mode);
    fchownSync(fd, old.uid, old.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/**
 * Puts a new text into a file that was read before. If it cannot, returns why: for example, somebody changed the file
 * since.
 */
export function replaceText({ path, text: before }: SourceFile, after: string): string | undefined {
  try {
    // A link stays a link: the file that it leads to is replaced.
    const file = realpathSync(path);
    const bytes = readFileSync(file);
    if (bytes.toString('utf8') !== before) return 'it changed while it was decided';
    if (!bytes.equals(Buffer.from(before))) return 'it is not UTF-8 text';
    accessSync(file, constants.W_OK);
    replaceFile(file, Buffer.from(after));
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return `it cannot be written (${code})`;
  }
}
