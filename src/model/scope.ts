import type { CatItem, Expr, Name } from '../parse/cat-ast.js';
import type { NameDefinition } from '../parse/links.js';
import { BASE_ALIASES, BASE_RELATIONS, BASE_SETS } from './bases.js';
import type { Kind, TermId } from './term.js';

/**
 * What an expression stands for. `zero` is `0` or `{}`, which becomes a set or a relation where it is used. What has no term
 * of its own is known when the model is loaded, and is taken apart before anything needs a term (static.ts, orders.ts).
 * `error` is what could not be elaborated and was reported, so that nothing more is said.
 */
export type CatValue =
  | { readonly kind: Kind; readonly id: TermId }
  | { readonly kind: 'zero' }
  | { readonly kind: 'tuple'; readonly parts: readonly CatValue[] }
  | { readonly kind: 'tag'; readonly text: string }
  /** A set that is written down, with at least one element. */
  | { readonly kind: 'many'; readonly parts: readonly CatValue[] }
  | FunctionBinding
  | Builtin
  | OrdersValue
  | { readonly kind: 'error' };

/** A function that comes with the language. */
export interface Builtin {
  readonly kind: 'builtin';
  readonly op: 'domain' | 'range' | 'linearisations' | 'partition' | 'cross';
}

/** Sets of sets or of orders that each execution has of its own: they are chosen from, and never written down. */
export type OrdersValue =
  /** The events of a set, by location. */
  | { readonly kind: 'classes'; readonly events: TermId }
  /** All strict total orders of the events, or of those at each location, that have some pairs in them. */
  | {
      readonly kind: 'orders';
      readonly events: TermId;
      readonly byLocation: boolean;
      readonly pairs: TermId;
    };

/** A user's function: expanded at each call, in the scope of its definition. */
export interface FunctionBinding {
  readonly kind: 'function';
  readonly params: readonly Name[];
  readonly body: Expr;
  readonly scope: ModelScope;
}

/** A base name, which becomes a term only where it is used. */
export interface BaseBinding {
  readonly kind: 'base';
  readonly of: Kind;
  readonly name: string;
  /** Whether it is about one library alone. */
  readonly own?: boolean;
}

/** Items that a `call` stands for, in the scope of their definition. */
export interface ProcedureBinding {
  readonly kind: 'procedure';
  readonly params: readonly Name[];
  readonly items: readonly CatItem[];
  readonly scope: ModelScope;
}

/** What a name stands for. */
export type ScopeBinding = CatValue | ProcedureBinding | BaseBinding;

/** Names and what they stand for. A later definition makes a new scope around the earlier one. */
export interface ModelScope {
  readonly names: ReadonlyMap<string, ScopeBinding>;
  /** Where they get their meaning, as far as a file says so and somebody wants to know. */
  readonly places?: NamePlaces;
  readonly outer?: ModelScope;
}

export type NamePlaces = ReadonlyMap<string, NameDefinition>;

const BUILTINS = ['domain', 'range', 'linearisations', 'partition', 'cross'] as const;

/** The names that every model can use. */
export const BASE_SCOPE: ModelScope = {
  names: new Map<string, ScopeBinding>([
    ...BASE_SETS.map((name): [string, ScopeBinding] => [name, { kind: 'base', of: 'set', name }]),
    ...BASE_RELATIONS.map((name): [string, ScopeBinding] => [
      name,
      { kind: 'base', of: 'rel', name },
    ]),
    ...[...BASE_ALIASES].map(([alias, name]): [string, ScopeBinding] => [
      alias,
      { kind: 'base', of: 'rel', name },
    ]),
    ...BUILTINS.map((op): [string, ScopeBinding] => [op, { kind: 'builtin', op }]),
  ]),
};

/** A scope with more names, for a part of a file. */
export function extend(
  outer: ModelScope,
  bindings: Iterable<readonly [string, ScopeBinding]>,
  places?: NamePlaces,
): ModelScope {
  return { names: new Map(bindings), places, outer };
}

/**
 * A scope with more names, for all that follows in a file. It takes in scopes around it that are no larger, so that few are
 * around each other however many definitions there are.
 */
export function define(
  around: ModelScope,
  bindings: Iterable<readonly [string, ScopeBinding]>,
  here?: NamePlaces,
): ModelScope {
  const names = new Map(bindings);
  const places = here && new Map(here);
  let outer: ModelScope | undefined = around;
  while (outer !== undefined && outer.names.size <= names.size) {
    for (const [name, binding] of outer.names) {
      if (names.has(name)) continue;
      names.set(name, binding);
      const place = places && outer.places?.get(name);
      if (place !== undefined) places!.set(name, place);
    }
    outer = outer.outer;
  }
  return { names, places, outer };
}

/** What a name stands for: the latest definition shadows earlier ones. */
export function find(scope: ModelScope, name: string): ScopeBinding | undefined {
  for (let inner: ModelScope | undefined = scope; inner !== undefined; inner = inner.outer) {
    const binding = inner.names.get(name);
    if (binding !== undefined) return binding;
  }
  return undefined;
}

/** Where the name that is meant gets its meaning; undefined where `places` does not say. */
export function placeOf(scope: ModelScope, name: string): NameDefinition | undefined {
  for (let inner: ModelScope | undefined = scope; inner !== undefined; inner = inner.outer) {
    if (inner.names.has(name)) return inner.places?.get(name);
  }
  return undefined;
}

/** The names of functions, or of everything else, for hints. */
export function namesInScope(scope: ModelScope, functions: boolean): string[] {
  const latest = new Map<string, ScopeBinding>();
  for (let inner: ModelScope | undefined = scope; inner !== undefined; inner = inner.outer) {
    for (const [name, binding] of inner.names) {
      if (!latest.has(name)) latest.set(name, binding);
    }
  }
  return [...latest].flatMap(([name, b]) => (isFunction(b) === functions ? [name] : []));
}

const isFunction = (binding: ScopeBinding): boolean =>
  binding.kind === 'function' || binding.kind === 'builtin';
