import type { Diagnostic, Result } from '../diagnostics/index.js';
import { fail } from '../diagnostics/index.js';
import type { Acyclicity } from '../encode/acyclicity/choice.js';
import { isShipped } from '../model/folder.js';
import type { Model } from '../model/term.js';
import { OPERATIONAL_MODELS, unsupported } from '../operational/index.js';
import type { Hardware } from '../operational/index.js';
import type { Program } from '../program/program.js';
import type { Adapted } from '../program/translate.js';
import { adapt } from '../program/translate.js';

/**
 * Ways to a verdict, as independent of each other as they can be:
 * - `auto`: `enumerate` for what is tiny, `smt` for the rest
 * - `smt`: constraints over all executions at once, solved by the Z3 that comes with Remora
 * - `smt-ranks`, `smt-closure`, `smt-difference`: the same with another encoding of acyclicity, for
 *   comparison (docs/encodings.md)
 * - `native`, `native-difference`: as `smt` and `smt-difference`, solved by the user's own solver
 * - `enumerate`: executions one by one, judged by the concrete evaluator
 * - `operational`: the states of a machine with buffers; no executions, no cat
 * - `six-buffers`: the same with the concrete queue pairs of six buffers
 */
export const ENGINES = [
  'auto',
  'smt',
  'smt-ranks',
  'smt-closure',
  'smt-difference',
  'native',
  'native-difference',
  'enumerate',
  'operational',
  'six-buffers',
] as const;
export type Engine = (typeof ENGINES)[number];

/** How an engine puts its questions to a solver, and to which one. */
export interface Solving {
  readonly acyclicity: Acyclicity;
  readonly backend: Backend;
}

/** The Z3 that comes with Remora, or the process of a solver that the user names. */
export type Backend = 'built-in' | 'native';

const SOLVING: Partial<Record<Engine, Solving>> = {
  auto: { acyclicity: 'elimination', backend: 'built-in' },
  smt: { acyclicity: 'elimination', backend: 'built-in' },
  'smt-ranks': { acyclicity: 'ranks', backend: 'built-in' },
  'smt-closure': { acyclicity: 'closure', backend: 'built-in' },
  'smt-difference': { acyclicity: 'difference', backend: 'built-in' },
  native: { acyclicity: 'elimination', backend: 'native' },
  'native-difference': { acyclicity: 'difference', backend: 'native' },
};

/** How an engine asks a solver; undefined for those that ask none. */
export const solvingOf = (engine: Engine): Solving | undefined => SOLVING[engine];

/** May an engine need a solver? Such engines are given a new try query by query where one fails. */
export const solves = (engine: Engine): boolean => solvingOf(engine) !== undefined;

/** Does an engine need a solver that the user names? */
export const isNative = (engine: Engine): boolean => solvingOf(engine)?.backend === 'native';

/** Will an engine need the built-in Z3 for sure, so that it is best loaded early? */
export const needsBuiltIn = (engine: Engine): boolean =>
  engine !== 'auto' && solvingOf(engine)?.backend === 'built-in';

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
  const hardware = isShipped(model) ? OPERATIONAL_MODELS.get(model.name) : undefined;
  if (queuePairs === undefined || hardware === undefined) return undefined;
  return { ...hardware, queuePairs };
}

/** Can an engine treat all models? */
export const takesAll = (engine: Engine): boolean => QUEUE_PAIRS[engine] === undefined;

/** Why an engine cannot treat a model, if it cannot. */
export function refusal(engine: Engine, model: Model): Diagnostic | undefined {
  if (takesAll(engine) || machineOf(engine, model) !== undefined) return undefined;
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
  if (!adapted.ok || takesAll(engine)) return adapted;
  const errors = unsupported(adapted.value.program);
  return errors.length === 0 ? adapted : fail(errors);
}
