import type { LoadedModel, ModelFiles } from '../model/load.js';
import { loadLibraries } from '../model/load.js';
import { IMPLEMENTATIONS, LIBRARIES } from '../model/places.js';
import type { Result, SourceFile, Span } from '../parse/diagnostics/index.js';
import { whole } from '../parse/diagnostics/index.js';
import type { ImplementationFile } from '../parse/implementation-ast.js';
import { parseImplementation } from '../parse/implementation.js';

/** An implementation or its mistakes, and every file that diagnostics may point into. */
export interface LoadedImplementation {
  readonly implementation: Result<ImplementationFile>;
  readonly sources: ReadonlyMap<string, SourceFile>;
}

/** Options for combining libraries. */
export interface Composing {
  /** The name of the model, if it is not made of those of its libraries. */
  readonly name?: string;
  /** The places that name the files. */
  readonly named?: readonly Span[];
}

/** Finds and reads library and implementation files, each once. */
export class Libraries {
  private readonly composed = new Map<string, LoadedModel>();
  private readonly implementations = new Map<string, LoadedImplementation>();

  constructor(readonly files: ModelFiles) {}

  /** The file of a library by its name or path: as given, beside a file, or among those that come with Remora. */
  libraryFile(name: string, beside: string): string | undefined {
    return this.found(name, beside, '.cat', [LIBRARIES]);
  }

  /** The file of an implementation, found in the same way. */
  implementationFile(name: string, beside: string): string | undefined {
    return this.found(name, beside, '.impl', [LIBRARIES, IMPLEMENTATIONS]);
  }

  private found(
    name: string,
    beside: string,
    ending: string,
    shipped: readonly string[],
  ): string | undefined {
    const { paths, folder, exists } = this.files;
    const { dirname, join } = paths;
    const called = name.endsWith(ending) ? name : `${name}${ending}`;
    const candidates = [name, join(dirname(beside), called), join(folder, ...shipped, called)];
    return candidates.find((path) => path.endsWith(ending) && exists(path));
  }

  /**
   * The model of some libraries together; see `loadLibraries`. It is the same object each time, since results about a
   * model are kept with it.
   */
  compose(paths: readonly string[], about: Composing = {}): LoadedModel {
    const key = [...paths, about.name ?? ''].join('\n');
    const before = this.composed.get(key);
    if (before !== undefined) return before;
    const made = this.composeNew(paths, about);
    // The places of mistakes depend on what names the files, so only a model without mistakes is kept.
    if (made.model.ok) this.composed.set(key, made);
    return made;
  }

  private composeNew(paths: readonly string[], { name, named }: Composing): LoadedModel {
    if (name === undefined) return loadLibraries(paths, this.files, named);
    const { model, sources } = this.compose(paths, { named });
    return { sources, model: model.ok ? { ok: true, value: { ...model.value, name } } : model };
  }

  /** The name of the library in a file; undefined if there is none in it. */
  nameOf(path: string): string | undefined {
    const { model } = this.compose([path]);
    return model.ok ? model.value.instructions.libraries[0]?.name : undefined;
  }

  implementation(path: string): LoadedImplementation {
    const made = this.implementations.get(path) ?? this.read(path);
    this.implementations.set(path, made);
    return made;
  }

  private read(path: string): LoadedImplementation {
    const source = this.files.read(path);
    if (!source.ok) return { implementation: source, sources: new Map() };
    const sources = new Map([[source.value.path, source.value]]);
    return { implementation: whole(parseImplementation(source.value)), sources };
  }
}
