import type { LoadedModel, ModelFiles } from '../model/load.js';
import { LIBRARIES, loadLibraries } from '../model/load.js';
import type { Model } from '../model/term.js';
import type { Diagnostic, Result, SourceFile } from '../parse/diagnostics/index.js';
import { didYouMean, fail } from '../parse/diagnostics/index.js';
import type { Ident, LitmusFile } from '../parse/litmus-ast.js';
import type { Query, Test } from './program.js';
import { resolve } from './resolve.js';

/** How clients of libraries are read. */
export interface ClientOptions {
  readonly files: ModelFiles;
  /** Library files in the place of those of their library's name, each by name or path. */
  readonly instead?: readonly string[];
}

/** A client with the models that it is decided by, or what is wrong with it, and every file that diagnostics point into. */
export interface Client {
  readonly test: Result<Test>;
  readonly sources: ReadonlyMap<string, SourceFile>;
}

/**
 * Resolves a client of libraries. It brings its own models: its libraries together, and for each library that an expectation is
 * about and that it does not name, the same with that one in the place of the one of its name.
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
    const { file, errors, sources } = this;
    const found = file.uses.flatMap((name) => this.find(name) ?? []);
    const first = errors.length > 0 ? undefined : this.load(this.instead(found));
    if (first === undefined) return { test: fail(errors), sources };
    const variants = this.variants(found, first);
    const models = [first, ...variants.values()];
    const names = models.flatMap(namesOf);
    const resolved = resolve(file, first.instructions, names);
    if (!resolved.ok) return { test: resolved, sources };
    const test = { ...resolved.value, models };
    const queries = test.queries.map((query) => underModels(query, models));
    return { test: { ok: true, value: { ...test, queries } }, sources };
  }

  /** The file of a library, beside the client or among those that come with Remora. Undefined after reporting. */
  private find({ text, span }: Ident): string | undefined {
    const path = this.pathOf(text);
    if (path !== undefined) return path;
    const { files } = this.options;
    const known = files.libraries?.() ?? [];
    const hint =
      didYouMean(text, known) ?? `there are ${known.join(', ')}, or ${text}.cat beside this file`;
    this.errors.push({ span, message: `unknown library '${text}'`, hint });
    return undefined;
  }

  private pathOf(name: string): string | undefined {
    const { files } = this.options;
    const { dirname, join } = files.paths;
    const called = name.replace(/\.cat$/, '');
    return [
      join(dirname(this.file.file), `${called}.cat`),
      join(files.folder, LIBRARIES, `${called}.cat`),
      name,
    ].find((path) => path.endsWith('.cat') && files.exists(path));
  }

  private load(paths: readonly string[]): Model | undefined {
    const named = this.file.uses.map(({ span }) => span);
    const loaded = this.keep(loadLibraries(paths, this.options.files, named));
    if (!loaded.model.ok) {
      this.errors.push(...loaded.model.errors);
      return undefined;
    }
    return loaded.model.value;
  }

  private keep(loaded: LoadedModel): LoadedModel {
    for (const [path, source] of loaded.sources) this.sources.set(path, source);
    return loaded;
  }

  /** The files with those that were asked for in the place of the ones of their libraries. */
  private instead(paths: readonly string[]): readonly string[] {
    let all = paths;
    for (const name of this.options.instead ?? []) {
      const path = this.pathOf(name);
      const replaced = path === undefined ? undefined : this.replacing(all, path);
      if (replaced !== undefined) all = replaced;
    }
    return all;
  }

  /** Some library files with another in the place of the one of the same library; undefined where there is none. */
  private replacing(paths: readonly string[], instead: string): readonly string[] | undefined {
    const library = this.libraryIn(instead);
    const at = paths.findIndex((path) => this.libraryIn(path) === library);
    return at < 0 || library === undefined ? undefined : paths.with(at, instead);
  }

  private libraryIn(path: string): string | undefined {
    const { model } = this.keep(loadLibraries([path], this.options.files));
    return model.ok ? model.value.instructions.libraries[0]?.name : undefined;
  }

  /** The compositions that expectations are about, besides the first. */
  private variants(paths: readonly string[], first: Model): ReadonlyMap<string, Model> {
    const variants = new Map<string, Model>();
    const asked = this.file.queries.flatMap(({ expectations }) =>
      expectations.flatMap((e) => e.models),
    );
    for (const { text } of asked) {
      if (variants.has(text) || namesOf(first).includes(text)) continue;
      const path = this.pathOf(text);
      const replaced = path === undefined ? undefined : this.replacing(paths, path);
      const model = replaced && this.load(replaced);
      if (model !== undefined) variants.set(text, model);
    }
    return variants;
  }
}

/** What expectations may call a composition: its own name, and the files of its libraries. */
const namesOf = ({ name, instructions }: Model): readonly string[] => [
  name,
  ...instructions.libraries.map(({ file }) => file),
];

/** A query whose expectations are about the compositions that they name a library of. */
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
