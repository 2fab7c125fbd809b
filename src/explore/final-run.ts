import type { RunStep } from '../check/result.js';
import type { Machine } from '../machine/machine.js';
import type { Model } from '../model/term.js';
import type { Program, Subject } from '../program/program.js';
import { subjectValues } from './asked.js';
import { withoutPassing } from './direct.js';
import type { MachineOptions } from './finals.js';
import { machineForFinals, searchFinals } from './finals.js';
import { wrongRun } from './judge.js';
import { noMachineFor } from './prepare.js';
import type { Run } from './runs.js';
import { stepsIn } from './runs.js';
import type { Limits } from './search.js';
import { tidied } from './tidy.js';
import { tellRun } from './told.js';

/** What the search for a run came to; `wrong`: a bug. */
export type FinalRun =
  | { readonly kind: 'found'; readonly steps: readonly RunStep[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' | 'wrong'; readonly reason: string };

/**
 * Looks for a run of the machine that a model is, to a final state of which something is true: a shortest one, in an order that is easy to follow. The axioms judge it.
 *
 * @param wanted is asked with the final values of the subjects
 */
export function findFinalRun(
  program: Program,
  model: Model,
  wanted: (final: (subject: Subject) => number) => boolean,
  options: MachineOptions & Limits,
): FinalRun {
  const machine = machineForFinals(program, model, options);
  if ('message' in machine) return { kind: 'unknown', reason: noMachineFor(machine) };
  let found: number | undefined;
  const end = searchFinals(machine, options, (s, index) => {
    if (!wanted(subjectValues(machine.layout, s))) return false;
    found = index;
    return true;
  });
  if (found !== undefined) {
    const single = machineForFinals(program, model, { ...options, reduces: false });
    return shown('message' in single ? machine : single, model, end.runTo(found));
  }
  return end.incomplete === undefined
    ? { kind: 'none' }
    : { kind: 'unknown', reason: end.incomplete };
}

function shown(machine: Machine, model: Model, run: Run): FinalRun {
  const tidy = tidied(machine, run);
  const reason = wrongRun(machine, model, tidy);
  if (reason !== undefined) return { kind: 'wrong', reason };
  return { kind: 'found', steps: withoutPassing(tellRun(machine, stepsIn(tidy), false)) };
}
