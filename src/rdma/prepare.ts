import type { Diagnostic, Result } from '../parse/diagnostics/index.js';
import { fail } from '../parse/diagnostics/index.js';
import type { Refusal } from '../machine/layers.js';
import { hasMachine, placeOfRefusal, readLayers } from '../machine/layers.js';
import { refusedCall } from '../explore/prepare.js';
import type { Model } from '../model/term.js';
import { machineFor, machinesWith } from './machines/hardware.js';
import type { Hardware } from './machines/hardware.js';
import { unsupported } from './machines/supported.js';
import type { Program } from '../program/program.js';
import type { Adapted } from './translate.js';
import { adapt } from './translate.js';
import type { Engine } from './engines.js';

const QUEUE_PAIRS: { readonly [name in Engine]?: Hardware['queuePairs'] } = {
  simplified: 'simplified',
  'six-buffers': 'six-buffers',
};

/** The engine that explores the machine that a model file is. */
const OF_MODEL: Engine = 'operational';

/** Does an engine take all models? */
export const takesAll = (engine: Engine): boolean =>
  engine !== OF_MODEL && QUEUE_PAIRS[engine] === undefined;

const ANY_FILE = 'smt and enumerate take any cat file';

/** Why an engine does not take a model, or undefined. */
export function refusal(engine: Engine, model: Model): Diagnostic | undefined {
  const why = engine === OF_MODEL ? noMachine(model) : noPaperMachine(engine, model);
  if (why === undefined) return undefined;
  return refusedModel(model, why);
}

/** Why a model is not taken, at the place in its file. */
export function refusedModel(model: Model, { message, hint, ...why }: Refusal): Diagnostic {
  const span = model.shipped ? undefined : placeOfRefusal(model, why);
  // A whole file has no place in it. What comes with Remora is known by its name.
  const file = model.shipped ? model.name : model.file;
  return { span: span ?? { file, start: 0, end: 0 }, message, hint };
}

function noMachine(model: Model): Refusal | undefined {
  if (hasMachine(model)) return undefined;
  const layers = readLayers(model);
  return 'message' in layers ? explained(layers) : undefined;
}

/** The same for people who wonder what to do. */
export function explained(refusal: Refusal): Refusal {
  const hint = [refusal.hint, ANY_FILE].filter((part) => part !== undefined).join('; ');
  return { ...refusal, message: `this model is no machine: ${refusal.message}`, hint };
}

function noPaperMachine(engine: Engine, model: Model): Refusal | undefined {
  const queuePairs = QUEUE_PAIRS[engine];
  if (queuePairs === undefined || machineFor(model, queuePairs) !== undefined) return undefined;
  const those = machinesWith(queuePairs).join(', ');
  const message = `the ${engine} engine has no machine for this model; it has those of ${those}`;
  return { message, hint: `operational takes each model that is a machine; ${ANY_FILE}` };
}

/**
 * A program in the instructions of a model, for an engine. Fails if instructions have no translation, or if the engine
 * does not take the model or an instruction.
 */
export function prepare(program: Program, model: Model, engine: Engine): Result<Adapted> {
  const refused = refusal(engine, model);
  if (refused !== undefined) return fail([refused]);
  const adapted = adapt(program, model);
  if (adapted.ok && engine === OF_MODEL) {
    const refusedUse = refusedCall(adapted.value.program, model);
    return refusedUse === undefined ? adapted : fail([refusedUse]);
  }
  if (!adapted.ok || QUEUE_PAIRS[engine] === undefined) return adapted;
  const errors = unsupported(adapted.value.program, QUEUE_PAIRS[engine]);
  return errors.length === 0 ? adapted : fail(errors);
}
