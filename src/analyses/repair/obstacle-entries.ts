import type { SessionOptions } from '../../check/session.js';
import { openSession } from '../../check/session.js';
import type { TableEntry } from '../../model/table-entries.js';
import { equalTableEntries, withoutTableEntries } from '../../model/table-entries.js';
import type { Program } from '../../program/program.js';
import type { SolverFactory } from '../../solve/solver.js';
import type { Badness } from './solved.js';

/**
 * The entries of a model's tables without which something bad could happen. Each entry is tried by itself: if the model
 * lacks it and has all others, can the bad thing happen? An entry may stand in several tables. Then it is first removed from
 * all of them, and after that from each of them alone.
 *
 * @returns lists of cells that must be removed together; most have one cell
 */
export function obstacleEntries(
  program: Program,
  { model, bad }: Badness,
  newSolver: SolverFactory,
  { deadline, ...options }: SessionOptions & { readonly deadline: number },
): { readonly cells: readonly (readonly TableEntry[])[]; readonly finished: boolean } {
  let finished = true;
  const matters = (cells: readonly TableEntry[]): boolean => {
    if (performance.now() > deadline) finished = false;
    if (!finished) return false;
    const weaker = withoutTableEntries(model, cells);
    const session = openSession(program, weaker, newSolver, options);
    if ('reason' in session) return false;
    try {
      return session.find(...(bad === undefined ? [] : [bad(session)])).kind === 'found';
    } finally {
      session.solver.dispose();
    }
  };
  const cells = equalTableEntries(model).flatMap((entry) => {
    if (!matters(entry)) return [];
    const single = entry.filter((cell) => entry.length === 1 || matters([cell]));
    return single.length > 0 ? single.map((cell) => [cell]) : [entry];
  });
  return { cells, finished };
}
