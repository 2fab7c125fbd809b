/** Output of commands: messages on standard error, and a report on standard output. */
import type { FormatName } from './formats.js';
import { formatNamed } from './formats.js';

/** The report of a command, as it is printed. */
export interface CommandReport {
  /** Messages before the report, about questions without an answer. */
  readonly said?: readonly string[];
  /** Whether something could not be read, decided or written. */
  readonly bad?: boolean;
  readonly format: FormatName;
  /** The text for standard output; empty if a picture goes there. */
  readonly text: string;
  /** What an interruption left undone. Printed on standard error if the format does not say it. */
  readonly interruption?: readonly string[];
  /** Was something interrupted after the tasks? */
  readonly interrupted?: boolean;
  /** Writes pictures and programs, after the report is printed. Returns messages about those that are not written. */
  readonly write?: () => readonly string[] | Promise<readonly string[]>;
  /** Does a problem with these files decide the exit code, even after an interruption? */
  readonly filesFirst?: boolean;
  /** The exit code if nothing was interrupted or bad. */
  readonly code: number;
}

/** Prints errors and notices on standard error, one below the other. */
export function complain(messages: readonly string[]): void {
  for (const message of messages) process.stderr.write(`${message}\n`);
}

/** Prints a report on standard output. */
export function print({
  format,
  text,
  interruption = [],
}: Pick<CommandReport, 'format' | 'text' | 'interruption'>): void {
  process.stdout.write(text);
  if (!formatNamed(format).tellsInterruption) complain(interruption);
}

/** Joins texts, each on a line of its own. */
export const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
