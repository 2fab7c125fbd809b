import { didYouMean, fail, ok, whole } from '../parse/diagnostics/index.js';
import type { Diagnostic, Result, SourceFile } from '../parse/diagnostics/index.js';
import type { CatFile, Item, Name } from '../parse/cat-ast.js';
import { parseCat } from '../parse/cat.js';
import { elaborate } from './elaborate.js';
import { PRELUDES, herdFileHint } from './herd-names.js';
import { interned } from './instructions/union.js';
import type { Model } from './term.js';

/** How paths are put together and taken apart, as `node:path` does it. */
export interface Paths {
  readonly basename: (path: string) => string;
  readonly dirname: (path: string) => string;
  readonly join: (...parts: string[]) => string;
  readonly normalize: (path: string) => string;
}

/** Where model files come from. */
export interface ModelFiles {
  readonly paths: Paths;
  readonly exists: (path: string) => boolean;
  readonly read: (path: string) => Result<SourceFile>;
  /** The folder of the models that come with Remora; includes are looked for there last. */
  readonly folder: string;
  /** The names of the models in it. */
  readonly names: () => readonly string[];
  /** A model in it by its name, as it was made before of the texts that are given with it. */
  readonly made?: (name: string) => MadeModel | undefined;
}

/** A model that was loaded before: it is what a file says as long as all texts are still the same. */
export interface MadeModel {
  readonly model: Model;
  /** All files that it is made of, by their names in the folder, in the order in which they were read. */
  readonly texts: readonly (readonly [name: string, text: string])[];
}

/** A model or what is wrong with it, and every file that diagnostics may point into. */
export interface LoadedModel {
  readonly model: Result<Model>;
  readonly sources: ReadonlyMap<string, SourceFile>;
}

/** How many files may be put in: files that include others twice double them each time. */
const INCLUDES = 100;

/** The file that declares the instructions of RDMA programs. */
const INSTRUCTIONS = 'instructions.cat';

/** The items that say what programs are made of. */
const DECLARATIONS: readonly Item['kind'][] = [
  'initial',
  'event',
  'operation',
  'short',
  'guess',
  'tag',
];

/** Is an item one of those that make an instruction set? */
const declares = ({ kind }: Item): boolean => kind === 'event' || kind === 'operation';

const parsedFiles = new Map<string, Result<CatFile>>();

/** The tree of a file. Several models include the same files: each text is parsed once. */
function parsedOf(source: SourceFile): Result<CatFile> {
  const key = `${source.path}\0${source.text}`;
  const before = parsedFiles.get(key);
  if (before !== undefined) return before;
  if (parsedFiles.size >= INCLUDES) parsedFiles.clear();
  const parsed = whole(parseCat(source));
  parsedFiles.set(key, parsed);
  return parsed;
}

/** Loads a model from its text; `file` is the name that diagnostics and relative includes use. */
export function parseModel(text: string, file: string, files: ModelFiles): LoadedModel {
  return loadModel(file, {
    ...files,
    exists: (path) => path === file || files.exists(path),
    read: (path) => (path === file ? ok({ path, text }) : files.read(path)),
  });
}

/**
 * Loads a model file with the files it includes.
 *
 * Errors: a file that cannot be read (an included one is reported where it is included), a
 * circular include, and whatever parsing and elaboration find. Elaboration starts once all files
 * are read and parsed; a file that does not parse hides what it includes.
 */
export function loadModel(path: string, files: ModelFiles): LoadedModel {
  const sources = new Map<string, SourceFile>();
  const errors: Diagnostic[] = [];
  const root = files.read(path);
  if (!root.ok) return { model: root, sources };
  // What is read may have another name than it is asked for by.
  const { basename, dirname, join, normalize } = files.paths;
  const file = root.value.path;
  const name = basename(file).replace(/\.cat$/, '');
  const shipped = file === join(files.folder, `${name}.cat`);
  const made = shipped ? files.made?.(name) : undefined;
  const before = made && madeBefore(made, root.value, files);
  if (before !== undefined) return before;
  let title = name;
  let included = 0;
  const expanded = new Set<string>();
  const own = expand(root.value, [file]);
  const items = own.some(declares) ? own : [...instructions(), ...own];
  if (errors.length > 0) return { model: fail(errors), sources };
  return { model: elaborate({ name, title, file, shipped, items }, sources), sources };

  /** What every model is about that declares nothing. */
  function instructions(): Item[] {
    const source = files.read(join(files.folder, INSTRUCTIONS));
    if (source.ok) return expand(source.value, [file, source.value.path]);
    errors.push(...source.errors);
    return [];
  }

  /** The items of a file, with included files' items in the place of includes. */
  function expand(source: SourceFile, chain: readonly string[]): Item[] {
    sources.set(source.path, source);
    const parsed = parsedOf(source);
    if (!parsed.ok) {
      const instead = ownInstead(source.path, files);
      errors.push(...parsed.errors.map((e) => ({ ...e, hint: e.hint ?? instead.hint })));
      return [];
    }
    if (chain.length === 1) title = parsed.value.title ?? name;
    // Definitions may be given again, declarations not: those of a file count where it is first included.
    const again = expanded.has(source.path);
    expanded.add(source.path);
    return parsed.value.items.flatMap((item) => {
      if (item.kind === 'include') return include(source, item.path, chain);
      return again && DECLARATIONS.includes(item.kind) ? [] : [item];
    });
  }

  function include(from: SourceFile, { text, span }: Name, chain: readonly string[]): Item[] {
    const refuse = (message: string, hint?: string): Item[] => {
      errors.push({ span, message, hint });
      return [];
    };
    included += 1;
    if (included === INCLUDES + 1) return refuse(`more than ${INCLUDES} files are included`);
    if (included > INCLUDES) return [];
    const candidates = [join(dirname(from.path), text), join(files.folder, text)];
    const found = candidates.find((candidate) => files.exists(candidate));
    if (found === undefined) {
      const hint = herdFileHint(text) ?? didYouMean(text, PRELUDES.keys());
      return refuse(`no file '${text}', neither beside this file nor among Remora's models`, hint);
    }
    if (chain.some((file) => normalize(file) === found)) {
      const names = [...chain, found].map((file) => basename(file));
      return refuse(`circular include: ${names.join(' → ')}`);
    }
    const source = files.read(found);
    if (!source.ok) return refuse(`cannot include '${text}': ${source.errors[0].message}`);
    return expand(source.value, [...chain, found]);
  }
}

/** A model that was made before, unless one of its files has changed. */
function madeBefore(
  { model, texts }: MadeModel,
  root: SourceFile,
  { paths, read, folder }: ModelFiles,
): LoadedModel | undefined {
  const at = (name: string): string => paths.join(folder, name);
  const sources = new Map<string, SourceFile>();
  for (const [name, text] of texts) {
    const source = at(name) === root.path ? ok(root) : read(at(name));
    if (!source.ok || source.value.text !== text) return undefined;
    sources.set(source.value.path, source.value);
  }
  const axioms = model.axioms.map(({ span, ...axiom }) => {
    return { ...axiom, span: { ...span, file: at(span.file) } };
  });
  const instructions = interned(model.instructions);
  return { model: ok({ ...model, file: at(model.file), axioms, instructions }), sources };
}

/** What is kept of a model that was loaded, to load it again; the inverse of `madeBefore`. */
export function keptOf(
  model: Model,
  sources: LoadedModel['sources'],
  { basename }: Paths,
): MadeModel {
  const axioms = model.axioms.map(({ span, ...axiom }) => {
    return { ...axiom, span: { ...span, file: basename(span.file) } };
  });
  return {
    model: { ...model, file: basename(model.file), axioms },
    texts: [...sources.values()].map(({ path, text }) => [basename(path), text] as const),
  };
}

/** A hint for a file of herd7's library that stands beside a model and is not understood. */
function ownInstead(path: string, { folder, paths }: ModelFiles): Pick<Diagnostic, 'hint'> {
  const file = paths.basename(path);
  if (!PRELUDES.has(file) || paths.dirname(path) === folder) return {};
  return { hint: `without this file, Remora's own ${file} is included` };
}
