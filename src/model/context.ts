import type { Hint, Mistake, SourceFile, Span } from '../parse/diagnostics/index.js';
import type { Bindings, Expr } from '../parse/cat-ast.js';
import type { NameLink } from '../parse/links.js';
import type { CatValue, FunctionBinding, ModelScope, ScopeBinding } from './scope.js';
import { fork } from './table.js';
import type { TermTable } from './table.js';
import type { TermId, Unsettled } from './term.js';

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
  /** Gets the groups that are not monotone. */
  readonly unsettled: Unsettled[];
  /** Whether the expression is in a `let rec`. */
  readonly inRec?: boolean;
  /** Gets what names stand for, if anybody wants to know: the same of a place several times. */
  readonly links?: NameLink[];
  /** How many expressions and calls the present one is inside of. */
  readonly depth: number;
}

/** What counts as several levels of nesting, since it takes as much of the stack: a `let` in an expression, a procedure. */
export const LEVELS = 5;
/** How many calls may be expanded, those of `call` among them. */
export const CALLS = 10_000;

/** What a call stands for, and what is wrong with it. */
export interface Expansion {
  readonly value: CatValue;
  readonly error?: Mistake;
}

/** What could not be elaborated, and was reported. */
export const ERROR: CatValue = { kind: 'error' };

/** A context to try something in: neither its terms nor its errors reach the original. */
export function forked(context: Context): Context {
  return { ...context, table: fork(context.table), errors: [], unsettled: [], calls: new Map() };
}

/** "`R` is a set" */
export function described(context: Context, expr: Expr, value: ScopeBinding): string {
  return `${sourceText(context, expr)} is ${kindName(value)}`;
}

/** "a relation" */
export function kindName(value: ScopeBinding): string {
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
export function sourceText({ sources }: Context, { span }: Expr): string {
  const text = (sources.get(span.file)?.text ?? '').slice(span.start, span.end);
  const line = text.replace(/\s+/g, ' ');
  return `\`${line.length > 40 ? `${line.slice(0, 39)}…` : line}\``;
}

/** Reports a mistake, and gives the value that stands for it. */
export function report(context: Context, span: Span, message: string, hint?: Hint): CatValue {
  context.errors.push({ span, message, ...(hint === undefined ? {} : { hint }) });
  return ERROR;
}
