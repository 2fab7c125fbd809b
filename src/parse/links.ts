import type { Span } from './diagnostics/index.js';

/** A name where it stands in a file. */
export interface Named {
  readonly text: string;
  readonly span: Span;
}

/** What kind of thing has a name. Editors show these words. */
export type NamedKind =
  | 'relation'
  | 'function'
  | 'parameter'
  | 'event'
  | 'operation'
  | 'guess'
  | 'tag'
  | 'library'
  | 'role'
  | 'axiom'
  | 'location'
  | 'register'
  | 'thread'
  | 'node'
  | 'queue pair'
  | 'completion queue'
  | 'object'
  | 'ghost'
  | 'mark'
  | 'work identifier'
  | 'method'
  | 'index'
  | 'file';

/** Where something is defined, and gets its name. */
export interface NameDefinition {
  readonly kind: NamedKind;
  readonly name: Named;
  /** All of the text that defines it. */
  readonly whole: Span;
  /** What its doc comment says; only definitions of models have one. */
  readonly words?: string;
}

/** A place where a name is used, and the definition that it stands for. The definition is linked to itself, too. */
export interface NameLink {
  readonly name: Named;
  readonly to: NameDefinition;
}

/** A link to a whole file. */
export function fileLink(name: Named, file: string): NameLink {
  const start = { file, start: 0, end: 0 };
  return {
    name,
    to: { kind: 'file', name: { text: name.text, span: start }, whole: start },
  };
}

/** A place that names something in another file. Which file that is, the recorder does not know: the editor finds out. */
export interface OutsideName {
  readonly name: Named;
  readonly of: 'library' | 'model' | 'operation';
  /** The library that the call of an operation names: the `sv` of `sv.read(x)`. */
  readonly library?: string;
}

/** What all the names of a file stand for. */
export interface FileNames {
  readonly links: readonly NameLink[];
  readonly outside: readonly OutsideName[];
}

/**
 * Names in different spaces may be equal and mean different things. Each thread and each method has spaces of its own:
 * `own T` has the registers of thread T, which are never declared.
 */
export type NameSpace =
  | 'shared'
  | 'node'
  | 'thread'
  | 'method'
  | 'completion queue'
  | `${'own' | 'work' | 'queue pair' | 'mark'} ${string}`;

/**
 * Records what the names of a file stand for, while the file is resolved. A definition may come after its uses. Names
 * that are wrong where they stand are recorded, too: an editor shows them while the file is still being written.
 */
export class NameRecorder {
  private readonly spaces = new Map<NameSpace, Map<string, NameDefinition>>();
  private readonly defined: NameLink[] = [];
  private readonly used: {
    readonly name: Named;
    readonly text: string;
    readonly among: readonly NameSpace[];
  }[] = [];
  private readonly outside: OutsideName[] = [];

  has(text: string, space: NameSpace): boolean {
    return this.spaces.get(space)?.has(text) === true;
  }

  /** Something is defined here. If the space has this name already, the place is linked to the first definition. */
  define(name: Named, kind: NamedKind, whole: Span, space: NameSpace): void {
    const known = this.spaces.get(space) ?? new Map<string, NameDefinition>();
    this.spaces.set(space, known);
    const to = known.get(name.text) ?? { kind, name, whole };
    known.set(name.text, to);
    this.defined.push({ name, to });
  }

  /**
   * A name is used here. It stands for the definition in the first of these spaces that has one; if none has, it gets
   * no link.
   *
   * @param text the name by which it is defined, if it is written differently here
   */
  use(name: Named, among: readonly NameSpace[], text = name.text): void {
    this.used.push({ name, text, among });
  }

  useOutside(name: Named, of: OutsideName['of'], library?: string): void {
    this.outside.push({ name, of, library });
  }

  /** All links, each once; those of definitions come first. */
  finish(): FileNames {
    const used = this.used.flatMap(({ name, text, among }): readonly NameLink[] => {
      const to = among.flatMap((space) => this.spaces.get(space)?.get(text) ?? [])[0];
      return to === undefined ? [] : [{ name, to }];
    });
    return {
      links: distinctLinks([...this.defined, ...used]),
      outside: this.outside,
    };
  }
}

/** A key that tells definitions apart: the place and text of the name, or the path of a file. */
export const definitionKey = ({ name: { text, span }, kind }: NameDefinition): string =>
  kind === 'file' ? span.file : `${span.file} ${span.start} ${text}`;

/** The links without repetitions: of several that lead from one place to one definition, the first. */
export function distinctLinks(links: readonly NameLink[]): readonly NameLink[] {
  const found = new Map<string, NameLink>();
  for (const link of links) {
    const { file, start } = link.name.span;
    const key = `${file} ${start} ${definitionKey(link.to)}`;
    if (!found.has(key)) found.set(key, link);
  }
  return [...found.values()];
}
