/** Files of results grow while a run goes on, and keep what they have when it ends at any moment. */
import { closeSync, fsyncSync, ftruncateSync, writeSync } from 'node:fs';

/** A file that texts are added to, as long as that works. */
export interface Appended {
  /** Adds a text as a whole. The operating system has it when this returns. */
  write(text: string): void;
  /** Returns whether everything was written. */
  close(): boolean;
}

/** Milliseconds after which what was written is flushed to the disk. */
const SYNC_AFTER = 5000;

/**
 * @param length how many bytes the file has
 * @param failed hears once that the file cannot be written any more; it ends with the last text that fitted
 */
export function appendTo(fd: number, length: number, failed: (error: unknown) => void): Appended {
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
  return {
    write: (text) =>
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
      }),
    close() {
      attempt(() => sync(fd));
      attempt(() => closeSync(fd));
      return good;
    },
  };
}

/** Cuts off a text that was only written in part. */
function takeBack(fd: number, length: number): void {
  try {
    ftruncateSync(fd, length);
  } catch {
    // This is not a regular file. Readers leave out a text that is cut off.
  }
}

/** Waits until the disk holds what was written. Pipes and devices have no disk. */
function sync(fd: number): void {
  try {
    fsyncSync(fd);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  }
}
