import type { Binding as LetBinding, Item, Name } from '../parse/cat-ast.js';
import { asTerm, elaborateExpr, expectKind } from './expression.js';
import type { Context } from './expression.js';
import { extend } from './scope.js';
import type { Binding, Scope, Value } from './scope.js';
import { closeGroup, fork, openGroup } from './table.js';
import type { Definition, Kind } from './term.js';

type Let = Extract<Item, { kind: 'let' }>;

/** A scope with a `let`'s names, and the terms of those that are not functions. */
export interface Defined {
  readonly scope: Scope;
  readonly definitions: readonly Definition[];
}

/**
 * Elaborates `let … and …` and `let rec … and …`. A name whose definition is wrong is bound to
 * an error, so that its uses are not reported as well.
 */
export function elaborateLet(context: Context, scope: Scope, item: Let): Defined {
  const { bindings, recursive } = item;
  reportTwice(
    context,
    bindings.map(({ name }) => name),
    (name) => `'${name}' is defined twice in one \`let\``,
  );
  const bound = recursive
    ? elaborateRec(context, scope, bindings)
    : bindings.map((binding) => elaborateBinding(context, scope, binding));
  const named = bindings.map(({ name }, i) => [name.text, bound[i]] as const);
  return {
    scope: extend(scope, named),
    definitions: named.flatMap(([name, value], i) => {
      if (value.kind !== 'set' && value.kind !== 'rel' && value.kind !== 'zero') return [];
      const { words } = bindings[i];
      const term = asTerm(context, value, 'rel');
      return [{ name, term, ...(words !== undefined && { words }) }];
    }),
  };
}

/** All bindings of a plain `let` see the scope before it. */
function elaborateBinding(context: Context, scope: Scope, binding: LetBinding): Binding {
  const { params, body } = binding;
  if (params === undefined) return elaborateExpr(context, scope, body);
  reportTwice(context, params, (name) => `parameter '${name}' is given twice`);
  // Whatever is wrong with the body for all arguments is reported here, once, called or not.
  const unknown = params.map((param) => [param.text, { kind: 'error' }] as const);
  const trial = forked(context);
  elaborateExpr(trial, extend(scope, unknown), body);
  context.errors.push(...trial.errors);
  return trial.errors.length > 0 ? { kind: 'error' } : { kind: 'function', params, body, scope };
}

/** The least fixpoints of a group; see `RecGroup` for the order of its terms. */
function elaborateRec(
  context: Context,
  scope: Scope,
  bindings: readonly LetBinding[],
): readonly Value[] {
  const failed = bindings.map((): Value => ({ kind: 'error' }));
  const functions = bindings.filter(({ params }) => params !== undefined);
  for (const { name } of functions) {
    const message = 'recursive functions are not supported';
    context.errors.push({ span: name.span, message });
  }
  const kinds = functions.length > 0 ? undefined : recKinds(context, scope, bindings);
  if (kinds === undefined) return failed;

  const vars = openGroup(context.table, kinds);
  const inner = extend(
    scope,
    bindings.map(({ name }, i) => [name.text, { kind: kinds[i], id: vars[i] }] as const),
  );
  const bodies = bindings.map(({ name, body }, i) => {
    const kind = kinds[i];
    const need = `'${name.text}' is used as a ${kind === 'set' ? 'set' : 'relation'}`;
    return expectKind(context, elaborateExpr(context, inner, body), kind, need, body);
  });
  const found = bodies.filter((body) => body !== undefined);
  // Errors fail the model: an open group left behind is never looked at.
  if (found.length < bodies.length) return failed;
  const names = bindings.map(({ name }) => name.text);
  return closeGroup(context.table, names, vars, found).map((id, i) => ({ kind: kinds[i], id }));
}

/**
 * Whether each name of a group is a set or a relation: its body's kind when the names of yet
 * unknown kind are `0`, which fits everywhere; what stays `0` is a relation. Undefined after
 * reporting if a body is wrong whatever the kinds.
 */
function recKinds(
  context: Context,
  scope: Scope,
  bindings: readonly LetBinding[],
): readonly Kind[] | undefined {
  const trial = forked(context);
  let values: readonly Value[] = bindings.map(() => ({ kind: 'zero' }));
  for (let round = 0; round < bindings.length; round++) {
    const inner = extend(
      scope,
      bindings.map(({ name }, i) => [name.text, values[i]] as const),
    );
    const next = bindings.map(({ body }) => elaborateExpr(trial, inner, body));
    if (round === 0 && trial.errors.length > 0) {
      context.errors.push(...trial.errors);
      return undefined;
    }
    values = next.map(({ kind }, i): Value => {
      if (values[i].kind !== 'zero' || kind === 'zero' || kind === 'error') return values[i];
      return { kind, id: asTerm(trial, { kind: 'zero' }, kind) };
    });
  }
  return values.map(({ kind }) => (kind === 'set' ? 'set' : 'rel'));
}

/** A context to try something in: neither its terms nor its errors reach the original. */
function forked(context: Context): Context {
  return { ...context, table: fork(context.table), errors: [], calls: new Map() };
}

function reportTwice(
  context: Context,
  names: readonly Name[],
  message: (name: string) => string,
): void {
  names.forEach(({ text, span }, i) => {
    const earlier = names.slice(0, i).some((name) => name.text === text);
    if (earlier) context.errors.push({ span, message: message(text) });
  });
}
