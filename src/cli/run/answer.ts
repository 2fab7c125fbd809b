/**
 * How every command over litmus files runs. A command reads its inputs, lists the tasks for workers, and makes a report
 * of the results. The rest is here and the same for all: the order of messages, interruptions, and which exit code
 * takes precedence.
 */
import { BAD_INPUT, INTERRUPTED } from '../command/exit.js';
import type { CommandReport } from '../print/print.js';
import { complain, print } from '../print/print.js';
import type { ResultStore } from '../results/store.js';
import type { CommandTask, TaskRunner } from './tasks.js';
import type { Workers } from '../../node/pool.js';

/** The work of a command after its inputs have been read. */
export interface CommandWork<T> {
  /** Messages before the work: warnings, notices, and mistakes in inputs. */
  readonly said?: readonly string[];
  /** Whether something is wrong with an input. The others are still decided, and the exit code is `BAD_INPUT`. */
  readonly bad?: boolean;
  readonly tasks: readonly CommandTask<T, Workers>[];
  /** Whether a result is to be the last one (`TaskRunner`). */
  readonly last?: (result: T) => boolean;
  /** How many tasks are under way at once, if not all. */
  readonly atOnce?: number;
  /** The file that tasks add their results to. */
  readonly store?: Pick<ResultStore, 'close'> | undefined;
  /** Makes the report of the results, also if an interruption left some out. */
  report(results: readonly T[], interrupted: boolean): CommandReport | Promise<CommandReport>;
}

/** Why a command does not begin its work. */
export interface CommandRefusal {
  readonly refused: readonly string[];
}

/** What happened besides the results. */
export interface Incidents {
  /** Something could not be read or written. */
  readonly bad?: boolean;
  readonly interrupted?: boolean;
}

/** Prints why a command does not begin its work. Returns the exit code. */
export function refuse(messages: readonly string[]): number {
  complain(messages);
  return BAD_INPUT;
}

/**
 * Lets workers do the tasks, prints the report, and ends the workers.
 *
 * @returns the exit code
 */
export async function answer<T>(
  run: TaskRunner,
  questions: CommandWork<T> | CommandRefusal,
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
 * @returns the first of these exit codes that applies: of an interruption, of bad inputs or outputs, of the report
 */
export async function conclude(
  report: CommandReport,
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
