import { existsSync } from 'node:fs';
import { decide, enumerate } from '../../src/check/decide.js';
import type { Answer } from '../../src/check/result.js';
import { fail, ok } from '../../src/parse/diagnostics/index.js';
import { shippedFile } from '../../src/model/places.js';
import type { Files } from '../../src/node/models.js';
import { DISK, MODELS_FOLDER, loadModel, loadModelNamed } from '../../src/node/models.js';
import type { Model } from '../../src/model/term.js';
import type { Test } from '../../src/program/program.js';
import { allSubjects, observedSubjects } from '../../src/program/subjects.js';
import { adapt } from '../../src/rdma/translate.js';
import { loadZ3 } from '../../src/node/z3.js';
import { itemsOf } from './cases.js';
import { litmus, valueOf } from './litmus.js';

export { litmus };

/** The whole checker in this process, with one Z3 for a test file. */

export const newSolver = await loadZ3();

/** The models that are shipped, without those that others only include. */
export const SHIPPED = [
  'rdma-sc',
  'rdma-sc-no-ib',
  'rdma-tso',
  'rdma-tso-4.4',
  'rdma-tso-nopcie',
  'rdma-tso-rec',
  'rdma-wait',
  'sc',
  'x86-tso',
  'x86-tso-textbook',
] as const;

const loaded = new Map<string, Model>();

/** A shipped model by its short name; a model as it is. */
export function modelOf(model: string | Model): Model {
  if (typeof model !== 'string') return model;
  if (!loaded.has(model)) {
    const file = shippedFile(model, DISK);
    const { model: read } = existsSync(file) ? loadModel(file) : loadModelNamed(model);
    loaded.set(model, valueOf(read));
  }
  return loaded.get(model)!;
}

/** A model from cat text, which may include the shipped files. */
export function cat(text: string): Model {
  const files: Files = {
    exists: (path) => path.startsWith(MODELS_FOLDER) && existsSync(path),
    read: (path) => (path === 'own.cat' ? ok({ path, text }) : readShipped(path)),
  };
  return valueOf(loadModel('own.cat', files).model);
}

function readShipped(path: string): ReturnType<Files['read']> {
  const { model, sources } = loadModel(path);
  const source = sources.get(path);
  return source !== undefined ? ok(source) : model.ok ? fail([]) : model;
}

/**
 * The models that the settings of a case name: shipped ones with commas, and `own` for cat text. Without
 * settings, rdma-tso.
 */
export function modelsOf(settings: Readonly<{ models?: string; cat?: string }>): readonly Model[] {
  const own = settings.cat === undefined ? undefined : cat(settings.cat);
  const names = itemsOf(settings.models ?? own?.name ?? 'rdma-tso');
  return names.map((name) => (name === own?.name ? own : modelOf(name)));
}

/** A test in the instructions of a model. */
export function adapted(test: Test, model: Model): Test {
  return { ...test, program: valueOf(adapt(test.program, model)).program };
}

/** The answers to all queries of a litmus file. */
export function answers(text: string, model: string | Model, bound?: number): readonly Answer[] {
  const m = modelOf(model);
  const given: Answer[] = [];
  const options = bound === undefined ? {} : { bound };
  decide(adapted(litmusFor(text, m), m), m, newSolver, options, (answer) => given.push(answer));
  return given;
}

/** The answers in words: `allowed`, `forbidden up to 3`, `unknown: reason`. */
export function verdicts(text: string, model: string | Model, bound?: number): readonly string[] {
  return answers(text, model, bound).map(
    ({ verdict, reason, upTo }) =>
      verdict +
      (upTo === undefined ? '' : ` up to ${upTo}`) +
      (reason === undefined ? '' : `: ${reason}`),
  );
}

/**
 * All final states of what the queries name, or of everything without queries, as `a=1 b=0`. What
 * makes the list incomplete comes last, as `up to …` or `incomplete: …`.
 */
export function states(text: string, model: string | Model, bound?: number): readonly string[] {
  const m = modelOf(model);
  const test = litmusFor(text, m);
  return statesOf(test, m, observedSubjects(test), bound);
}

/** A litmus file, in the instructions of a model if nodes have tags, or if it is of herd7: no others have these. */
const litmusFor = (text: string, { instructions }: Model): Test =>
  /^node \w+ \[|^(?!RDMA)[A-Z]\w* \S/m.test(text) ? litmus(text, instructions) : litmus(text);

/** The final states of everything in a program that has a name. */
export function allStates(test: Test, model: string | Model): readonly string[] {
  return statesOf(test, modelOf(model), allSubjects(test.program));
}

function statesOf(
  test: Test,
  model: Model,
  subjects: ReturnType<typeof allSubjects>,
  bound?: number,
): readonly string[] {
  const found = enumerate(adapted(test, model), model, newSolver, subjects, bound);
  return [
    ...found.states.map((state) =>
      Object.entries(state)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    ),
    ...(found.upTo === undefined ? [] : [`up to ${found.upTo}`]),
    ...(found.incomplete === undefined ? [] : [`incomplete: ${found.incomplete}`]),
  ];
}
