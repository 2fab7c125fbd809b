import type { ImplementationFile, Method } from '../parse/implementation-ast.js';
import type { Span } from '../parse/diagnostics/index.js';
import type { LitmusExpr, Ident, NameRef } from '../parse/litmus-ast.js';
import { constantIn, textOf } from './constants.js';
import type { Families, Holdings } from './holdings.js';
import type { LibraryScope } from './scope.js';
import { lookUp } from './scope.js';

/** One call that a method's body replaces. */
export interface InlinedCall {
  readonly implementation: ImplementationFile;
  readonly method: Method;
  /** The names that the method assigns. */
  readonly locals: ReadonlySet<string>;
  readonly holdings: Holdings;
  /** The place of the client's call, and so of everything that is made for it. */
  readonly span: Span;
  /** The prefix of the names of its registers. */
  readonly prefix: string;
  /** The length of the client's longest tuple. */
  readonly longest: number;
  /** Counts new names, so that each is another. */
  readonly count: { made: number };
}

/** A register of the call: `bal1.v`. */
export const registerOf = ({ prefix }: InlinedCall, name: string): string => `${prefix}.${name}`;

export const fresh = (site: InlinedCall, name: string): string =>
  registerOf(site, `${name}#${++site.count.made}`);

/**
 * A name at the place of the call. Each gets its own span object, since later stages tell instructions apart by them.
 */
export const identOf = ({ span }: InlinedCall, text: string): Ident => ({
  text,
  span: { ...span },
});

export const refOf = (site: InlinedCall, text: string): NameRef => ({
  name: identOf(site, text),
  span: { ...site.span },
});

export const nameExpr = (site: InlinedCall, text: string): LitmusExpr => ({
  kind: 'ref',
  ref: refOf(site, text),
  span: { ...site.span },
});

export const intExpr = ({ span }: InlinedCall, value: number): LitmusExpr => ({
  kind: 'int',
  value,
  span: { ...span },
});

/** The family of a name: one that is held for the present object, or one that is held once. */
export function familyOf(
  { holdings }: InlinedCall,
  scope: LibraryScope,
  { object, name }: NameRef,
): ReadonlyMap<string, string> | undefined {
  const of = (families: Families | undefined) => families?.get(name.text);
  if (object !== undefined) {
    const bound = lookUp(scope, object.text);
    if (bound?.kind === 'object') return of(holdings.ofObjects.get(bound.object.name.text));
    scope.report(object.span, `'${object.text}' is no object here`);
    return undefined;
  }
  const own = scope.object && holdings.ofObjects.get(scope.object.name.text);
  return of(own) ?? of(holdings.once);
}

/**
 * The client's name of something that is held; undefined if nothing of this name is held, or if the index is wrong,
 * which is reported.
 */
export function heldName(site: InlinedCall, scope: LibraryScope, ref: NameRef): string | undefined {
  const family = familyOf(site, scope, ref);
  if (family === undefined) {
    if (ref.object !== undefined && lookUp(scope, ref.object.text)?.kind === 'object') {
      scope.report(ref.span, `nothing is held under the name '${ref.name.text}'`);
    }
    return undefined;
  }
  const known = ref.index === undefined ? undefined : constantIn(scope, ref.index);
  const key = known === undefined ? '' : textOf(known);
  const name = family.get(key);
  if (name === undefined) reportMember(scope, ref, key, family);
  return name ?? '';
}

function reportMember(
  { report }: LibraryScope,
  { name, index, span }: NameRef,
  key: string,
  family: ReadonlyMap<string, string>,
): void {
  const indices = [...family.keys()];
  const hint = `its indices are ${indices.join(', ')}`;
  if (index === undefined) report(span, `'${name.text}' is a family: it has an index`, hint);
  else if (indices.includes('')) report(span, `'${name.text}' is no family: it has no index`);
  else if (key === '') {
    const where = 'a computed index stands in an assignment or in a call';
    report(span, where, 'read the member into a register before');
  } else report(span, `'${name.text}' has no member ${key}`, hint);
}

/**
 * The work identifier that a name stands for: the client's, or the implementation's own for each object, `x.d`. `_` is
 * a new one each time. Undefined if the client gives none.
 */
export function workName(
  site: InlinedCall,
  scope: LibraryScope,
  { text }: Ident,
): string | undefined {
  if (text === '_') return fresh(site, '_');
  const { parameters, work } = site.method;
  const bound = lookUp(scope, text);
  if (bound?.kind === 'given' && bound.value.kind === 'ref') return bound.value.ref.name.text;
  if (bound !== undefined)
    scope.report(site.span, `'${text}' is an identifier here`, 'as the d of `y^2 :=^d x`');
  if (bound === undefined && (work?.text === text || parameters.some((p) => p.text === text))) {
    return undefined;
  }
  const owner = scope.object?.name.text ?? site.implementation.name.text;
  return `${owner}.${text}`;
}
