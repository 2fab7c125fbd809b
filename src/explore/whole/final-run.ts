import type { Model } from '../../model/term.js';
import type { Program, Subject } from '../../program/program.js';
import type { FinalRun } from '../final-run.js';
import { wrongRun } from './explorer.js';
import type { WholeOptions } from './search.js';
import { searchWhole } from './search.js';
import { tellWhole } from './told.js';

/** What the search for a run came to, line by line. */
export type FinalLines =
  | Exclude<FinalRun, { readonly kind: 'found' }>
  | { readonly kind: 'found'; readonly lines: readonly string[] };

/** As `findFinalRun`, of a model in which reads are performed out of order. */
export function findWholeRun(
  program: Program,
  model: Model,
  wanted: (final: (subject: Subject) => number) => boolean,
  options: WholeOptions,
): FinalLines {
  let found: FinalLines | undefined;
  const { incomplete, upTo } = searchWhole(program, model, options, (run) => {
    if (!wanted(run.final)) return false;
    const reason = wrongRun(run, model);
    found =
      reason === undefined
        ? { kind: 'found', lines: tellWhole(run, false) }
        : { kind: 'wrong', reason };
    return true;
  });
  if (found !== undefined) return found;
  const reason =
    incomplete ?? (upTo === undefined ? undefined : `no run within ${upTo} iterations`);
  return reason === undefined ? { kind: 'none' } : { kind: 'unknown', reason };
}
