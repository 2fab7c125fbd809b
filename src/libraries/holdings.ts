import type {
  HeldName,
  HeldObjects,
  HeldLocations,
  Held,
  ImplementationFile,
} from '../parse/implementation-ast.js';
import type { Report, Span } from '../parse/diagnostics/index.js';
import type { Ident, LitmusFile, LocationDecl, ObjectDecl } from '../parse/litmus-ast.js';
import { constantIn } from './constants.js';
import type { VariableBound, LibraryScope } from './scope.js';
import { bind, lookUp, membersOf, nodesOfClient, threadsOf } from './scope.js';

/**
 * The families that an implementation holds, by name: for each index (`''` if there is none) the name in the client.
 */
export type Families = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Everything that an implementation declares for the objects of a client. */
export interface Holdings {
  /** By the names of the client's objects. */
  readonly ofObjects: ReadonlyMap<string, Families>;
  /** What is held once for all objects. */
  readonly once: Families;
  /** The objects of lower libraries to declare in the client. */
  readonly objects: readonly ObjectDecl[];
  /** By the names of nodes. */
  readonly locations: ReadonlyMap<string, readonly LocationDecl[]>;
}

/**
 * Declares what an implementation holds: for each object of its library in the client, and once for all of them. Names
 * begin with the object, `z.count[T1]`, or the implementation, `loco-sv.dummy[1]`: no client can write such names.
 *
 * @param names the parameters of the implementation
 */
export function declareHeld(
  client: LitmusFile,
  implementation: ImplementationFile,
  names: ReadonlyMap<string, VariableBound>,
  report: Report,
): Holdings {
  const made = new Declaring(report);
  const about = { client, names, report };
  const ofObjects = new Map<string, Families>();
  for (const object of client.objects) {
    if (object.library.text !== implementation.implements.text) continue;
    const own = object.name.text;
    const families = new Map<string, Map<string, string>>();
    for (const each of implementation.perObject) {
      const scope = bind({ ...about, object }, each.object.text, { kind: 'object', object });
      const place = { families, prefix: own, own: each.object.text, span: object.span };
      for (const held of each.held) made.declare(scope, held, place);
    }
    ofObjects.set(own, families);
  }
  const once = new Map<string, Map<string, string>>();
  const { text, span } = implementation.name;
  for (const held of implementation.once) {
    made.declare(about, held, { families: once, prefix: text, span });
  }
  return { ofObjects, once, objects: made.objects, locations: made.locations };
}

/** The context of a declaration. */
interface Place {
  readonly families: Map<string, Map<string, string>>;
  /** The prefix of its names. */
  readonly prefix: string;
  /** The object's name in the implementation. Something that is held under this name keeps the name of the object. */
  readonly own?: string;
  /** The declaration of the object in the client, or the implementation's. */
  readonly span: Span;
}

class Declaring {
  readonly objects: ObjectDecl[] = [];
  readonly locations = new Map<string, LocationDecl[]>();

  constructor(private readonly report: Report) {}

  declare(scope: LibraryScope, held: Held, place: Place): void {
    switch (held.kind) {
      case 'objects':
        return this.declareObjects(scope, held, place);
      case 'locations':
        return this.declareLocations(scope, held, place);
      case 'for': {
        if (held.over.kind === 'range') {
          const message = 'what is held is for each thread of a role, or for each node';
          return this.report(held.over.span, message, 'for numbers, write a family: cell[0 .. 3]');
        }
        for (const member of membersOf(scope, held.over) ?? []) {
          const inner = bind(scope, held.variable.text, member);
          for (const one of held.body) this.declare(inner, one, place);
        }
      }
    }
  }

  private declareObjects(scope: LibraryScope, held: HeldObjects, place: Place): void {
    const { library, words, span } = held;
    const node = held.node && named(this.nodeText(scope, held.node), place.span);
    const roles = held.roles.map(({ role, threads }) => ({
      role,
      threads: threads.flatMap((t) =>
        this.threads(scope, t).map((text) => named(text, place.span)),
      ),
    }));
    for (const { text } of held.names.flatMap((name) => this.members(scope, name, place))) {
      const name = { text, span: place.span };
      this.objects.push({ library, name, node, words, roles, span });
    }
  }

  private declareLocations(scope: LibraryScope, held: HeldLocations, place: Place): void {
    const bound = lookUp(scope, held.node.text);
    if (bound !== undefined && bound.kind !== 'node') {
      return this.report(held.node.span, `'${held.node.text}' is no node`);
    }
    const nodes = nodesOfClient(scope);
    const at =
      bound !== undefined
        ? [bound.name]
        : nodes.includes(held.node.text)
          ? [held.node.text]
          : nodes;
    for (const node of at) {
      const inner = bind(scope, held.node.text, { kind: 'node', name: node });
      const own = this.locations.get(node) ?? [];
      this.locations.set(node, own);
      for (const { name, value } of held.locations) {
        for (const { text } of this.members(inner, name, place)) {
          own.push({ name: { text, span: place.span }, value, tags: [], span: place.span });
        }
      }
    }
  }

  /** The names that one declared name stands for. Adds them to the family. */
  private members(
    scope: LibraryScope,
    held: HeldName,
    place: Place,
  ): readonly { readonly text: string }[] {
    const { text: name } = held.name;
    const family = place.families.get(name) ?? new Map<string, string>();
    place.families.set(name, family);
    const base = name === place.own ? place.prefix : `${place.prefix}.${name}`;
    const made = this.keys(scope, held).map((key) => ({
      key,
      text: key === '' ? base : `${base}[${key}]`,
    }));
    const twice = made.find(({ key }) => family.has(key));
    if (twice !== undefined) {
      this.report(held.span, `${twice.text} is declared twice`, 'give each an index of its own');
      return [];
    }
    for (const { key, text } of made) family.set(key, text);
    return made;
  }

  /** The indices of a name, as text; `''` for a name without an index. */
  private keys(scope: LibraryScope, { index, to, span }: HeldName): readonly string[] {
    if (index === undefined) return [''];
    const first = constantIn(scope, index);
    if (first === undefined) return this.unknown(span);
    if (to === undefined) return [first.kind === 'int' ? String(first.value) : first.name];
    const last = constantIn(scope, to);
    if (first.kind !== 'int' || last?.kind !== 'int') return this.unknown(span);
    const count = last.value - first.value + 1;
    if (count < 1 || count > MEMBERS) {
      this.report(span, `a family has 1 to ${MEMBERS} members, not ${Math.max(0, count)}`);
      return [];
    }
    return Array.from({ length: count }, (_, i) => String(first.value + i));
  }

  private unknown(span: Span): readonly string[] {
    const hint = 'a number, a parameter, a thread or a node';
    this.report(span, 'the index of what is held is known before anything runs', hint);
    return [];
  }

  private nodeText(scope: LibraryScope, { text, span }: Ident): string {
    const bound = lookUp(scope, text);
    if (bound === undefined) return text;
    if (bound.kind === 'node') return bound.name;
    this.report(span, `'${text}' is no node`);
    return text;
  }

  /** The threads that a name stands for: one, or those of a role of the object. */
  private threads(scope: LibraryScope, { text, span }: Ident): readonly string[] {
    const bound = lookUp(scope, text);
    if (bound?.kind === 'thread') return [bound.name];
    const threads = threadsOf(scope, text);
    if (threads === undefined) this.report(span, `'${text}' is no thread and no role`);
    return threads ?? [];
  }
}

/** At most so many members, as in families of litmus files. */
const MEMBERS = 64;

const named = (text: string, span: Span): Ident => ({ text, span });
