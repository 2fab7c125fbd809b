import type { Diagnostic, Result, SourceFile, Span } from './diagnostics/index.js';
import { fail, ok } from './diagnostics/index.js';
import { DEPTH, tooDeep } from './depth.js';
import type { Item } from './litmus-build.js';
import type { Condition, LitmusFile, QueryDecl, Statement, ThreadDecl } from './litmus-ast.js';
import { foreignTest } from './litmus-habits.js';
import { litmusLanguage } from './litmus-language.js';
import { litmusLexer } from './litmus-lexer.js';
import type { SnocList } from './snoc-list.js';
import { toArray } from './snoc-list.js';
import { parseTokens } from './nearley.js';
import { tokenize } from './tokens.js';

const SKIPPED = new Set(['blank', 'comment']);

/**
 * Parses one litmus file, in either layout, to one and the same tree.
 * Errors: lexical and syntax errors, and items that are missing, repeated or out of place.
 */
export function parseLitmusFile(source: SourceFile): Result<LitmusFile> {
  const tokens = tokenize(litmusLexer, source, SKIPPED);
  const foreign = foreignTest(tokens);
  if (foreign !== undefined) return fail([foreign]);
  const parsed = parseTokens<SnocList<Item>>(litmusLanguage, tokens, source);
  if (!parsed.ok) return parsed;
  const items = toArray(parsed.value);
  // Each level of nesting has a token of its own.
  const deep = tokens.length > DEPTH ? tooDeep(items) : undefined;
  if (deep !== undefined) return fail([deep]);
  const { file, errors } = assemble(source, items);
  errors.sort((a, b) => a.span.start - b.span.start);
  return errors.length > 0 ? fail(errors) : ok(file);
}

type Draft<T> = { -readonly [K in keyof T]: T[K] };
type QueryDraft = Draft<QueryDecl> & {
  expectations: QueryDecl['expectations'][number][];
  observations: QueryDecl['observations'][number][];
};

/** Puts the items of a file together; what cannot stand where it does is an error. */
function assemble(
  source: SourceFile,
  items: readonly Item[],
): { file: LitmusFile; errors: Diagnostic[] } {
  const errors: Diagnostic[] = [];
  const report = (span: Span, message: string) => errors.push({ span, message });
  const start: Span = { file: source.path, start: 0, end: 0 };
  const metas = new Map<string, string>();
  const notes: string[] = [];
  const nodes: LitmusFile['nodes'][number][] = [];
  const threads: ThreadDecl[] = [];
  const queries: QueryDraft[] = [];
  let name: string | undefined;
  let title: string | undefined;
  let bound: number | undefined;
  let filter: LitmusFile['filter'];
  let listed: LitmusFile['listed'] | undefined;
  let table: Span | undefined;
  let blocks: Span | undefined;

  for (const item of items) {
    switch (item.item) {
      case 'header':
        if (name !== undefined) report(item.span, 'a second `RDMA` head: one test to a file');
        name = item.name;
        title = item.title;
        break;
      case 'meta':
        if (item.key === 'note') notes.push(item.text);
        else if (metas.has(item.key)) report(item.span, `a second \`${item.key}\``);
        else metas.set(item.key, item.text);
        break;
      case 'bound':
        if (bound !== undefined) report(item.span, 'a second bound');
        if (item.bound < 1) report(item.span, 'a bound is at least 1');
        if (!Number.isSafeInteger(item.bound)) report(item.span, 'this number is too large');
        bound = item.bound;
        break;
      case 'node':
        nodes.push(item.node);
        break;
      case 'thread':
        blocks = item.span;
        threads.push(item.thread);
        break;
      case 'table':
        if (table !== undefined) report(item.span, 'a second table of threads');
        table = item.span;
        threads.push(...columns(item, report));
        break;
      case 'query': {
        const text = textOf(source, item.query.condition);
        queries.push({ ...item.query, text, expectations: [], observations: [] });
        break;
      }
      case 'filter':
        if (filter !== undefined) report(item.span, 'a second `filter`');
        filter = { condition: item.condition, text: textOf(source, item.condition) };
        break;
      case 'listed':
        if (listed !== undefined) report(item.span, 'a second `locations`');
        listed = toArray(item.names);
        break;
      case 'expectation':
      case 'observation': {
        const query = queries[queries.length - 1];
        if (query === undefined) report(item.span, 'this belongs under a query');
        else if (item.item === 'expectation') query.expectations.push(item.expectation);
        else query.observations.push(item.observation);
      }
    }
  }
  if (items[0]?.item !== 'header') {
    report(items[0]?.span ?? start, 'a litmus file begins with `RDMA` and the name of the test');
  }
  if (table !== undefined && blocks !== undefined) {
    report(blocks, 'a file has its threads in blocks or in columns, not both');
  }
  const one = (key: string) => metas.get(key);
  const file: LitmusFile = {
    file: source.path,
    name: name ?? '',
    notes,
    nodes,
    threads,
    queries,
    listed: listed ?? [],
    ...(filter !== undefined && { filter }),
    ...(bound !== undefined && { bound }),
    ...(title !== undefined && { title }),
    ...(one('source') !== undefined && { source: one('source')! }),
    ...(one('question') !== undefined && { question: one('question')! }),
  };
  if (items.length > 0 && threads.length === 0) report(start, 'there is no thread in this file');
  return { file, errors };
}

/** A condition as it is written, on one line and without parentheses around it. */
function textOf({ text }: SourceFile, { span }: Condition): string {
  return text
    .slice(span.start, span.end)
    .replace(/\s+/g, ' ')
    .replace(/^\((.*)\)$/, (all, inner: string) => (balanced(inner) ? inner.trim() : all));
}

/** Is every parenthesis of a text closed in it, and none before it was opened? */
function balanced(text: string): boolean {
  let depth = 0;
  for (const c of text) {
    if (c === '(') depth += 1;
    if (c === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The threads of a table: column i of every row is the next instruction of thread i. */
function columns(
  table: Extract<Item, { item: 'table' }>,
  report: (span: Span, message: string) => void,
): ThreadDecl[] {
  const bodies: Statement[][] = table.heads.map(() => []);
  toArray(table.rows).forEach((row, index) => {
    if (row.length !== table.heads.length) {
      const at = row.flat()[0]?.span ?? table.span;
      report(
        at,
        `row ${index + 1} has ${row.length} ${row.length === 1 ? 'cell' : 'cells'} for ${table.heads.length} threads`,
      );
      return;
    }
    row.forEach((cell, column) => bodies[column].push(...cell));
  });
  return table.heads.map((head, i) => ({ ...head, body: bodies[i] }));
}
