import type { Named, NamedKind, NameDefinition, NameLink } from '../parse/links.js';
import type { Span } from '../parse/diagnostics/index.js';
import { placeOf } from './scope.js';
import type { ModelScope } from './scope.js';

/** What links are added to, if anybody wants to know what names stand for. */
interface Recording {
  readonly links?: NameLink[];
}

/** The text that defines a name, and what its doc comment says. */
interface Defining {
  readonly span: Span;
  readonly words?: string;
}

/** Takes down that something gets its name here, and gives the place for the scope. */
export function definedHere(
  { links }: Recording,
  name: Named,
  kind: NamedKind,
  { span, words }: Defining,
): NameDefinition | undefined {
  if (links === undefined) return undefined;
  const to: NameDefinition = { kind, name, whole: span, words };
  links.push({ name, to });
  return to;
}

/** Takes down what a name stands for; without a place, it comes with the language, or there is nothing of this name. */
export function usedHere({ links }: Recording, name: Named, to: NameDefinition | undefined): void {
  if (links !== undefined && to !== undefined) links.push({ name, to });
}

/** The same of a name in an expression. */
export function usedIn(recording: Recording, scope: ModelScope, name: Named): void {
  if (recording.links !== undefined) usedHere(recording, name, placeOf(scope, name.text));
}

/** Takes down names that are no relations: each kind has names of its own. */
export class DeclaredNames {
  private constructor(
    readonly links: NameLink[] | undefined,
    private readonly places: Map<string, NameDefinition>,
  ) {}

  static of({ links }: Recording): DeclaredNames {
    return new DeclaredNames(links, new Map());
  }

  /** The same names for a part of a declaration, which has more of them. */
  inside(): DeclaredNames {
    return new DeclaredNames(this.links, new Map(this.places));
  }

  /** @param space the kind of names among which it is found */
  define(
    name: Named,
    kind: NamedKind,
    defining: Defining,
    space: NamedKind = kind,
  ): NameDefinition | undefined {
    const to = definedHere(this, name, kind, defining);
    if (to !== undefined) this.places.set(`${space} ${name.text}`, to);
    return to;
  }

  use(name: Named, space: NamedKind): void {
    usedHere(this, name, this.places.get(`${space} ${name.text}`));
  }

  /** A name that may be given several times, and is one name then. */
  defineOnce(name: Named, kind: NamedKind, defining: Defining): void {
    if (this.places.has(`${kind} ${name.text}`)) this.use(name, kind);
    else this.define(name, kind, defining);
  }
}
