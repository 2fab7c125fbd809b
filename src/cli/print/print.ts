/** What commands say: complaints on standard error, and a report on standard output. */
import type { FormatName } from './formats.js';
import { formatNamed } from './formats.js';

/** What a command found, as it is printed. */
export interface Report {
  /** Said before: about what was asked and has no answer. */
  readonly said?: readonly string[];
  /** Whether some of that could not be read, treated or written. */
  readonly bad?: boolean;
  readonly format: FormatName;
  /** Empty where a picture takes standard output. */
  readonly text: string;
  /** What an interruption left undone: said where the format does not tell it. */
  readonly interruption?: readonly string[];
  /** Was something interrupted that came after the tasks? */
  readonly interrupted?: boolean;
  /** Writes pictures and programs, when the report is printed. Gives why some are not written. */
  readonly write?: () => readonly string[] | Promise<readonly string[]>;
  /** Does the exit code tell of these files, even where there was an interruption? */
  readonly filesFirst?: boolean;
  /** The exit code, where nothing was interrupted or bad. */
  readonly code: number;
}

/** Errors and notices, one below the other, on standard error. */
export function complain(messages: readonly string[]): void {
  for (const message of messages) process.stderr.write(`${message}\n`);
}

/** Prints a report on standard output. */
export function print({
  format,
  text,
  interruption = [],
}: Pick<Report, 'format' | 'text' | 'interruption'>): void {
  process.stdout.write(text);
  if (!formatNamed(format).tellsInterruption) complain(interruption);
}

/** Each on a line of its own. */
export const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
