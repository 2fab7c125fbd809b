/**
 * The one way from questions to an exit code. A command reads its inputs, and says what there is to ask of workers and how the
 * results become a report. All else is the same for each: what is said, and when; what an interruption does; which exit code
 * goes before which.
 */
import { BAD_INPUT, INTERRUPTED } from '../command/exit.js';
import type { Report } from '../print/print.js';
import { complain, print } from '../print/print.js';
import type { Store } from '../results/store.js';
import type { CommandTask, TaskRunner } from './tasks.js';
import type { Workers } from '../../node/pool.js';

/** What is left to be done when inputs have been read. */
export interface Questions<T> {
  /** Said before the work: warnings, notices, and what is wrong with inputs. */
  readonly said?: readonly string[];
  /** Whether something is wrong with an input. The others are asked about, and the exit code tells. */
  readonly bad?: boolean;
  readonly tasks: readonly CommandTask<T, Workers>[];
  /** Whether a result is to be the last one (`TaskRunner`). */
  readonly last?: (result: T) => boolean;
  /** How many are under way at once, if not all. */
  readonly atOnce?: number;
  /** The file that tasks add their results to. */
  readonly store?: Store | undefined;
  /** Makes the report of what was found, whether all of it was found or not. */
  report(results: readonly T[], interrupted: boolean): Report | Promise<Report>;
}

/** That nothing is asked, and why. */
export interface Refusal {
  readonly refused: readonly string[];
}

/** What happened beside the results. */
export interface Incidents {
  /** Something could not be read or written. */
  readonly bad?: boolean;
  readonly interrupted?: boolean;
}

/** Says what keeps a command from its work. Gives the exit code. */
export function refuse(messages: readonly string[]): number {
  complain(messages);
  return BAD_INPUT;
}

/**
 * Has workers answer questions, prints the report, and ends the workers.
 *
 * @returns the exit code
 */
export async function answer<T>(
  run: TaskRunner,
  questions: Questions<T> | Refusal,
): Promise<number> {
  if ('refused' in questions) {
    const code = refuse(questions.refused);
    await run.all([]);
    return code;
  }
  const { said = [], bad = false, tasks, last, atOnce, store } = questions;
  complain(said);
  const { results, interrupted } = await run.all(tasks, last, atOnce);
  const isKept = store?.close(!interrupted && results.length === tasks.length) ?? true;
  const report = await questions.report(results, interrupted);
  return conclude(report, { bad: bad || !isKept, interrupted });
}

/**
 * Prints a report, and writes the files that go with it.
 *
 * @returns the exit code: of an interruption, or else of what could not be read or written, or else of the report
 */
export async function conclude(
  report: Report,
  { bad = false, interrupted = false }: Incidents = {},
): Promise<number> {
  complain(report.said ?? []);
  print(report);
  const unwritten = (await report.write?.()) ?? [];
  complain(unwritten);
  if (report.filesFirst === true && unwritten.length > 0) return BAD_INPUT;
  if (interrupted || report.interrupted === true) return INTERRUPTED;
  return bad || report.bad === true || unwritten.length > 0 ? BAD_INPUT : report.code;
}
