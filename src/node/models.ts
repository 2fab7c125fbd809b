/** Model files on disk, and the models that come with Remora. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import * as paths from 'node:path';
import { fileURLToPath } from 'node:url';
import { CPUS } from '../model/cpus.js';
import { PRELUDES } from '../model/herd-names.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type { LoadedModel, ModelFiles } from '../model/load.js';
import * as load from '../model/load.js';
import { FABRICS, IMPLEMENTATIONS, LIBRARIES } from '../model/places.js';
import * as shipped from '../model/shipped.js';
import { readSource } from './read.js';

/** The models that come with Remora, and where includes are looked for last. */
export const MODELS_FOLDER = fileURLToPath(new URL('../../models', import.meta.url));

let names: readonly string[] | undefined;

/** The names of all models that come with Remora; files without axioms are there to be included. */
export function shippedModels(): readonly string[] {
  names ??= [MODELS_FOLDER, paths.join(MODELS_FOLDER, FABRICS)]
    .flatMap((folder) => readdirSync(folder))
    .filter((file) => file.endsWith('.cat') && !PRELUDES.has(file))
    .map((file) => file.slice(0, -'.cat'.length))
    .sort();
  return names;
}

let cpus: readonly string[] | undefined;

/** The names of the CPUs that come with Remora. */
export function shippedCpus(): readonly string[] {
  cpus ??= readdirSync(paths.join(MODELS_FOLDER, CPUS))
    .filter((file) => file.endsWith('.cat'))
    .map((file) => file.slice(0, -'.cat'.length))
    .sort();
  return cpus;
}

/** The names of the libraries that come with Remora; other files beside them are there to be included. */
function shippedLibraries(): readonly string[] {
  const folder = paths.join(MODELS_FOLDER, LIBRARIES);
  return readdirSync(folder)
    .filter(
      (file) =>
        file.endsWith('.cat') && /^library /m.test(readFileSync(paths.join(folder, file), 'utf8')),
    )
    .map((file) => file.slice(0, -'.cat'.length))
    .sort();
}

/** The names of the implementations that come with Remora. */
export const shippedImplementations = (): readonly string[] =>
  readdirSync(paths.join(MODELS_FOLDER, LIBRARIES, IMPLEMENTATIONS))
    .filter((file) => file.endsWith('.impl'))
    .map((file) => file.slice(0, -'.impl'.length))
    .sort();

let instructions: InstructionSet | undefined;

/** What programs can call where no model is named: what the models of RDMA that come with Remora declare. */
export function defaultInstructions(): InstructionSet {
  if (instructions === undefined) {
    const { model } = loadModel(paths.join(MODELS_FOLDER, 'rdma.cat'));
    if (!model.ok) throw new Error(model.errors[0].message);
    ({ instructions } = model.value);
  }
  return instructions;
}

/** Where the build leaves the models that come with Remora, loaded. The sources have no such folder. */
export const MADE_FOLDER = fileURLToPath(new URL('../made', import.meta.url));

/** A model as the build leaves it, packed: the texts, which models share, are in a file of their own. */
export type MadeFile = Pick<load.MadeModel, 'model'> & { readonly files: readonly string[] };
export const MADE_TEXTS = 'texts.json.gz';
export const madeFile = (name: string): string => `${name}.json.gz`;

const texts = new Map<string, Readonly<Record<string, string>>>();

/** What the build has made of a model: to load that takes a small part of the time. */
export function madeIn(folder: string, name: string): load.MadeModel | undefined {
  const file = paths.join(folder, madeFile(name));
  if (!existsSync(file)) return undefined;
  const read = (path: string): unknown => JSON.parse(gunzipSync(readFileSync(path)).toString());
  const { model, files } = read(file) as MadeFile;
  const known =
    texts.get(folder) ?? (read(paths.join(folder, MADE_TEXTS)) as Readonly<Record<string, string>>);
  texts.set(folder, known);
  return { model, texts: files.map((one) => [one, known[one]] as const) };
}

let lookedIn: readonly string[] = [];

/**
 * Has models and their includes be looked for in some folders, too, until this is called again. It is set once for a command, as the
 * working folder is: all that a command reads is looked for in the same places.
 */
export function lookIn(folders: readonly string[]): void {
  lookedIn = folders;
}

/** Files as they are. */
export const DISK: ModelFiles = {
  get folders() {
    return lookedIn;
  },
  made: (name) => madeIn(MADE_FOLDER, name),
  paths,
  exists: existsSync,
  read: readSource,
  folder: MODELS_FOLDER,
  names: shippedModels,
  cpus: shippedCpus,
  libraries: shippedLibraries,
};

/** Files elsewhere; the models that come with Remora stay where they are. */
export type Files = Pick<ModelFiles, 'exists' | 'read'>;

/** `loadModelNamed` of `model/shipped.ts`, from disk. */
export const loadModelNamed = (nameOrPath: string, files: Files = DISK): LoadedModel =>
  shipped.loadModelNamed(nameOrPath, { ...DISK, ...files });

/** `loadModelFile` of `model/shipped.ts`, from disk. */
export const loadModelFile = (path: string, files: Files = DISK): LoadedModel =>
  shipped.loadModelFile(path, { ...DISK, ...files });

/** `loadModel` of `model/load.ts`, from disk. */
export const loadModel = (path: string, files: Files = DISK): LoadedModel =>
  load.loadModel(path, { ...DISK, ...files });

/** `parseModel` of `model/load.ts`; what the text includes comes from disk. */
export const parseModel = (text: string, file = 'input.cat'): LoadedModel =>
  load.parseModel(text, file, DISK);
