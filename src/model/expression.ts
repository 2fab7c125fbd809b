import { didYouMean, positionText } from '../parse/diagnostics/index.js';
import type { Hint, Mistake, SourceFile, Span } from '../parse/diagnostics/index.js';
import type { NameDefinition, NameLink } from '../parse/links.js';
import type { Bindings, Condition, Expr, Name } from '../parse/cat-ast.js';
import { DEPTH, TOO_DEEP } from '../parse/depth.js';
import { herdHint } from './herd-names.js';
import { definedHere, usedIn } from './name-places.js';
import type { Operator } from './operators/facts.js';
import { OPERATORS, kindMade } from './operators/facts.js';
import { ARITY, applied } from './orders.js';
import { extend, find, namesInScope } from './scope.js';
import type { BaseBinding, Builtin, CatValue, FunctionBinding } from './scope.js';
import type { ModelScope, ScopeBinding } from './scope.js';
import { combined, compared, decided, elementsOf, keyOf, setOf, takenFor } from './static.js';
import { fork, intern, markOf, undo } from './table.js';
import type { TermTable } from './table.js';
import type { Kind, TermId, UnaryOp } from './term.js';

/** What elaboration adds to as it goes along: terms, and what the user has to mend. */
export interface Context {
  readonly table: TermTable;
  readonly errors: Mistake[];
  readonly sources: ReadonlyMap<string, SourceFile>;
  /** Calls by arguments: without it, functions that call functions would take exponential time. */
  readonly calls: Map<FunctionBinding, Map<string, Expansion>>;
  /** In a library's file: its own events, and all pairs of them. Base names stand for what is among these. */
  readonly own?: { readonly events: TermId; readonly pairs: TermId };
  /** How many calls are left: functions may be recursive. */
  readonly work: { calls: number };
  /** The scope with what a `let` defines (definitions.ts, which this module cannot import). */
  readonly local: (context: Context, scope: ModelScope, bindings: Bindings) => ModelScope;
  /** Whether the expression is in a `let rec`. */
  readonly inRec?: boolean;
  /** Gets what names stand for, if anybody wants to know: the same of a place several times. */
  readonly links?: NameLink[];
  /** How many expressions and calls the present one is inside of. */
  readonly depth: number;
}

/** How many terms a model may have: functions that call functions twice double them each time. */
const TERMS = 10_000;
/** What counts as several levels of nesting, since it takes as much of the stack: a `let` in an expression, a procedure. */
export const LEVELS = 5;
/** How many calls may be expanded, those of `call` among them. */
export const CALLS = 10_000;

/** What a call stands for, and what is wrong with it. */
interface Expansion {
  readonly value: CatValue;
  readonly error?: Mistake;
}

type Binary = Extract<Expr, { kind: 'binary' }>;
type Unary = Extract<Expr, { kind: 'unary' }>;
type Call = Extract<Expr, { kind: 'call' }>;

const ERROR: CatValue = { kind: 'error' };

/** How messages call an operator. */
const signOf = (op: Operator): string => `\`${OPERATORS[op].written.sign}\``;

/** What messages say that an operator of one operand, or of two, needs. */
const NEEDS = {
  set: ['a set', 'two sets'],
  rel: ['a relation', 'two relations'],
  either: ['a set or a relation', 'two sets or two relations'],
} as const;

/** "`;` needs two relations" */
const needOf = (op: Operator, sign = signOf(op)): string =>
  `${sign} needs ${NEEDS[OPERATORS[op].takes][OPERATORS[op].grows.length - 1]}`;

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

/** A context to try something in: neither its terms nor its errors reach the original. */
export function forked(context: Context): Context {
  return { ...context, table: fork(context.table), errors: [], calls: new Map() };
}

/** The term of a value of the kind asked for, which `0` can be of either; undefined if it is of another. */
export function asTerm({ table }: Context, value: CatValue, kind: Kind): TermId | undefined {
  if (value.kind === 'zero') return intern(table, { op: 'empty', kind });
  return value.kind === kind ? value.id : undefined;
}

/**
 * The term of a value that has to be of one kind, or undefined after reporting.
 *
 * @param need what is said otherwise, such as "`;` needs two relations"
 */
export function expectKind(
  context: Context,
  value: CatValue,
  kind: Kind,
  need: string,
  expr: Expr,
): TermId | undefined {
  if (value.kind === 'error') return undefined;
  const id = asTerm(context, value, kind);
  if (id === undefined && !needsArguments(context, expr, value))
    report(context, expr.span, `${need}, ${described(context, expr, value)}`);
  return id;
}

/** Reports a function by its name where a set or a relation is wanted. */
function needsArguments(context: Context, expr: Expr, value: CatValue): boolean {
  if (expr.kind !== 'name' || (value.kind !== 'function' && value.kind !== 'builtin')) return false;
  const params = value.kind === 'function' ? value.params.map(({ text }) => text) : ['r'];
  const use = `write ${expr.text}(${params.join(', ')})`;
  report(context, expr.span, `'${expr.text}' is a function and needs arguments`, use);
  return true;
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

const universe = ({ table, own }: Context): TermId =>
  own?.events ?? intern(table, { op: 'universe', kind: 'set' });

/** What of a term is among the events of the library whose file it stands in. */
export function restricted({ table, own }: Context, kind: Kind, id: TermId): TermId {
  if (own === undefined) return id;
  const right = kind === 'set' ? own.events : own.pairs;
  return intern(table, { op: 'inter', kind, left: id, right });
}

/** A base name, as far as it is about the library in whose file it stands. */
function base(context: Context, { of: kind, name, own }: BaseBinding): TermId {
  const id = intern(context.table, { op: 'base', kind, name });
  return own === true || WITHIN.has(name) ? id : restricted(context, kind, id);
}

/** Base relations that never lead from the calls of one library to those of another, or are only taken away. */
const WITHIN: ReadonlySet<string> = new Set(['same', 'obj', 'wid', 'id']);

/** An operator of two operands that are both of its kind. */
function ofFixedKind(
  context: Context,
  { op, ...expr }: Binary,
  takes: Kind,
  left: CatValue,
  right: CatValue,
): CatValue {
  const l = expectKind(context, left, takes, needOf(op), expr.left);
  const r = expectKind(context, right, takes, needOf(op), expr.right);
  if (l === undefined || r === undefined) return ERROR;
  const kind = kindMade(op, takes);
  return { kind, id: intern(context.table, { op, kind, left: l, right: r }) };
}

/** An operator of two operands of one kind, whichever. */
function ofOneKind(context: Context, expr: Binary, left: CatValue, right: CatValue): CatValue {
  if (left.kind === 'error' || right.kind === 'error') return ERROR;
  const { op } = expr;
  const takes = left.kind === 'zero' ? right.kind : left.kind;
  if (takes === 'zero') return left;
  const [ls, rs] = [elementsOf(left), elementsOf(right)];
  if (takes === 'many' && ls !== undefined && rs !== undefined) {
    return combined(op as 'union' | 'inter' | 'diff', ls, rs);
  }
  const isTerm = takes === 'set' || takes === 'rel';
  const [l, r] = [left, right].map((v) => (isTerm ? asTerm(context, v, takes) : undefined));
  if (!isTerm || l === undefined || r === undefined) {
    if (needsArguments(context, expr.left, left) || needsArguments(context, expr.right, right))
      return ERROR;
    const sides = [described(context, expr.left, left), described(context, expr.right, right)];
    return report(context, expr.span, `${needOf(op)}: ${sides.join(', ')}`);
  }
  const shrinking = [l, r].findIndex((id, i) => shrinksWith(context, op, i, id));
  if (shrinking >= 0) return notMonotone(context, op, shrinking, [expr.left, expr.right]);
  const kind = kindMade(op, takes);
  return { kind, id: intern(context.table, { op, kind, left: l, right: r }) };
}

const elaborateUnary = (context: Context, scope: ModelScope, { op, arg }: Unary): CatValue =>
  applyUnary(context, op, signOf(op), arg, elaborateExpr(context, scope, arg));

/** @param sign how the operator is written in the place of its sign */
function applyUnary(
  context: Context,
  op: UnaryOp,
  sign: string,
  arg: Expr,
  value: CatValue,
): CatValue {
  const { takes } = OPERATORS[op];
  const kind = takes !== 'either' ? takes : value.kind === 'set' ? 'set' : 'rel';
  const id = expectKind(context, value, kind, needOf(op, sign), arg);
  if (id === undefined) return ERROR;
  if (shrinksWith(context, op, 0, id)) return notMonotone(context, op, 0, [arg]);
  const result = kindMade(op, kind);
  const made = intern(context.table, { op, kind: result, arg: id });
  // What is not in a set, in a library's file, is not among the calls of other libraries either.
  return { kind: result, id: op === 'compl' ? restricted(context, result, made) : made };
}

/** Does a variable of the `let rec` make less of the term where there is more of it? */
const shrinksWith = ({ table }: Context, op: Operator, operand: number, id: TermId): boolean =>
  !OPERATORS[op].grows[operand] && table.recursive[id];

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
  // Several parameters take a tuple apart.
  const [first] = given;
  const values = arity > 1 && given.length === 1 && first.kind === 'tuple' ? first.parts : given;
  if (values.length !== arity) {
    const whole = arity === 1 && found.kind === 'function';
    const hint = whole ? `for a tuple, write ${name}((…, …))` : undefined;
    return report(context, span, `'${name}' takes ${countOf(arity)}, not ${values.length}`, hint);
  }
  if (found.kind === 'builtin') return ofBuiltin(context, found, args, values, span);
  if (values.some((value) => value.kind === 'error')) return ERROR;
  return expand(context, name, found, values, span);
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

/** Refuses a use of a `let rec` name that would deprive the recursion of a least fixpoint. */
function notMonotone(
  context: Context,
  op: Operator,
  operand: number,
  operands: readonly Expr[],
): CatValue {
  const expr = operands[operand];
  const side = operands.length === 1 ? 'under' : `on the ${operand === 0 ? 'left' : 'right'} of`;
  return report(
    context,
    expr.span,
    `${sourceText(context, expr)} depends on the \`let rec\` it stands in and cannot be ${side} ${signOf(op)}: ` +
      'there may be no least fixpoint',
  );
}

/** "`R` is a set" */
export function described(context: Context, expr: Expr, value: ScopeBinding): string {
  return `${sourceText(context, expr)} is ${kindName(value)}`;
}

function kindName(value: ScopeBinding): string {
  if (value.kind === 'tuple') return `a tuple of ${value.parts.length}`;
  return KIND_NAMES[value.kind === 'base' ? value.of : value.kind];
}

const KIND_NAMES: Readonly<Record<Exclude<ScopeBinding['kind'], 'tuple' | 'base'>, string>> = {
  set: 'a set',
  rel: 'a relation',
  zero: 'a relation',
  error: 'a relation',
  function: 'a function',
  builtin: 'a function',
  procedure: 'a procedure',
  tag: 'a tag',
  many: 'a set of values that are written down',
  classes: 'a set of sets, another one in each execution',
  orders: 'a set of orders, another one in each execution',
};

/** An expression as written, on one line and not too long. */
function sourceText({ sources }: Context, { span }: Expr): string {
  const text = (sources.get(span.file)?.text ?? '').slice(span.start, span.end);
  const line = text.replace(/\s+/g, ' ');
  return `\`${line.length > 40 ? `${line.slice(0, 39)}…` : line}\``;
}

function report(context: Context, span: Span, message: string, hint?: Hint): CatValue {
  context.errors.push({ span, message, ...(hint === undefined ? {} : { hint }) });
  return ERROR;
}
