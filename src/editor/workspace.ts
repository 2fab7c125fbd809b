import type { InstructionSet } from '../model/instructions/set.js';
import { loadModel, namesInModel, parsedModelFile } from '../model/load.js';
import { LIBRARIES, shippedFile } from '../model/places.js';
import type { ModelFiles } from '../model/load.js';
import type { NameLink } from '../parse/links.js';
import type { CatFile } from '../parse/cat-ast.js';
import type { Diagnostic, Parsed, SourceFile } from '../parse/diagnostics/index.js';
import type { ImplementationFile } from '../parse/implementation-ast.js';
import { parseImplementation } from '../parse/implementation.js';
import type { LitmusFile } from '../parse/litmus-ast.js';
import { parseLitmusFile } from '../parse/litmus.js';
import { Libraries } from '../program/libraries.js';
import { isProgram, languageOf } from './language.js';
import type { Language } from './language.js';

interface Trees {
  readonly cat: CatFile;
  readonly litmus: LitmusFile;
  readonly implementation: ImplementationFile;
}

/**
 * The files of an editor: those of its folders, and those that come with Remora. Trees are kept until the text of their
 * file changes. The tree of a file with mistakes has its good parts.
 */
export class Workspace {
  private readonly sources = new Map<string, SourceFile>();
  private readonly trees = new WeakMap<SourceFile, Parsed<unknown>>();
  private loaded: Libraries | undefined;
  private plain: InstructionSet | undefined;
  private made = new Map<string, unknown>();
  /** What the names of model files stand for. */
  private namedInModels = new Map<string, readonly NameLink[]>();

  /**
   * @param files the texts of open and other files
   * @param listed the paths of the user's own files, for requests about all of them
   */
  constructor(
    readonly files: ModelFiles,
    readonly listed: () => readonly string[],
  ) {}

  /** The libraries and implementations, each read once until something changes. */
  get libraries(): Libraries {
    return (this.loaded ??= new Libraries(this.files));
  }

  /** The operations of programs that are not clients of libraries. */
  get plainInstructions(): InstructionSet {
    if (this.plain === undefined) {
      const { folder, paths } = this.files;
      const { model } = loadModel(paths.join(folder, 'rdma.cat'), this.files);
      if (!model.ok) throw new Error(model.errors[0].message);
      this.plain = model.value.instructions;
    }
    return this.plain;
  }

  /** A file has a new text: results that depend on several files are dropped. */
  changed(path: string): void {
    this.made = new Map();
    if (!isProgram(path)) {
      this.loaded = undefined;
      this.namedInModels = new Map();
    }
    if (!this.files.exists(path)) this.sources.delete(path);
  }

  /** A file with its present text, the same object until the text changes; undefined if it cannot be read. */
  source(path: string): SourceFile | undefined {
    const read = this.files.read(path);
    if (!read.ok) return undefined;
    const before = this.sources.get(path);
    if (before?.text === read.value.text) return before;
    this.sources.set(path, read.value);
    return read.value;
  }

  /** The tree of the good parts of a file; undefined if there are none, or the file is of another language. */
  tree<L extends Language>(path: string, language: L): Trees[L] | undefined {
    return this.parsed(path, language)?.value;
  }

  /** The mistakes of a file that parsing finds. */
  mistakes(path: string): readonly Diagnostic[] {
    const language = languageOf(path);
    return (language && this.parsed(path, language)?.errors) ?? [];
  }

  /** What the names of a model file and of those that it includes stand for. */
  namesInModel(path: string): readonly NameLink[] {
    const known = this.namedInModels.get(path) ?? namesInModel(path, this.files);
    this.namedInModels.set(path, known);
    return known;
  }

  /** A model by its name: beside a file, or among those that come with Remora. */
  modelFile(name: string, beside: string): string | undefined {
    const { paths, folder, exists } = this.files;
    const file = `${name}.cat`;
    const own = paths.join(paths.dirname(beside), file);
    const library = paths.join(folder, LIBRARIES, file);
    return [own, shippedFile(name, this.files), library].find(exists);
  }

  /** The user's own files of a language, and in any case the file `and`. */
  all(language: Language, and: string): readonly string[] {
    const own = this.listed().filter((path) => languageOf(path) === language);
    return own.includes(and) || languageOf(and) !== language ? own : [and, ...own];
  }

  /** A result that depends on several files, computed once until a file changes. */
  once<T>(key: string, make: () => T): T {
    if (!this.made.has(key)) this.made.set(key, make());
    return this.made.get(key) as T;
  }

  /** The tree of a file, and its mistakes; undefined if it cannot be read, or is of another language. */
  parsed<L extends Language>(path: string, language: L): Parsed<Trees[L]> | undefined {
    if (languageOf(path) !== language) return undefined;
    const source = this.source(path);
    if (source === undefined) return undefined;
    const parsed = this.trees.get(source) ?? parse(source, language);
    this.trees.set(source, parsed);
    return parsed as Parsed<Trees[L]>;
  }
}

const PARSERS: { readonly [L in Language]: (source: SourceFile) => Parsed<Trees[L]> } = {
  cat: parsedModelFile,
  litmus: parseLitmusFile,
  implementation: parseImplementation,
};

/** The tree of a text in a language, and its mistakes. */
export const parse = <L extends Language>(source: SourceFile, language: L): Parsed<Trees[L]> =>
  PARSERS[language](source);
