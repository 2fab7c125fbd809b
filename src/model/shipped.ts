import { didYouMean, ok } from '../parse/diagnostics/index.js';
import { PRELUDES } from './herd-names.js';
import type { LoadedModel, ModelFiles, OtherCpu } from './load.js';
import { CPUS, WITH_CPU } from './cpus.js';
import { loadModel } from './load.js';
import { LIBRARIES, inFolders, isOpen, namedFile, shippedFile } from './places.js';

/** The models that tests are decided under by default, in the order of tables. */
export const MAIN_MODELS: readonly string[] = [
  'sc',
  'rdma-sc',
  'rdma-tso',
  'rdma-tso-nopcie',
  'rdma-wait',
];

/** The model for programs without remote operations. */
export const CPU_MODEL = 'x86-tso';

/** Behind the name of a model: axioms that it goes without, as with herd7's `-skipcheck`. */
export const WITHOUT = '~';
const LEFT_OUT = RegExp(`(?:${WITHOUT}[\\w.-]+)+$`);

/**
 * Loads a model by the name of a shipped one or by the path of a `.cat` file. A library that comes with Remora is one, too.
 * Names that Remora has are its own; others are looked for in the user's folders, and so are paths that are not there.
 * `MODEL+CPU` is a model with another CPU, which is named as models are; `MODEL~AXIOM` is a model without an axiom. Errors:
 * those of `loadModelFile`, an unknown name, and a model that has no such axiom, or no other one.
 */
export function loadModelNamed(nameOrPath: string, files: ModelFiles): LoadedModel {
  const [end] = files.exists(namedFile(nameOrPath, files))
    ? ['']
    : (LEFT_OUT.exec(nameOrPath) ?? ['']);
  const loaded = loadWithCpu(nameOrPath.slice(0, nameOrPath.length - end.length), files);
  return end === '' ? loaded : without(loaded, end);
}

/** A loaded model that goes without some of its axioms, and is called so. */
function without(loaded: LoadedModel, end: string): LoadedModel {
  if (!loaded.model.ok) return loaded;
  const model = loaded.model.value;
  const name = `${model.name}${end}`;
  const left = end.slice(1).split(WITHOUT);
  const all = model.axioms.flatMap((one) => (one.flag ? [] : [one.name]));
  const unknown = left.find((one) => !all.includes(one));
  if (unknown !== undefined) {
    const message = `${model.name} has no axiom '${unknown}'; it has ${all.join(', ')}`;
    return failedToLoad(name, message, didYouMean(unknown, all));
  }
  const axioms = model.axioms.filter((one) => one.flag || !left.includes(one.name));
  const value = { ...model, name, shipped: false, axioms };
  return deciding({ ...loaded, model: ok(value) }, name);
}

function loadWithCpu(nameOrPath: string, files: ModelFiles): LoadedModel {
  const at = files.exists(namedFile(nameOrPath, files)) ? -1 : nameOrPath.lastIndexOf(WITH_CPU);
  if (at < 0) return loadWith(nameOrPath, files);
  const name = nameOrPath.slice(at + 1);
  const file = isPath(name)
    ? namedFile(name, files)
    : files.paths.join(files.folder, CPUS, `${name}.cat`);
  const problem = cpuProblem(name, files);
  if (problem !== undefined) return failedToLoad(nameOrPath, problem.message, problem.hint);
  const called = files.paths.basename(file).replace(/\.cat$/, '');
  return loadWith(nameOrPath.slice(0, at), files, { name: called, file });
}

/** What is wrong with the name of a CPU, if there is no such CPU. */
export function cpuProblem(
  name: string,
  files: ModelFiles,
): { readonly message: string; readonly hint: string | undefined } | undefined {
  const all = files.cpus?.() ?? [];
  const isThere = isPath(name) ? files.exists(namedFile(name, files)) : all.includes(name);
  if (isThere) return undefined;
  const message = `no such CPU '${name}'; there are ${all.join(', ')}, or give a .cat file`;
  return { message, hint: didYouMean(name, all) };
}

/** The names that expectations may have: of the models that come with Remora, and of each with another CPU. */
export const expectedNames = ({ names, cpus = () => [] }: ModelFiles): readonly string[] => [
  ...names(),
  ...names().flatMap((name) => cpus().map((cpu) => `${name}${WITH_CPU}${cpu}`)),
];

const isPath = (nameOrPath: string): boolean =>
  nameOrPath.endsWith('.cat') || nameOrPath.includes('/');

function loadWith(nameOrPath: string, files: ModelFiles, cpu?: OtherCpu): LoadedModel {
  if (isPath(nameOrPath)) return loadPath(nameOrPath, files, cpu);
  const libraries = files.libraries?.() ?? [];
  const file = libraries.includes(nameOrPath)
    ? files.paths.join(files.folder, LIBRARIES, `${nameOrPath}.cat`)
    : shippedFile(nameOrPath, files);
  if (files.exists(file)) {
    return PRELUDES.has(`${nameOrPath}.cat`)
      ? failedToLoad(nameOrPath, 'this file is there to be included: alone it is no model')
      : loadModelFile(file, files, nameOrPath, cpu);
  }
  const own = `${nameOrPath}.cat`;
  const found = inFolders(own, files);
  if (found !== undefined) return loadModelFile(found, files, undefined, cpu);
  const hint = files.exists(own)
    ? `the file beside is named with its ending: ${own}`
    : didYouMean(nameOrPath, [...files.names(), ...libraries]);
  const message = `no such model; there are ${files.names().join(', ')}, or give a .cat file`;
  return failedToLoad(nameOrPath, message, hint);
}

function loadPath(path: string, files: ModelFiles, cpu?: OtherCpu): LoadedModel {
  const file = namedFile(path, files);
  const { folders = [] } = files;
  return files.exists(file) || folders.length === 0 || !isOpen(path)
    ? loadModelFile(file, files, undefined, cpu)
    : failedToLoad(path, `no such file, neither here nor in ${folders.join(', ')}`);
}

function failedToLoad(file: string, message: string, hint?: string): LoadedModel {
  const span = { file, start: 0, end: 0 };
  return { model: { ok: false, errors: [{ span, message, hint }] }, sources: new Map() };
}

/**
 * Loads a model file that decides something. Errors: those of `loadModel`, and a file that has no axioms.
 *
 * @param name what that error calls the file
 */
export const loadModelFile = (
  path: string,
  files: ModelFiles,
  name?: string,
  cpu?: OtherCpu,
): LoadedModel => deciding(loadModel(path, files, cpu), name);

/** A loaded model, unless it has no axioms: such a file decides nothing, and is there to be included. */
export function deciding(loaded: LoadedModel, name?: string): LoadedModel {
  if (!loaded.model.ok || !loaded.model.value.axioms.every((a) => a.flag)) return loaded;
  const span = { file: name ?? loaded.model.value.file, start: 0, end: 0 };
  const message = 'this model has no axioms: it would allow everything';
  return { ...loaded, model: { ok: false, errors: [{ span, message }] } };
}
