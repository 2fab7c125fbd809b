import { USUAL_CPU_FILE, WITH_CPU } from './cpus.js';
import { didYouMean, fail, ok, whole } from '../parse/diagnostics/index.js';
import type { Diagnostic, Parsed, Result, SourceFile, Span } from '../parse/diagnostics/index.js';
import type { CatFile, CatItem, Name } from '../parse/cat-ast.js';
import { parseCat } from '../parse/cat.js';
import { distinctLinks, fileLink } from '../parse/links.js';
import type { NameLink } from '../parse/links.js';
import { elaborate } from './elaborate.js';
import { LIBRARY_FIRST } from './instructions/declare.js';
import type { LibraryPart } from './elaborate.js';
import { decided } from './static.js';
import {
  HERD_ATOMICS,
  HERD_LIBRARY,
  OURS,
  PRELUDES,
  herdFileHint,
  isHerdFile,
} from './herd-names.js';
import { interned } from './instructions/union.js';
import { LIBRARIES, bellFile, includedFile, shippedFile } from './places.js';
import type { Places } from './places.js';
import type { Model } from './term.js';

/** Where model files come from. */
export interface ModelFiles extends Places {
  readonly read: (path: string) => Result<SourceFile>;
  /** The names of the models in it, and in its folder of fabrics. */
  readonly names: () => readonly string[];
  /** The names of the CPUs that come with Remora. */
  readonly cpus?: () => readonly string[];
  /** The names of the libraries that come with Remora. */
  readonly libraries?: () => readonly string[];
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
export const INSTRUCTIONS_FILE = 'instructions.cat';

/** The file that puts libraries together. */
const TOGETHER = 'libraries.cat';

/** Another CPU for a model: its name, and its file, which stands wherever that of the usual CPU is included. */
export interface OtherCpu {
  readonly name: string;
  readonly file: string;
}

/** The items that say what programs are made of. */
const DECLARATIONS: readonly CatItem['kind'][] = [
  'initial',
  'event',
  'operation',
  'short',
  'guess',
  'tag',
  'instead',
  'object',
  'role',
];

/** Is an item one of those that make an instruction set? */
const declares = ({ kind }: CatItem): boolean => kind === 'event' || kind === 'operation';

const parsedFiles = new Map<string, Parsed<CatFile>>();

/** The tree of a file's good parts, and its mistakes. Several models include the same files: each text is parsed once. */
export function parsedModelFile(source: SourceFile): Parsed<CatFile> {
  const key = `${source.path}\0${source.text}`;
  const parsed = parsedFiles.get(key) ?? parseCat(source);
  // What was not asked for longest is forgotten first.
  parsedFiles.delete(key);
  parsedFiles.set(key, parsed);
  for (const oldest of parsedFiles.keys()) {
    if (parsedFiles.size <= INCLUDES) break;
    parsedFiles.delete(oldest);
  }
  return parsed;
}

const parsedOf = (source: SourceFile): Result<CatFile> => whole(parsedModelFile(source));

/** Loads a model from its text; `file` is the name that diagnostics and relative includes use. */
export function parseModel(text: string, file: string, files: ModelFiles): LoadedModel {
  return loadModel(file, {
    ...files,
    exists: (path) => path === file || files.exists(path),
    read: (path) => (path === file ? ok({ path, text }) : files.read(path)),
  });
}

/**
 * Loads a model file with the files it includes. A library is loaded as a model of programs that call it alone.
 *
 * Errors: a file that cannot be read (an included one is reported where it is included), a
 * circular include, and whatever parsing and elaboration find; another CPU for a model that includes none. Elaboration
 * starts once all files are read and parsed; a file that does not parse hides what it includes.
 */
export function loadModel(path: string, files: ModelFiles, cpu?: OtherCpu): LoadedModel {
  const reader = new Reader(files, undefined, cpu);
  const { sources, errors } = reader;
  const root = files.read(path);
  if (!root.ok) return { model: root, sources };
  // What is read may have another name than it is asked for by.
  const file = root.value.path;
  const alone = files.paths.basename(file).replace(/\.cat$/, '');
  const name = cpu === undefined ? alone : `${alone}${WITH_CPU}${cpu.name}`;
  const shipped = file === shippedFile(alone, files);
  const made = shipped && cpu === undefined ? files.made?.(name) : undefined;
  const before = made && madeBefore(made, root.value, files);
  if (before !== undefined) return before;
  const { title = name, items: own } = reader.model(root.value);
  if (own.some(({ kind }) => kind === 'library')) return loadLibraries([path], files);
  const items = own.some(declares) ? own : [...reader.instructions(file), ...own];
  if (cpu !== undefined && !sources.has(cpu.file) && errors.length === 0) {
    const message = `${alone} includes no ${USUAL_CPU_FILE}, so that no CPU can take its place`;
    errors.push({ span: { file, start: 0, end: 0 }, message });
  }
  if (errors.length > 0) return { model: fail(errors), sources };
  const { isOfHerd } = reader;
  return { model: elaborate({ name, title, file, shipped, items, isOfHerd }, sources), sources };
}

/**
 * Loads some libraries as the model of programs that call them, and those that need not be named (LOCO paper, Def. 3.6).
 * Errors: those of `loadModel`; a file that is no library; two libraries of one name.
 *
 * @param paths their files
 * @param named where each of them is named; without it, mistakes about a whole file are in that file
 */
export function loadLibraries(
  paths: readonly string[],
  files: ModelFiles,
  named: readonly Span[] = [],
): LoadedModel {
  const reader = new Reader(files);
  const { sources, errors } = reader;
  const { basename, join } = files.paths;
  const folder = join(files.folder, LIBRARIES);
  const root = files.read(join(folder, TOGETHER));
  if (!root.ok) return { model: root, sources };
  const nameOf = (path: string): string => basename(path).replace(/\.cat$/, '');
  const { items, libraries: always } = reader.together(root.value);
  const parts: LibraryPart[] = [];
  for (const [i, path] of paths.entries()) {
    const source = files.read(path);
    const part = source.ok ? reader.library(source.value, named[i]) : undefined;
    if (!source.ok) errors.push(...source.errors);
    if (part === undefined) continue;
    const twin = parts.find(({ name }) => name.text === part.name.text);
    if (twin !== undefined) {
      const [message, hint] = sameName(twin, part);
      errors.push({ span: named[i] ?? part.name.span, message, hint });
    }
    parts.push(part);
  }
  const others = always.filter(({ name }) => !parts.some((part) => part.name.text === name.text));
  const libraries = [...parts, ...others];
  errors.push(...parts.flatMap((part) => shortsOf(part, others)));
  if (errors.length > 0) return { model: fail(errors), sources };
  // Where none is named, there are those that need no name.
  const called = paths.length > 0 ? paths.map(nameOf) : libraries.map(({ name }) => name.text);
  const name = called.join(', ');
  const shipped = paths.every((path) => path === join(folder, basename(path)));
  const title = parts.map((part) => part.title).join('; ');
  const file = paths[0] ?? root.value.path;
  return { model: elaborate({ name, title, file, shipped, items, libraries }, sources), sources };
}

/**
 * What the names of a model file and of all files that it includes stand for. What is wrong with them is not told: of broken files
 * the good parts count, of a library what it says itself.
 */
export function namesInModel(path: string, files: ModelFiles): readonly NameLink[] {
  const links: NameLink[] = [];
  const reader = new Reader(files, links);
  const root = files.read(path);
  if (!root.ok) return [];
  const file = root.value.path;
  const { items: own } = reader.model(root.value);
  const [first, ...rest] = own;
  const about = { name: file, title: file, file, shipped: false };
  if (first?.kind === 'library') {
    const part = { name: first.name, title: file, file, items: rest };
    links.push({ name: first.name, to: { kind: 'library', name: first.name, whole: first.span } });
    elaborate({ ...about, items: [], libraries: [part] }, reader.sources, links);
  } else {
    const isAlone = own.some((item) => declares(item) || item.kind === 'library');
    const items = isAlone ? own : [...reader.instructions(file), ...own];
    elaborate({ ...about, items }, reader.sources, links);
  }
  return distinctLinks(links);
}

/** What is wrong where a library says what plain instructions are, and another one has said so. */
function shortsOf({ items }: LibraryPart, others: readonly LibraryPart[]): readonly Diagnostic[] {
  const short = items.find(({ kind }) => kind === 'short');
  const other = others.find((part) => part.items.some(({ kind }) => kind === 'short'));
  if (short === undefined || other === undefined) return [];
  const { text } = other.name;
  const message = `plain instructions are those of library ${text}`;
  return [{ span: short.span, message, hint: `another library ${text} can take its place` }];
}

/** What is said of two files of one library, or of one that is named twice. */
const sameName = (a: LibraryPart, b: LibraryPart): [message: string, hint?: string] =>
  a.file === b.file
    ? [`library ${b.name.text} is named twice`]
    : [`${a.file} and ${b.file} are both the library ${b.name.text}`, 'leave one of them out'];

/** Reads files with those they include. What is wrong with them is collected. */
class Reader {
  readonly sources = new Map<string, SourceFile>();
  readonly errors: Diagnostic[] = [];
  private included = 0;
  /** Whether a file of herd7's library was included. */
  isOfHerd = false;
  /** The files whose declarations were taken up, since the last file was begun. */
  private expanded = new Set<string>();

  /** @param links gets which files are included, if anybody wants to know: then of broken files the good parts are read */
  constructor(
    private readonly files: ModelFiles,
    private readonly links?: NameLink[],
    private readonly cpu?: OtherCpu,
  ) {}

  private parsed(source: SourceFile): Result<CatFile> {
    if (this.links === undefined) return parsedOf(source);
    return ok(parsedModelFile(source).value ?? { items: [] });
  }

  /** The items of a file, with included files' items in the place of includes, and its title. */
  whole(source: SourceFile): { readonly title?: string; readonly items: readonly CatItem[] } {
    this.expanded = new Set();
    const items = this.expand(source, [source.path]);
    const parsed = this.parsed(source);
    return { items, title: parsed.ok ? parsed.value.title : undefined };
  }

  /**
   * The same of a model. One that includes a file of herd7's library has herd7's names from the start, as in herd7, which
   * always reads its standard library first, and then the annotations of the programs (`NAME.bell` for `NAME.cat`).
   */
  model(source: SourceFile): { readonly title?: string; readonly items: readonly CatItem[] } {
    const { paths, folder } = this.files;
    const { title, items } = this.whole(source);
    if (!this.isOfHerd) return { title, items };
    const bell = bellFile(source.path, this.files);
    // A model that declares events says what becomes of those of instructions.cat.
    const ofHerd = items.some(declares) ? [] : [HERD_ATOMICS];
    const own = [HERD_LIBRARY, ...ofHerd].map((file) => paths.join(folder, file));
    const before = [...own, ...(bell === undefined ? [] : [bell])];
    return { title, items: [...before.flatMap((file) => this.first(file, source.path)), ...items] };
  }

  private first(file: string, from: string): readonly CatItem[] {
    const source = this.files.read(file);
    if (source.ok) return this.expand(source.value, [from, file]);
    this.errors.push(...source.errors);
    return [];
  }

  /** What every model is about that declares nothing. */
  instructions(from: string): readonly CatItem[] {
    const { paths, folder } = this.files;
    return this.first(paths.join(folder, INSTRUCTIONS_FILE), from);
  }

  /** The file that puts libraries together: those that it includes are always there. */
  together(source: SourceFile): {
    readonly items: readonly CatItem[];
    readonly libraries: readonly LibraryPart[];
  } {
    const parsed = parsedOf(source);
    const libraries: LibraryPart[] = [];
    const items = this.expandWith(source, [source.path], (found) => {
      const inner = parsedOf(found);
      const isLibrary = inner.ok && inner.value.items.some(({ kind }) => kind === 'library');
      if (!isLibrary) return false;
      const before = this.expanded;
      const part = this.library(found);
      if (part !== undefined) libraries.push(part);
      this.expanded = before;
      return true;
    });
    return { items: parsed.ok ? items : [], libraries };
  }

  /** A library's file, which is named at a place. Undefined after reporting. */
  library(source: SourceFile, at?: Span): LibraryPart | undefined {
    const { errors } = this;
    const before = errors.length;
    const { items } = this.whole(source);
    const first = items[0];
    const file = this.files.paths.basename(source.path).replace(/\.cat$/, '');
    if (first?.kind === 'library') {
      const { name, title = name.text } = first;
      return { name, title, file, items: items.slice(1) };
    }
    if (errors.length > before) return undefined;
    const late = items.find(({ kind, span }) => kind === 'library' && span.file === source.path);
    const span = late?.span ?? at ?? { file: source.path, start: 0, end: 0 };
    const message = late === undefined ? `${file}.cat is no library` : LIBRARY_FIRST;
    const hint = late === undefined ? 'a library begins with: library NAME "title"' : undefined;
    errors.push({ span, message, hint });
    return undefined;
  }

  private expand(source: SourceFile, chain: readonly string[]): CatItem[] {
    return this.expandWith(source, chain, () => false);
  }

  /** @param apart whether an included file is dealt with elsewhere */
  private expandWith(
    source: SourceFile,
    chain: readonly string[],
    apart: (source: SourceFile) => boolean,
  ): CatItem[] {
    this.sources.set(source.path, source);
    const parsed = this.parsed(source);
    if (!parsed.ok) {
      this.errors.push(...parsed.errors);
      return [];
    }
    // Definitions may be given again, declarations not: those of a file count where it is first included.
    const again = this.expanded.has(source.path);
    this.expanded.add(source.path);
    const put = (items: readonly CatItem[]): CatItem[] =>
      items.flatMap((item) => {
        if (item.kind === 'include') return this.include(source, item.path, chain, apart);
        if (item.kind === 'conditional')
          return put(decided(item.condition) ? item.items : item.otherwise);
        if (item.kind === 'procedure' || item.kind === 'forall')
          return [{ ...item, items: put(item.items) }];
        return again && DECLARATIONS.includes(item.kind) ? [] : [item];
      });
    return put(parsed.value.items);
  }

  private include(
    from: SourceFile,
    { text, span }: Name,
    chain: readonly string[],
    apart: (source: SourceFile) => boolean,
  ): CatItem[] {
    const { files } = this;
    const { basename, normalize } = files.paths;
    const refuse = (message: string, hint?: string): CatItem[] => {
      this.errors.push({ span, message, hint });
      return [];
    };
    this.included += 1;
    if (this.included === INCLUDES + 1) return refuse(`more than ${INCLUDES} files are included`);
    if (this.included > INCLUDES) return [];
    this.isOfHerd ||= isHerdFile(text);
    const isCpu = text === USUAL_CPU_FILE && from.path !== this.cpu?.file;
    const found =
      (isCpu ? this.cpu?.file : undefined) ??
      includedFile(text, OURS.has(text), [from.path, chain[0]], files);
    if (found === undefined) {
      const hint = herdFileHint(text) ?? didYouMean(text, PRELUDES.keys());
      return refuse(`no file '${text}', ${placesLooked(files)}`, hint);
    }
    this.links?.push(fileLink({ text, span }, found));
    if (chain.some((file) => normalize(file) === found)) {
      const names = [...chain, found].map((file) => basename(file));
      return refuse(`circular include: ${names.join(' → ')}`);
    }
    const source = files.read(found);
    if (!source.ok) return refuse(`cannot include '${text}': ${source.errors[0].message}`);
    if (apart(source.value)) return [];
    const items = this.expandWith(source.value, [...chain, found], apart);
    // Some tools know of locks by themselves, and have a file of this name that is a comment.
    if (text === 'lock.cat' && !items.some(({ kind }) => kind === 'let'))
      return refuse('this file says nothing of locks', "the kernel's is in tools/memory-model");
    return items;
  }
}

/** Where a file is not that was looked for. */
const placesLooked = ({ folders = [] }: ModelFiles): string =>
  folders.length === 0
    ? "neither beside this file nor among Remora's models"
    : `neither beside this file, nor in ${folders.join(', ')}, nor among Remora's models`;

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
  { paths: { basename, dirname, join }, folder }: Pick<ModelFiles, 'paths' | 'folder'>,
): MadeModel {
  // Below the folder, however deep.
  const nameOf = (path: string): string => {
    const [above, own] = [dirname(path), basename(path)];
    return above === folder || above === path ? own : join(nameOf(above), own);
  };
  const axioms = model.axioms.map(({ span, ...axiom }) => {
    return { ...axiom, span: { ...span, file: nameOf(span.file) } };
  });
  return {
    model: { ...model, file: nameOf(model.file), axioms },
    texts: [...sources.values()].map(({ path, text }) => [nameOf(path), text] as const),
  };
}
