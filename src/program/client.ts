import type { Model } from '../model/term.js';
import type { Diagnostic, Result, SourceFile, Span } from '../parse/diagnostics/index.js';
import { didYouMean, fail } from '../parse/diagnostics/index.js';
import type { Settings } from '../libraries/inline.js';
import { inline } from '../libraries/inline.js';
import type { ImplementationFile } from '../parse/implementation-ast.js';
import type { Ident, LitmusFile } from '../parse/litmus-ast.js';
import type { Composing, Libraries } from './libraries.js';
import { unlikeLibrary } from './methods.js';
import type { Query, Test } from './program.js';
import { resolve } from './resolve.js';

/** How clients of libraries are read. */
export interface ClientOptions {
  readonly libraries: Libraries;
  /** Library files that replace those of the same library, each by name or path. */
  readonly instead?: readonly string[];
  /** Implementations that replace calls, each by name or path. */
  readonly implementations?: readonly string[];
  /** Values of their parameters, instead of those in their files. */
  readonly settings?: Settings;
}

/** A client with the models that decide it, or its mistakes, and every file that diagnostics point into. */
export interface Client {
  readonly test: Result<Test>;
  readonly sources: ReadonlyMap<string, SourceFile>;
  /** The client with calls replaced by an implementation, for each implementation that an expectation names. */
  readonly inlined?: readonly Client[];
}

/**
 * Resolves a client of libraries. It has its own models: first its libraries together; then, for each other library
 * file that an expectation names, the same with this file instead of the one of the same library.
 */
export function resolveClient(file: LitmusFile, options: ClientOptions): Client {
  return new ClientReader(file, options).read();
}

class ClientReader {
  private readonly errors: Diagnostic[] = [];
  private readonly sources = new Map<string, SourceFile>();

  constructor(
    private readonly file: LitmusFile,
    private readonly options: ClientOptions,
  ) {}

  read(): Client {
    const { errors, sources } = this;
    const named = this.file.uses.map((name) => this.find(name));
    const found = this.instead(named.filter((path) => path !== undefined));
    if (errors.length > 0) return { test: fail(errors), sources };
    const { implementations = [] } = this.options;
    return implementations.length === 0
      ? this.specified(found)
      : this.inlined(found, implementations);
  }

  /** The client, to be decided by its libraries. */
  private specified(found: readonly string[]): Client {
    const { file, errors, sources } = this;
    const first = this.load(found, { named: file.uses.map(({ span }) => span) });
    if (first === undefined || errors.length > 0) return { test: fail(errors), sources };
    const variants = this.variants(found, first);
    const models = [first, ...variants.values()];
    const names = [
      ...models.flatMap(namesOf),
      ...this.asked().filter((name) => this.isImplementation(name)),
    ];
    const resolved = resolve(file, first.instructions, names);
    if (!resolved.ok) return { test: resolved, sources };
    const test = { ...resolved.value, models };
    const queries = test.queries.map((query) => underModels(query, models));
    return {
      test: { ok: true, value: { ...test, queries } },
      sources,
      inlined: this.askedInlined(),
    };
  }

  /** The client with each implementation that an expectation names. */
  private askedInlined(): readonly Client[] {
    const { libraries } = this.options;
    const names = new Set(this.asked());
    return [...names].flatMap((name) => {
      const path = libraries.implementationFile(name, this.file.file);
      if (path === undefined || this.pathOf(name) !== undefined) return [];
      return [resolveClient(this.file, { ...this.options, implementations: [name] })];
    });
  }

  /** The client with calls replaced by implementations, to be decided by the libraries below these. */
  private inlined(found: readonly string[], names: readonly string[]): Client {
    const { errors, sources } = this;
    const implementations = names.map((name) => this.implementation(name));
    const paths = new Map(found.map((path) => [this.libraryIn(path) ?? path, path]));
    const { file } = this;
    // Files of libraries may have any name: implementations name the libraries themselves.
    const uses = [...paths.keys()].map((text, i) => ({
      text,
      span: file.uses[i]?.span ?? START(file),
    }));
    const known = implementations.filter((one) => one !== undefined);
    for (const one of known) this.checkAgainstLibrary(one, paths);
    if (errors.length > 0) return { test: fail(errors), sources };
    const below = inline({ ...file, uses }, known, this.options.settings);
    if (!below.ok) return { test: below, sources };
    const lower = below.value.uses.map((name) => paths.get(name.text) ?? this.find(name));
    const name = known.map((one) => one.name.text).join(', ');
    const own =
      errors.length > 0
        ? undefined
        : this.load(
            lower.filter((path) => path !== undefined),
            { name },
          );
    if (own === undefined) return { test: fail(errors), sources };
    const resolved = resolve(below.value, own.instructions, [...namesOf(own), ...this.asked()]);
    if (!resolved.ok) return { test: resolved, sources };
    return { test: { ok: true, value: { ...resolved.value, models: [own] } }, sources };
  }

  private isImplementation(name: string): boolean {
    return this.options.libraries.implementationFile(name, this.file.file) !== undefined;
  }

  /** Reports methods of the library that an implementation lacks, or has in another form. */
  private checkAgainstLibrary(
    implementation: ImplementationFile,
    paths: ReadonlyMap<string, string>,
  ): void {
    const { text } = implementation.implements;
    const path = paths.get(text) ?? this.pathOf(text) ?? this.askedFor(text);
    const model = path === undefined ? undefined : this.load([path]);
    if (model === undefined) return;
    this.errors.push(...unlikeLibrary(implementation, model.instructions));
  }

  /** An implementation by name or path. Undefined after reporting. */
  private implementation(name: string): ImplementationFile | undefined {
    const { libraries } = this.options;
    const path = libraries.implementationFile(name, this.file.file);
    if (path === undefined) {
      const message = `no implementation '${name}'`;
      const hint = 'give the path of an .impl file';
      this.errors.push({ span: START(this.file), message, hint });
      return undefined;
    }
    const { implementation } = this.keep(libraries.implementation(path));
    if (implementation.ok) return implementation.value;
    this.errors.push(...implementation.errors);
    return undefined;
  }

  /**
   * The file of a library: beside the client, among those that come with Remora, or one that was asked for, which may be
   * anywhere. Undefined after reporting.
   */
  private find({ text, span }: Ident): string | undefined {
    const path = this.pathOf(text) ?? this.askedFor(text);
    if (path !== undefined) return path;
    const { files } = this.options.libraries;
    const known = files.libraries?.() ?? [];
    const hint =
      didYouMean(text, known) ?? `there are ${known.join(', ')}, or ${text}.cat beside this file`;
    this.errors.push({ span, message: `unknown library '${text}'`, hint });
    return undefined;
  }

  /** The file of `--library` that has this name, or whose library has it. */
  private askedFor(name: string): string | undefined {
    const { libraries, instead = [] } = this.options;
    const paths = instead.map((one) => this.pathOf(one)).filter((path) => path !== undefined);
    const { join, dirname } = libraries.files.paths;
    return (
      paths.find((path) => path === join(dirname(path), `${name}.cat`)) ??
      paths.find((path) => this.libraryIn(path) === name)
    );
  }

  private pathOf(name: string): string | undefined {
    return this.options.libraries.libraryFile(name, this.file.file);
  }

  /**
   * @param about the model's name, if it is not that of its libraries; and the places that name the files: without
   * them, mistakes about a whole file are in that file
   */
  private load(paths: readonly string[], about: Composing = {}): Model | undefined {
    const loaded = this.keep(this.options.libraries.compose(paths, about));
    if (!loaded.model.ok) {
      this.errors.push(...loaded.model.errors);
      return undefined;
    }
    return loaded.model.value;
  }

  private keep<T extends { readonly sources: Client['sources'] }>(loaded: T): T {
    for (const [path, source] of loaded.sources) this.sources.set(path, source);
    return loaded;
  }

  /** The files, with those of `--library` instead of the ones of the same libraries. */
  private instead(paths: readonly string[]): readonly string[] {
    let all = paths;
    for (const name of this.options.instead ?? []) {
      const path = this.pathOf(name);
      // A mistake in the other file is not the client's, and is reported elsewhere.
      const isGood = path !== undefined && this.load([path]) !== undefined;
      const replaced = isGood ? this.replacing(all, path) : undefined;
      if (replaced !== undefined) all = replaced;
    }
    return all;
  }

  /**
   * Some library files, with another one instead of the file of the same library; undefined if there is no such file.
   */
  private replacing(paths: readonly string[], instead: string): readonly string[] | undefined {
    const library = this.libraryIn(instead);
    const at = paths.findIndex((path) => this.libraryIn(path) === library);
    return at < 0 || library === undefined ? undefined : paths.with(at, instead);
  }

  private libraryIn(path: string): string | undefined {
    return this.options.libraries.nameOf(path);
  }

  /** The names that expectations are about. */
  private asked(): readonly string[] {
    return this.file.queries.flatMap(({ expectations }) =>
      expectations.flatMap(({ models }) => models.map(({ text }) => text)),
    );
  }

  /** The compositions that expectations are about, besides the first. */
  private variants(paths: readonly string[], first: Model): ReadonlyMap<string, Model> {
    const variants = new Map<string, Model>();
    for (const text of this.asked()) {
      if (variants.has(text) || namesOf(first).includes(text)) continue;
      const path = this.pathOf(text);
      const replaced = path === undefined ? undefined : this.replacing(paths, path);
      const model = replaced && this.load(replaced);
      if (model !== undefined) variants.set(text, model);
    }
    return variants;
  }
}

const START = ({ file }: LitmusFile): Span => ({ file, start: 0, end: 0 });

/** The names of a composition in expectations: its own name, and those of its library files. */
const namesOf = ({ name, instructions }: Model): readonly string[] => [
  name,
  ...instructions.libraries.map(({ file }) => file),
];

/** A query whose expectations are about compositions, each found by the library file that the expectation names. */
function underModels(query: Query, models: readonly Model[]): Query {
  const expectations = query.expectations.map((expectation) => ({
    ...expectation,
    models: expectation.models.map((named) => {
      const meant = models.find((model) => namesOf(model).includes(named.text));
      return meant === undefined ? named : { ...named, text: meant.name };
    }),
  }));
  return { ...query, expectations };
}
