import type { Span } from './diagnostics/index.js';

/** A name as it stands in a file. */
export interface Named {
  readonly text: string;
  readonly span: Span;
}

/** What kind of thing a name is of, in the words that an editor shows. */
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
  | 'object'
  | 'ghost'
  | 'mark'
  | 'work identifier'
  | 'method'
  | 'index'
  | 'file';

/** Where something gets its name. */
export interface NameDefinition {
  readonly kind: NamedKind;
  readonly name: Named;
  /** All of the text that defines it. */
  readonly whole: Span;
  /** What its doc comment says. */
  readonly words?: string;
}

/** A place that names something; at its definition, the definition's own name. */
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

/** A place that names what another file has: who resolves names does not know which file that is. */
export interface OutsideName {
  readonly name: Named;
  readonly of: 'library' | 'model' | 'operation';
  /** The library that an operation is called with. */
  readonly library?: string;
}

/** What all the names of a file stand for. */
export interface FileNames {
  readonly links: readonly NameLink[];
  readonly outside: readonly OutsideName[];
}

/**
 * Names in different spaces have nothing to do with each other. Those of threads and methods have one space for each of
 * these: `own T` is what thread T writes without declaring it.
 */
export type NameSpace =
  'shared' | 'node' | 'thread' | 'method' | `${'own' | 'work' | 'queue pair' | 'mark'} ${string}`;

/**
 * Takes down what the names of a file stand for, while they are resolved. A definition may come behind its uses. Whoever
 * resolves does so for names that are wrong where they stand, too: they may be right when all is written.
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

  /** Something gets its name here, unless it has it already: of several places in one space, the first that is told. */
  define(name: Named, kind: NamedKind, whole: Span, space: NameSpace): void {
    const known = this.spaces.get(space) ?? new Map<string, NameDefinition>();
    this.spaces.set(space, known);
    const to = known.get(name.text) ?? { kind, name, whole };
    known.set(name.text, to);
    this.defined.push({ name, to });
  }

  /**
   * A name stands for what is defined in the first of some spaces that has it; if none has, for nothing.
   *
   * @param text what the name is there, if it is written in another way
   */
  use(name: Named, among: readonly NameSpace[], text = name.text): void {
    this.used.push({ name, text, among });
  }

  useOutside(name: Named, of: OutsideName['of'], library?: string): void {
    this.outside.push({ name, of, library });
  }

  /** All links, those of definitions first, and each once. */
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

/** Tells definitions apart: by the place and the text of their names, of files by their paths. */
export const definitionKey = ({ name: { text, span }, kind }: NameDefinition): string =>
  kind === 'file' ? span.file : `${span.file} ${span.start} ${text}`;

/** The same links, each once: the first of those that say the same of a place. */
export function distinctLinks(links: readonly NameLink[]): readonly NameLink[] {
  const found = new Map<string, NameLink>();
  for (const link of links) {
    const { file, start } = link.name.span;
    const key = `${file} ${start} ${definitionKey(link.to)}`;
    if (!found.has(key)) found.set(key, link);
  }
  return [...found.values()];
}
