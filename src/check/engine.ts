import { join } from 'node:path';
import type { Diagnostic, Result } from '../diagnostics/index.js';
import { fail } from '../diagnostics/index.js';
import { MODELS_FOLDER } from '../model/load.js';
import type { Model } from '../model/term.js';
import { OPERATIONAL_MODELS, unsupported } from '../operational/index.js';
import type { Hardware } from '../operational/index.js';
import type { Program } from '../program/program.js';
import type { Adapted } from '../program/translate.js';
import { adapt } from '../program/translate.js';

/**
 * Ways to a verdict, as independent of each other as they can be:
 * - `auto`: `enumerate` for what is tiny, `smt` for the rest
 * - `smt`: constraints over all executions at once, solved by Z3
 * - `enumerate`: executions one by one, judged by the concrete evaluator
 * - `operational`: the states of a machine with buffers; no executions, no cat
 * - `six-buffers`: the same with the concrete queue pairs of six buffers
 */
export const ENGINES = ['auto', 'smt', 'enumerate', 'operational', 'six-buffers'] as const;
export type Engine = (typeof ENGINES)[number];

/** May an engine need a solver? Such engines are given a new try query by query where one fails. */
export const solves = (engine: Engine): boolean => engine === 'auto' || engine === 'smt';

/** What keeps a search through executions or states from going on for ever. */
export interface SearchLimits {
  /** Overrides the file's loop bound. */
  readonly bound?: number;
  /** How many candidates are judged, or states remembered, at most. */
  readonly limit?: number;
  /** When to give up, as `performance.now()` counts. */
  readonly deadline: number;
}

const QUEUE_PAIRS: Partial<Record<Engine, Hardware['queuePairs']>> = {
  operational: 'simplified',
  'six-buffers': 'six-buffers',
};

/** The machine that an engine runs for a model; undefined if it runs none, or has none for it. */
export function machineOf(engine: Engine, model: Model): Hardware | undefined {
  const queuePairs = QUEUE_PAIRS[engine];
  // A file of the same name elsewhere may say anything.
  const hardware = isShipped(model) ? OPERATIONAL_MODELS.get(model.name) : undefined;
  if (queuePairs === undefined || hardware === undefined) return undefined;
  return { ...hardware, queuePairs };
}

const isShipped = ({ name, file }: Model): boolean => file === join(MODELS_FOLDER, `${name}.cat`);

/** Why an engine cannot treat a model, if it cannot. */
export function refusal(engine: Engine, model: Model): Diagnostic | undefined {
  if (QUEUE_PAIRS[engine] === undefined || machineOf(engine, model) !== undefined) return undefined;
  const those = [...OPERATIONAL_MODELS.keys()].join(', ');
  const message = `the ${engine} engine has no machine for this model; it has those of ${those}`;
  const hint = 'smt and enumerate take any cat file';
  const file = isShipped(model) ? model.name : model.file;
  return { span: { file, start: 0, end: 0 }, message, hint };
}

/**
 * A program in the instructions of a model, for an engine. Fails where instructions have no
 * translation, or where the engine has no meaning for the model or an instruction.
 */
export function prepare(program: Program, model: Model, engine: Engine): Result<Adapted> {
  const refused = refusal(engine, model);
  if (refused !== undefined) return fail([refused]);
  const adapted = adapt(program, model);
  if (!adapted.ok || QUEUE_PAIRS[engine] === undefined) return adapted;
  const errors = unsupported(adapted.value.program);
  return errors.length === 0 ? adapted : fail(errors);
}
