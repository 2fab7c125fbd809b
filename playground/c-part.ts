import type * as core from '../src/core.js';
import type { Edit } from '../src/c/edit/insert.js';
import type { Tried } from '../src/analyses/in-c/tried.js';
import type { readC } from '../src/c/said.js';
import type { PrintedRepair } from '../src/analyses/repair/print.js';

/** All that is done with C. It is a script of its own, which is loaded once a program is C. */
export interface CPart {
  readonly read: typeof readC;
  /** The file with a head in front; undefined: it has one, or says nothing. */
  withHead(source: core.SourceFile): string | undefined;
  /** What the head of a file has still to say. */
  gaps(source: core.SourceFile): readonly ShownGap[];
  /** A test whose explanations have lines of C. */
  withLines(test: core.Test, of: Pick<Tried, 'source' | 'read'>): core.Test;
  /** A repair with a patch of the C. */
  tried(repair: PrintedRepair, of: Tried): Promise<PrintedRepair>;
}

/** Something that a head has still to say. */
export interface ShownGap {
  /** What is asked. */
  readonly text: string;
  /** The line of C that needs it, and its number. */
  readonly code?: string;
  readonly line?: number;
  /** Where it is in the program. */
  readonly start: number;
  readonly end: number;
  /** Whether others come first. */
  readonly waits: boolean;
  /** What may stand there; none, if only who knows the code can say it. */
  readonly fillings: readonly ShownFilling[];
}

export interface ShownFilling {
  readonly text: string;
  readonly note?: string;
  readonly edits: readonly Edit[];
}

/** Starts the part: the script has this function. */
export type StartC = () => Promise<CPart>;

let started: Promise<CPart> | undefined;

/**
 * Loads it from the site. It may fail for a reason that is gone the next time.
 *
 * @param place an address in the folder of the page
 */
export async function loadC(place: string): Promise<CPart> {
  try {
    started ??= import(new URL('c/c.js', place).href).then(({ startC }: { startC: StartC }) =>
      startC(),
    );
    return await started;
  } catch (error) {
    started = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`what reads C could not be loaded: ${reason}`, { cause: error });
  }
}
