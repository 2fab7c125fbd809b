import { didYouMean, positionText } from '../parse/diagnostics/index.js';
import type { Span } from '../parse/diagnostics/index.js';
import type { NameDefinition } from '../parse/links.js';
import type { Condition, Expr, Name } from '../parse/cat-ast.js';
import { DEPTH, TOO_DEEP } from '../parse/depth.js';
import {
  CALLS,
  ERROR,
  LEVELS,
  described,
  forked,
  kindName,
  report,
  sourceText,
} from './context.js';
import type { Context, Expansion } from './context.js';
import { herdHint } from './herd-names.js';
import { definedHere, usedIn } from './name-places.js';
import { applyUnary, base, ofFixedKind, ofOneKind, signOf, universe } from './operands.js';
import { OPERATORS } from './operators/facts.js';
import { ARITY, applied } from './orders.js';
import { extend, find, namesInScope } from './scope.js';
import type { Builtin, CatValue, FunctionBinding, ModelScope } from './scope.js';
import { compared, decided, elementsOf, keyOf, setOf, takenFor } from './static.js';
import { markOf, undo } from './table.js';
import type { TermTable } from './table.js';
import type { TermId } from './term.js';

/** How many terms a model may have: functions that call functions twice double them each time. */
const TERMS = 10_000;

type Unary = Extract<Expr, { kind: 'unary' }>;
type Call = Extract<Expr, { kind: 'call' }>;

/**
 * Checks the kinds of an expression, expands its functions and adds its terms to the table.
 * Mistakes are added to `context.errors`, and the value is `error` then.
 */
export function elaborateExpr(outer: Context, scope: ModelScope, expr: Expr): CatValue {
  if (outer.depth >= DEPTH) return report(outer, expr.span, TOO_DEEP);
  if (outer.table.terms.length > TERMS) {
    return report(outer, expr.span, `with this, the model has more than ${TERMS} expressions`);
  }
  const value = elaborated({ ...outer, depth: outer.depth + 1 }, scope, expr);
  if (expr.words !== undefined && 'id' in value) noteWords(outer.table, value.id, expr.words);
  const deep = 'id' in value && outer.table.depths[value.id] > DEPTH;
  return deep ? report(outer, expr.span, `with what it names, ${TOO_DEEP}`) : value;
}

/** Equal operands of several unions are one term: the first words stand. Base names have their own. */
function noteWords({ terms, words }: TermTable, id: TermId, said: string): void {
  if (terms[id].op !== 'base' && !words.has(id)) words.set(id, said);
}

function elaborated(context: Context, scope: ModelScope, expr: Expr): CatValue {
  switch (expr.kind) {
    case 'zero':
      return { kind: 'zero' };
    case 'universe':
      return { kind: 'set', id: universe(context) };
    case 'name':
      usedIn(context, scope, expr);
      return lookUp(context, scope, expr.text, expr.span);
    case 'unary':
      return elaborateUnary(context, scope, expr);
    case 'call':
      return elaborateCall(context, scope, expr);
    case 'tuple': {
      const parts = expr.parts.map((part) => elaborateExpr(context, scope, part));
      // Tuples of tuples could double their size with each definition, and have no use.
      const inner = expr.parts.find((_, i) => parts[i].kind === 'tuple');
      if (inner !== undefined) return report(context, inner.span, 'a tuple cannot hold a tuple');
      return parts.some(({ kind }) => kind === 'error') ? ERROR : { kind: 'tuple', parts };
    }
    case 'binary': {
      const left = elaborateExpr(context, scope, expr.left);
      const right = elaborateExpr(context, scope, expr.right);
      const { takes } = OPERATORS[expr.op];
      return takes === 'either'
        ? ofOneKind(context, expr, left, right)
        : ofFixedKind(context, expr, takes, left, right);
    }
    case 'tag':
      return { kind: 'tag', text: expr.text };
    case 'braces': {
      const parts = expr.parts.map((part) => elaborateExpr(context, scope, part));
      return parts.some(({ kind }) => kind === 'error') ? ERROR : setOf(parts);
    }
    case 'adding': {
      const element = elaborateExpr(context, scope, expr.element);
      const to = elaborateExpr(context, scope, expr.to);
      if (element.kind === 'error' || to.kind === 'error') return ERROR;
      const others = elementsOf(to);
      if (others !== undefined) return setOf([element, ...others]);
      return report(
        context,
        expr.to.span,
        `\`++\` needs a set that is written down, ${described(context, expr.to, to)}`,
      );
    }
    case 'let': {
      const inner: Context = { ...context, depth: context.depth + LEVELS };
      return elaborateExpr(inner, inner.local(inner, scope, expr), expr.body);
    }
    case 'function':
      return closure(context, scope, expr.params, expr.body);
    case 'try':
      return elaborateTry(context, scope, expr);
    case 'if':
      return elaborateIf(context, scope, expr);
    case 'match':
      return elaborateMatch(context, scope, expr);
  }
}

/** A function. Whatever is wrong with its body for all arguments is reported here, once, called or not. */
export function closure(
  context: Context,
  scope: ModelScope,
  params: readonly Name[],
  body: Expr,
): CatValue {
  const places = new Map<string, NameDefinition>();
  for (const param of params) {
    const place = definedHere(context, param, 'parameter', body);
    if (place !== undefined) places.set(param.text, place);
  }
  const unknown = params.map((param) => [param.text, ERROR] as const);
  const trial = forked(context);
  elaborateExpr(trial, extend(scope, unknown, places), body);
  context.errors.push(...trial.errors);
  return trial.errors.length > 0 ? ERROR : { kind: 'function', params, body, scope };
}

/** The body, unless there is something wrong with it: mostly a name that only other programs have. */
function elaborateTry(
  context: Context,
  scope: ModelScope,
  { body, otherwise }: Extract<Expr, { kind: 'try' }>,
): CatValue {
  const mark = markOf(context.table);
  const trial: Context = { ...context, errors: [], calls: new Map() };
  const value = elaborateExpr(trial, scope, body);
  if (trial.errors.length === 0) {
    recordNames(context, scope, [otherwise]);
    return value;
  }
  undo(context.table, mark);
  return elaborateExpr(context, scope, otherwise);
}

function elaborateIf(
  context: Context,
  scope: ModelScope,
  { condition, body, otherwise }: Extract<Expr, { kind: 'if' }>,
): CatValue {
  const holds = decide(context, scope, condition);
  if (holds !== undefined) return elaborateExpr(context, scope, holds ? body : otherwise);
  recordNames(context, scope, [body, otherwise]);
  return ERROR;
}

/** Whether a condition holds. Undefined after reporting, or where that depends on an argument. */
function decide(context: Context, scope: ModelScope, condition: Condition): boolean | undefined {
  return decided(condition, ({ kind, left, right }) => {
    const [l, r] = [left, right].map((expr) => elaborateExpr(context, scope, expr));
    if (l.kind === 'error' || r.kind === 'error') return undefined;
    const result = compared(context.table, kind, l, r);
    if (result === undefined) {
      const of = r.kind === 'set' || r.kind === 'rel' ? right : left;
      report(context, of.span, `${sourceText(context, of)} ${PER_EXECUTION}`);
    }
    return result;
  });
}

const PER_EXECUTION =
  'is another set in each execution: only what is known when the model is loaded decides here';

function elaborateMatch(
  context: Context,
  scope: ModelScope,
  { of, clauses, span }: Extract<Expr, { kind: 'match' }>,
): CatValue {
  const value = elaborateExpr(context, scope, of);
  const taken = takenFor(context.table, clauses, value);
  if (taken !== undefined) return elaborateExpr(context, extend(scope, taken.names), taken.body);
  if (value.kind === 'error') {
    for (const { pattern, body } of clauses) {
      const names = pattern.kind === 'one' ? [pattern.element, pattern.rest] : [];
      const unknown = names.map(({ text }) => [text, ERROR] as const);
      elaborateExpr(context, extend(scope, unknown), body);
    }
    return ERROR;
  }
  const isOpen = value.kind === 'set' || value.kind === 'rel' || value.kind === 'classes';
  return isOpen
    ? report(context, of.span, `${sourceText(context, of)} ${PER_EXECUTION}`)
    : report(context, span, `no alternative of this \`match\` is for ${kindName(value)}`);
}

/** Expressions that are good for nothing but their names: whatever is wrong with them is not told. */
export function recordNames(context: Context, scope: ModelScope, exprs: readonly Expr[]): void {
  if (context.links === undefined) return;
  const trial = forked(context);
  for (const expr of exprs) elaborateExpr(trial, scope, expr);
}

function lookUp(context: Context, scope: ModelScope, name: string, span: Span): CatValue {
  const binding = find(scope, name);
  if (binding === undefined) {
    const guess = (): string | undefined => didYouMean(name, namesInScope(scope, false));
    // What other files define is of no use in a library, but for this one.
    const hint = (context.own === undefined ? herdHint : libraryHint)(name) ?? guess;
    return report(context, span, `unknown relation or set '${name}'`, hint);
  }
  if (binding.kind === 'base') return { kind: binding.of, id: base(context, binding) };
  if (binding.kind !== 'procedure') return binding;
  const use = `call ${name}(…) is an item of its own`;
  return report(context, span, `'${name}' is a procedure, and no expression`, use);
}

/** What happens before what follows from what all libraries synchronise: it is known after their definitions. */
const libraryHint = (name: string): string | undefined =>
  name === 'hb' ? 'axioms of a library may name `hb`, definitions may not' : undefined;

const elaborateUnary = (context: Context, scope: ModelScope, { op, arg }: Unary): CatValue =>
  applyUnary(context, op, signOf(op), arg, elaborateExpr(context, scope, arg));

function elaborateCall(
  context: Context,
  scope: ModelScope,
  { callee, args, span }: Call,
): CatValue {
  const found = calleeOf(context, scope, callee);
  if (found?.kind !== 'function' && found?.kind !== 'builtin') {
    recordNames(context, scope, args);
    return ERROR;
  }
  const name = callee.kind === 'name' ? callee.text : 'this function';
  const arity = found.kind === 'function' ? found.params.length : ARITY[found.op];
  const given = args.map((arg) => elaborateExpr(context, scope, arg));
  if (given.length === 1 && given[0].kind === 'error') return ERROR;
  const values = apartFor(arity, given);
  if (values.length !== arity) {
    const whole = arity === 1 && found.kind === 'function';
    const hint = whole ? `for a tuple, write ${name}((…, …))` : undefined;
    return report(context, span, `'${name}' takes ${countOf(arity)}, not ${values.length}`, hint);
  }
  if (found.kind === 'builtin') return ofBuiltin(context, found, args, values, span);
  if (values.some((value) => value.kind === 'error')) return ERROR;
  return expand(context, name, found, values, span);
}

/** What the parameters get: several take a tuple apart. */
export function apartFor(arity: number, given: readonly CatValue[]): readonly CatValue[] {
  const [first] = given;
  return arity > 1 && given.length === 1 && first.kind === 'tuple' ? first.parts : given;
}

/** "2 arguments" */
export const countOf = (arity: number): string => `${arity} argument${arity === 1 ? '' : 's'}`;

/** What is called. Undefined after reporting, or where that depends on an argument. */
function calleeOf(
  context: Context,
  scope: ModelScope,
  callee: Expr,
): FunctionBinding | Builtin | undefined {
  if (callee.kind === 'name') usedIn(context, scope, callee);
  const binding =
    callee.kind === 'name' ? find(scope, callee.text) : elaborateExpr(context, scope, callee);
  if (binding?.kind === 'function' || binding?.kind === 'builtin') return binding;
  if (binding === undefined) {
    const name = callee.kind === 'name' ? callee.text : '';
    const hint = herdHint(name) ?? (() => didYouMean(name, namesInScope(scope, true)));
    report(context, callee.span, `unknown function '${name}'`, hint);
  } else if (binding.kind !== 'error') {
    const hint = 'is an operator missing after it?';
    const what = sourceText(context, callee).replaceAll('`', "'");
    report(context, callee.span, `${what} is ${kindName(binding)}, not a function`, hint);
  }
  return undefined;
}

/** A call of a function that comes with the language. */
function ofBuiltin(
  context: Context,
  { op }: Builtin,
  args: readonly Expr[],
  values: readonly CatValue[],
  span: Span,
): CatValue {
  if (op === 'domain' || op === 'range') {
    return applyUnary(context, op, `\`${op}\``, args[0], values[0]);
  }
  if (values.some(({ kind }) => kind === 'error')) return ERROR;
  const value = applied(context.table, op, values);
  if (value !== undefined) return value;
  const given = values.map(kindName).join(' and ');
  return report(context, span, `\`${op}\` cannot be made of ${given}`, NEEDED[op]);
}

/** What the builtin functions about orders take. */
const NEEDED = {
  partition: 'it takes a set of events',
  linearisations: 'it takes a set of events, or a partition, and a relation',
  cross: 'it takes what `linearisations` gives, or a set of sets of relations',
} as const;

/**
 * A call: the body with its arguments. Mistakes in it are the call's, as kinds come from there;
 * the first one is enough, where each call of a call would bring its own.
 */
function expand(
  context: Context,
  name: string,
  callee: FunctionBinding,
  args: readonly CatValue[],
  span: Span,
): CatValue {
  const { params, body, scope } = callee;
  const results = context.calls.get(callee) ?? new Map<string, Expansion>();
  context.calls.set(callee, results);
  const key = args.map(keyOf).join(' ');
  let result = results.get(key);
  if (result === undefined) {
    context.work.calls -= 1;
    if (context.work.calls < 0) {
      return report(context, span, `with this, the model has more than ${CALLS} calls`);
    }
    // What its names stand for is known from its definition.
    const inner: Context = { ...context, errors: [], links: undefined };
    const bound = params.map((param, i) => [param.text, args[i]] as const);
    const value = elaborateExpr(inner, extend(scope, bound), body);
    const [error] = inner.errors;
    result = error === undefined ? { value } : { value, error };
    results.set(key, result);
  }
  if (result.error !== undefined) {
    const { span: place, message } = result.error;
    const about = `in this call of '${name}': `;
    // A recursive function has the same mistake in each of its calls.
    if (message.startsWith(about)) return report(context, span, message);
    const source = context.sources.get(place.file);
    const where = source === undefined ? place.file : positionText(place, source);
    return report(context, span, `${about}${message} (${where})`);
  }
  return result.value;
}
