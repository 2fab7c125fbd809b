import type { Diagnostic, SourceFile, Span } from './diagnostics/index.js';
import type {
  Condition,
  Filter,
  GhostDecl,
  SymmetricDecl,
  Ident,
  LitmusFile,
  NodeDecl,
  ObjectDecl,
  Observable,
  QueryDecl,
  CompletionQueueDecl,
  QueuePairDecl,
  Statement,
  ThreadDecl,
} from './litmus-ast.js';
import type { LitmusItem } from './litmus-build.js';
import { toArray } from './snoc-list.js';

/**
 * Makes the tree of a litmus file from its items. An item that must not stand where it does is reported, and left out
 * of the tree.
 *
 * @param given `broken`: the mistakes of items that could not be read, in order of place; `threadsAreElsewhere`: it needs none
 * @returns the tree, and the errors in order of place
 */
export function assemble(
  source: SourceFile,
  items: readonly LitmusItem[],
  {
    broken,
    threadsAreElsewhere,
  }: { readonly broken: readonly Diagnostic[]; readonly threadsAreElsewhere: boolean },
): { readonly file: LitmusFile; readonly errors: readonly Diagnostic[] } {
  const assembly = new Assembly(source, broken);
  for (const item of items) assembly.add(item);
  assembly.checkWhole(items[0], threadsAreElsewhere);
  const errors = assembly.errors.sort((a, b) => a.span.start - b.span.start);
  return { file: assembly.file(), errors };
}

type Of<Kind extends LitmusItem['item']> = Extract<LitmusItem, { item: Kind }>;

type Draft<T> = { -readonly [K in keyof T]: T[K] };
type QueryDraft = Draft<QueryDecl> & {
  expectations: QueryDecl['expectations'][number][];
  observations: QueryDecl['observations'][number][];
};

class Assembly {
  readonly errors: Diagnostic[] = [];

  private header: Of<'header'> | undefined;
  private readonly metas = new Map<string, string>();
  private readonly notes: string[] = [];
  private bound: number | undefined;
  private readonly nodes: NodeDecl[] = [];
  private readonly queuePairs: QueuePairDecl[] = [];
  private readonly completionQueues: CompletionQueueDecl[] = [];
  private readonly threads: ThreadDecl[] = [];
  private readonly ghosts: GhostDecl[] = [];
  private readonly symmetric: SymmetricDecl[] = [];
  private readonly uses: Ident[] = [];
  private readonly objects: ObjectDecl[] = [];
  private readonly queries: QueryDraft[] = [];
  private filter: Filter | undefined;
  private listed: readonly Observable[] | undefined;

  /** The last query: expectations and observations belong to it. */
  private asked: QueryDraft | undefined;
  /** The place of the table of threads, if there is one. */
  private table: Span | undefined;
  /** The place of the last thread that is written as a block, if there is one. */
  private block: Span | undefined;
  /** How many broken items stand before the item that was added last. */
  private passed = 0;

  constructor(
    private readonly source: SourceFile,
    private readonly broken: readonly Diagnostic[],
  ) {}

  /** Adds an item. Items must come in order of place. */
  add(item: LitmusItem): void {
    this.passBroken(item.span);
    switch (item.item) {
      case 'header':
        return this.addHeader(item);
      case 'meta':
        return this.addMeta(item);
      case 'bound':
        return this.addBound(item);
      case 'node':
        return void this.nodes.push(item.node);
      case 'queuePair':
        return void this.queuePairs.push(item.queuePair);
      case 'completionQueue':
        return void this.completionQueues.push(item.completionQueue);
      case 'ghost':
        return void this.ghosts.push(item.ghost);
      case 'symmetric':
        return void this.symmetric.push(item.symmetric);
      case 'uses':
        return void this.uses.push(...item.libraries);
      case 'objects':
        return void this.objects.push(...item.objects);
      case 'thread':
        this.block = item.span;
        return void this.threads.push(item.thread);
      case 'table':
        return this.addTable(item);
      case 'query':
        return this.addQuery(item);
      case 'filter':
        return this.addFilter(item);
      case 'listed':
        if (this.listed !== undefined) return this.report(item.span, 'a second `locations`');
        this.listed = toArray(item.names);
        return;
      case 'expectation':
        return void this.queryAbove(item)?.expectations.push(item.expectation);
      case 'observation':
        return void this.queryAbove(item)?.observations.push(item.observation);
    }
  }

  /** Reports what is missing in the whole file, and what does not go together. To be called after all items are added. */
  checkWhole(first: LitmusItem | undefined, threadsAreElsewhere: boolean): void {
    if (first?.item !== 'header') {
      const message = 'a litmus file begins with `RDMA` and the name of the test';
      this.report(first?.span ?? this.start(), message);
    }
    if (this.table !== undefined && this.block !== undefined) {
      this.report(this.block, 'a file has its threads in blocks or in columns, not both');
    }
    const hasThreads = threadsAreElsewhere || this.table !== undefined || this.block !== undefined;
    if (first !== undefined && !hasThreads) {
      this.report(this.start(), 'there is no thread in this file');
    }
  }

  file(): LitmusFile {
    return {
      file: this.source.path,
      name: this.header?.name ?? { text: '', span: this.start() },
      title: this.header?.title,
      source: this.metas.get('source'),
      question: this.metas.get('question'),
      notes: this.notes,
      bound: this.bound,
      uses: this.uses,
      nodes: this.nodes,
      objects: this.objects,
      queuePairs: this.queuePairs,
      completionQueues: this.completionQueues,
      threads: this.threads,
      ghosts: this.ghosts,
      symmetric: this.symmetric,
      queries: this.metas.has('source') ? this.queries.map(asPublished) : this.queries,
      filter: this.filter,
      listed: this.listed ?? [],
    };
  }

  /**
   * Forgets the last query if a broken item follows it. That item may have been a query, too, and the expectations
   * after it must not count for the wrong one.
   */
  private passBroken({ start }: Span): void {
    for (; this.broken[this.passed]?.span.start <= start; this.passed++) this.asked = undefined;
  }

  private addHeader(item: Of<'header'>): void {
    if (this.header === undefined) this.header = item;
    else this.report(item.span, 'a second `RDMA` head: one test to a file');
  }

  private addMeta({ key, text, span }: Of<'meta'>): void {
    if (key === 'note') this.notes.push(text);
    else if (this.metas.has(key)) this.report(span, `a second \`${key}\``);
    else this.metas.set(key, text);
  }

  private addBound({ bound, span }: Of<'bound'>): void {
    if (this.bound !== undefined) this.report(span, 'a second bound');
    if (bound < 1) this.report(span, 'a bound is at least 1');
    else if (!Number.isSafeInteger(bound)) this.report(span, 'this number is too large');
    else this.bound ??= bound;
  }

  private addTable(item: Of<'table'>): void {
    if (this.table !== undefined) this.report(item.span, 'a second table of threads');
    const threads = this.columns(item);
    if (this.table === undefined) this.threads.push(...threads);
    this.table = item.span;
  }

  /** The threads of a table: in each row, column i has the next instructions of thread i. */
  private columns({ heads, rows, span }: Of<'table'>): ThreadDecl[] {
    const bodies: Statement[][] = heads.map(() => []);
    toArray(rows).forEach((row, index) => {
      if (row.length === heads.length) {
        row.forEach((cell, column) => bodies[column].push(...cell));
        return;
      }
      const cells = `${row.length} ${row.length === 1 ? 'cell' : 'cells'}`;
      const message = `row ${index + 1} has ${cells} for ${heads.length} threads`;
      this.report(row.flat()[0]?.span ?? span, message);
    });
    return heads.map((head, i) => ({ ...head, body: bodies[i] }));
  }

  private addQuery({ query }: Of<'query'>): void {
    const text =
      'condition' in query
        ? this.textOf(query.condition)
        : this.textOf(query).slice(query.quantifier.length).trim();
    this.asked = { ...query, text, expectations: [], observations: [] };
    this.queries.push(this.asked);
  }

  private addFilter({ condition, span }: Of<'filter'>): void {
    if (this.filter !== undefined) this.report(span, 'a second `filter`');
    else this.filter = { condition, text: this.textOf(condition), span };
  }

  private queryAbove({ span }: LitmusItem): QueryDraft | undefined {
    if (this.asked === undefined) this.report(span, 'this belongs under a query');
    return this.asked;
  }

  /** A condition as it is written, on one line and without parentheses around it, and those around places that tests of herd7 have. */
  private textOf({ span }: Pick<Condition, 'span'>): string {
    return this.source.text
      .slice(span.start, span.end)
      .replace(/\s+/g, ' ')
      .replaceAll(/(?<!\w)\[(\w+)\]/g, '$1')
      .replace(/^\((.*)\)$/, (all, inner: string) => (balanced(inner) ? inner.trim() : all));
  }

  private start(): Span {
    return { file: this.source.path, start: 0, end: 0 };
  }

  private report(span: Span, message: string): void {
    this.errors.push({ span, message });
  }
}

/** Are the parentheses of a text balanced? */
function balanced(text: string): boolean {
  let depth = 0;
  for (const c of text) {
    if (c === '(') depth += 1;
    if (c === ')') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** A query of a file that names its source: its `expect` lines quote that publication. */
const asPublished = (query: QueryDecl): QueryDecl => ({
  ...query,
  expectations: query.expectations.map((e) => ({ ...e, published: !e.computed })),
});
