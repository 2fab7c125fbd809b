import type { NameDefinition } from '../parse/links.js';
import type { Binding as LetBinding, Bindings, Expr, Name } from '../parse/cat-ast.js';
import { described, forked } from './context.js';
import type { Context } from './context.js';
import { closure, elaborateExpr, recordNames } from './expression.js';
import { definedHere } from './name-places.js';
import { asTerm, expectKind } from './operands.js';
import { define, extend } from './scope.js';
import type { CatValue, ModelScope, NamePlaces, ScopeBinding } from './scope.js';
import { isNothing } from './static.js';
import { closeGroup, intern, markOf, openGroup, undo } from './table.js';
import type { Definition, Kind, TermId } from './term.js';

/** A scope with a `let`'s names, and the terms of those that are not functions. */
export interface Defined {
  readonly scope: ModelScope;
  readonly definitions: readonly Definition[];
}

/**
 * Elaborates `let … and …` and `let rec … and …`. A name whose definition is wrong is bound to
 * an error, so that its uses are not reported as well.
 */
export function elaborateLet(context: Context, scope: ModelScope, item: Bindings): Defined {
  const { bindings, recursive } = item;
  reportTwice(
    context,
    bindings.flatMap(({ names }) => names),
    (name) => `'${name}' is defined twice in one \`let\``,
  );
  const places = placesOf(context, bindings);
  const bound = recursive
    ? elaborateRec(context, scope, bindings, places)
    : bindings.map((binding) => elaborateBinding(context, scope, binding));
  const parts = bindings.map((binding, i) => taken(context, binding, bound[i]));
  return {
    scope: define(scope, parts.flat(), places),
    definitions: parts.flatMap((named, i) =>
      named.flatMap(([name, value]) => {
        const term = definedTerm(context, value);
        const { words, span } = bindings[i];
        return term === undefined ? [] : [{ name, term, span, words }];
      }),
    ),
  };
}

function placesOf(context: Context, bindings: readonly LetBinding[]): NamePlaces | undefined {
  if (context.links === undefined) return undefined;
  const places = new Map<string, NameDefinition>();
  for (const binding of bindings) {
    const kind = binding.params === undefined ? 'relation' : 'function';
    for (const name of binding.names) {
      const place = name.text === '_' ? undefined : definedHere(context, name, kind, binding);
      if (place !== undefined) places.set(name.text, place);
    }
  }
  return places;
}

/** A scope with the parameters of a function, of which nothing is known yet. */
function withParams(
  context: Context,
  scope: ModelScope,
  { params = [], span }: LetBinding,
): ModelScope {
  const places = new Map<string, NameDefinition>();
  for (const param of params) {
    const place = definedHere(context, param, 'parameter', { span });
    if (place !== undefined) places.set(param.text, place);
  }
  const unknown = params.map((param) => [param.text, { kind: 'error' }] as const);
  return extend(scope, unknown, places);
}

/** The term that a name is put down for; functions, tuples and errors have none. */
function definedTerm(context: Context, value: ScopeBinding): TermId | undefined {
  if (value.kind === 'set') return value.id;
  return value.kind === 'rel' || value.kind === 'zero' ? asTerm(context, value, 'rel') : undefined;
}

/** What each name of a binding stands for: all of the value, or a part of the tuple that it is. */
function taken(
  context: Context,
  { names, body }: LetBinding,
  value: ScopeBinding,
): readonly (readonly [string, ScopeBinding])[] {
  if (names.length === 1) return [[names[0].text, value]];
  const failed = value.kind !== 'tuple' || value.parts.length !== names.length;
  if (failed && value.kind !== 'error') {
    const message = `${names.length} names need a tuple of ${names.length}`;
    const found = described(context, body, value);
    context.errors.push({ span: body.span, message: `${message}, ${found}` });
  }
  return names.flatMap(({ text }, i) =>
    text === '_' ? [] : [[text, failed ? { kind: 'error' } : value.parts[i]] as const],
  );
}

/** All bindings of a plain `let` see the scope before it. */
function elaborateBinding(context: Context, scope: ModelScope, binding: LetBinding): ScopeBinding {
  const { params, body } = binding;
  if (params === undefined) return elaborateExpr(context, scope, body);
  reportTwice(context, params, (name) => `parameter '${name}' is given twice`);
  return closure(context, scope, params, body);
}

/** The least fixpoints of a group; see `RecGroup` for the order of its terms. */
function elaborateRec(
  context: Context,
  scope: ModelScope,
  bindings: readonly LetBinding[],
  places: NamePlaces | undefined,
): readonly CatValue[] {
  const failed = bindings.map((): CatValue => ({ kind: 'error' }));
  if (bindings.every(isFunction)) return elaborateFunctions(context, scope, bindings, places);
  const refused = bindings.filter(({ names, params }) => params !== undefined || names.length > 1);
  for (const { names, params } of refused) {
    const message =
      params === undefined
        ? 'recursive tuples are not supported'
        : 'a function cannot be defined together with relations, each by the other';
    context.errors.push({ span: names[0].span, message });
  }
  if (refused.length > 0) recordRefused(context, scope, bindings, places);
  if (context.inRec === true) {
    const message = 'a `let rec` of relations cannot stand in another one';
    context.errors.push({ span: bindings[0].span, message });
    return failed;
  }
  const found = refused.length > 0 ? undefined : recKinds(context, scope, bindings, places);
  if (found === undefined) return failed;
  const mark = markOf(context.table);
  const trial: Context = { ...context, errors: [], calls: new Map() };
  const made = elaborateGroup(trial, scope, bindings, places, found.kinds);
  if (made !== undefined) return made;
  undo(context.table, mark);
  // What is empty if it is empty before has no other least fixpoint, whatever its definition does to larger ones.
  const nothing = found.kinds.map((kind) => ({
    kind,
    id: intern(context.table, { op: 'empty', kind }),
  }));
  if (found.isEmpty) return nothing;
  if (onlyGrows(bindings)) return inRounds(context, scope, bindings, nothing);
  context.errors.push(...trial.errors);
  return failed;
}

/** Does what a group defines only grow from round to round: is each name `x = x | …`, or made of such names and those before it? */
function onlyGrows(bindings: readonly LetBinding[]): boolean {
  return bindings.every(
    ({ body }, at) =>
      isOwn(bindings[at]) ||
      bindings.every((other, i) => i < at || isOwn(other) || !mentions(body, other.names[0].text)),
  );
}

/** `x = x | …` */
const isOwn = ({ names: [name], body }: LetBinding): boolean => isPart(name.text, body);

const isPart = (name: string, body: Expr): boolean =>
  body.kind === 'binary' && body.op === 'union'
    ? isPart(name, body.left) || isPart(name, body.right)
    : body.kind === 'name' && body.text === name;

const mentions = (body: Expr, name: string): boolean =>
  JSON.stringify(body).includes(`"text":${JSON.stringify(name)}`);

/** How often a group that is not monotone is computed. */
export const ROUNDS = 8;

/**
 * A group that is not monotone: from empty, one name after the other, round by round, as herd7 computes it. It is done where the names
 * that grow have not grown in the last round.
 */
function inRounds(
  context: Context,
  scope: ModelScope,
  bindings: readonly LetBinding[],
  nothing: readonly CatValue[],
): readonly CatValue[] {
  const values = [...nothing];
  let before = [...values];
  for (let round = 0; round <= ROUNDS; round++) {
    before = [...values];
    bindings.forEach(({ body }, i) => {
      const names = bindings.map((one, j) => [one.names[0].text, values[j]] as const);
      values[i] = elaborateExpr(context, extend(scope, names), body);
    });
  }
  const made = values.map((value, i) => {
    const kind = value.kind === 'set' ? 'set' : 'rel';
    const [old, left] = [before[i], value].map((one) => asTerm(context, one, kind));
    return { kind, old, left } as const;
  });
  const open = made.flatMap(({ old, left }) => (left === undefined || left === old ? [] : [left]));
  made.forEach(({ kind, old: right, left }, i) => {
    if (!isOwn(bindings[i]) || left === undefined || right === undefined || left === right) return;
    const change = intern(context.table, { op: 'diff', kind, left, right });
    context.unsettled.push({ change, values: open });
  });
  return values;
}

const isFunction = ({ params }: LetBinding): boolean => params !== undefined;

/** Functions that call themselves, or each other: arguments that are known when the model is loaded make an end of it. */
function elaborateFunctions(
  context: Context,
  scope: ModelScope,
  bindings: readonly LetBinding[],
  places: NamePlaces | undefined,
): readonly CatValue[] {
  const names = new Map<string, ScopeBinding>(
    bindings.map((binding) => [binding.names[0].text, { kind: 'error' }]),
  );
  const inner: ModelScope = { names, places, outer: scope };
  const made = bindings.map((binding) => elaborateBinding(context, inner, binding) as CatValue);
  bindings.forEach((binding, i) => names.set(binding.names[0].text, made[i]));
  return made;
}

/** A group whose kinds are known. Undefined after reporting. */
function elaborateGroup(
  outer: Context,
  scope: ModelScope,
  bindings: readonly LetBinding[],
  places: NamePlaces | undefined,
  kinds: readonly Kind[],
): readonly CatValue[] | undefined {
  const context: Context = { ...outer, inRec: true };
  const vars = openGroup(context.table, kinds);
  const inner = extend(
    scope,
    bindings.map(({ names }, i) => [names[0].text, { kind: kinds[i], id: vars[i] }] as const),
    places,
  );
  const bodies = bindings.map(({ names, body }, i) => {
    const kind = kinds[i];
    const need = `'${names[0].text}' is used as a ${kind === 'set' ? 'set' : 'relation'}`;
    return expectKind(context, elaborateExpr(context, inner, body), kind, need, body);
  });
  const found = bodies.filter((body) => body !== undefined);
  // Errors fail the model: an open group left behind is never looked at.
  if (found.length < bodies.length) return undefined;
  const names = bindings.map((binding) => binding.names[0].text);
  return closeGroup(context.table, names, vars, found).map((id, i) => ({ kind: kinds[i], id }));
}

/** The names in a group that is none: somebody may be writing it. */
function recordRefused(
  context: Context,
  scope: ModelScope,
  bindings: readonly LetBinding[],
  places: NamePlaces | undefined,
): void {
  const names = bindings.flatMap((binding) => binding.names.map(({ text }) => text));
  const group = extend(
    scope,
    names.map((name) => [name, { kind: 'error' }] as const),
    places,
  );
  for (const binding of bindings) {
    recordNames(context, withParams(context, group, binding), [binding.body]);
  }
}

/**
 * Whether each name of a group is a set or a relation: its body's kind when the names of yet
 * unknown kind are `0`, which fits everywhere; what stays `0` is a relation. Undefined after
 * reporting if a body is wrong whatever the kinds.
 */
function recKinds(
  context: Context,
  scope: ModelScope,
  bindings: readonly LetBinding[],
  places: NamePlaces | undefined,
): RecKinds | undefined {
  const trial = forked(context);
  let values: readonly CatValue[] = bindings.map(() => ({ kind: 'zero' }));
  let isEmpty = false;
  for (let round = 0; round < bindings.length; round++) {
    const inner = extend(
      scope,
      bindings.map(({ names }, i) => [names[0].text, values[i]] as const),
      places,
    );
    const next = bindings.map(({ body }) => elaborateExpr(trial, inner, body));
    if (round === 0 && trial.errors.length > 0) {
      context.errors.push(...trial.errors);
      return undefined;
    }
    if (round === 0) isEmpty = next.every((value) => isNothing(trial.table, value));
    values = next.map(({ kind }, i): CatValue => {
      if (values[i].kind !== 'zero' || (kind !== 'set' && kind !== 'rel')) return values[i];
      return { kind, id: intern(trial.table, { op: 'empty', kind }) };
    });
  }
  return { kinds: values.map(({ kind }) => (kind === 'set' ? 'set' : 'rel')), isEmpty };
}

/** The kinds of a group, and whether it is empty where its names are. */
interface RecKinds {
  readonly kinds: readonly Kind[];
  readonly isEmpty: boolean;
}

function reportTwice(
  context: Context,
  names: readonly Name[],
  message: (name: string) => string,
): void {
  const known = new Set<string>();
  for (const { text, span } of names) {
    if (text !== '_' && known.has(text)) context.errors.push({ span, message: message(text) });
    known.add(text);
  }
}
