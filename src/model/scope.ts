import type { Expr, Name } from '../parse/cat-ast.js';
import type { NameDefinition } from '../parse/links.js';
import { BASE_ALIASES, BASE_RELATIONS, BASE_SETS } from './bases.js';
import type { Kind, TermId } from './term.js';

/**
 * What an expression stands for. `zero` is `0`, which becomes a set or a relation where it is
 * used; a tuple has no term of its own, and is taken apart before anything needs one; `error` is what could not be elaborated and was reported, so that nothing more is said.
 */
export type CatValue =
  | { readonly kind: Kind; readonly id: TermId }
  | { readonly kind: 'zero' }
  | { readonly kind: 'tuple'; readonly parts: readonly CatValue[] }
  | { readonly kind: 'error' };

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

/** What a name stands for. */
export type ScopeBinding =
  | CatValue
  | FunctionBinding
  | BaseBinding
  | { readonly kind: 'builtin'; readonly op: 'domain' | 'range' };

/** Names and what they stand for. A later definition makes a new scope around the earlier one. */
export interface ModelScope {
  readonly names: ReadonlyMap<string, ScopeBinding>;
  /** Where they get their meaning, as far as a file says so and somebody wants to know. */
  readonly places?: NamePlaces;
  readonly outer?: ModelScope;
}

export type NamePlaces = ReadonlyMap<string, NameDefinition>;

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
    ['domain', { kind: 'builtin', op: 'domain' }],
    ['range', { kind: 'builtin', op: 'range' }],
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
