import type {
  Condition,
  Ident,
  LitmusFile,
  Observable,
  QueryDecl,
  ThreadDecl,
} from '../parse/litmus-ast.js';
import type { Span } from '../parse/diagnostics/index.js';
import { namesInBody } from './statement-names.js';
import type { Use } from './statement-names.js';
import { catLinks } from './cat-links.js';
import type { Definition, Kind, Link, Named } from './links.js';
import { languageOf } from './language.js';
import type { Workspace } from './workspace.js';

type Scope = Map<string, Definition>;

/**
 * What the names of a litmus file stand for: things that the file declares, private names of threads, which begin where they
 * are written first, and operations, libraries and models, which other files declare.
 */
export const litmusLinks = (path: string, workspace: Workspace): readonly Link[] =>
  workspace.once(`names ${path}`, () => {
    const file = workspace.tree(path, 'litmus');
    return file === undefined ? [] : new Walk(file, workspace).all();
  });

/** The operations that a model file declares, by their names; of one name the last. */
export function operationsIn(path: string, workspace: Workspace): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  for (const { name, to } of catLinks(path, workspace)) {
    if (to.kind === 'operation' && to.name === name) found.set(name.text, to);
  }
  return found;
}

/** What an operation takes, by kinds. */
export function parametersOf({ whole }: Definition, workspace: Workspace): readonly string[] {
  const items = workspace.tree(whole.file, 'cat')?.items ?? [];
  const item = items.find(({ span }) => span.start === whole.start);
  return item?.kind === 'operation' ? item.parameters.map(({ kind }) => kind.text) : [];
}

/** A link to a whole file. */
export const fileLink = (name: Named, file: string): Link => {
  const start = { file, start: 0, end: 0 };
  return { name, to: { kind: 'file', name: { text: name.text, span: start }, whole: start } };
};

class Walk {
  private readonly links: Link[] = [];
  private readonly nodes: Scope = new Map();
  /** Locations, objects and ghosts. */
  private readonly shared: Scope = new Map();
  private readonly threads: Scope = new Map();
  /** Private names, marks and the like, by their threads. */
  private readonly own = new Map<string, Scope>();
  private readonly operations = new Map<string, ReadonlyMap<string, Definition>>();

  constructor(
    private readonly file: LitmusFile,
    private readonly workspace: Workspace,
  ) {}

  all(): readonly Link[] {
    const { file } = this;
    for (const { node, locations, span } of file.nodes) {
      this.define(node, 'node', span, this.nodes);
      for (const { name, span } of locations) this.define(name, 'location', span, this.shared);
    }
    for (const { name, span } of file.ghosts) this.define(name, 'ghost', span, this.shared);
    for (const { name, span } of file.threads) this.define(name, 'thread', span, this.threads);
    for (const name of file.uses) this.library(name);
    for (const { library, name, node, roles, span } of file.objects) {
      this.library(library);
      this.define(name, 'object', span, this.shared);
      if (node) this.use(node, this.nodes);
      for (const { threads } of roles) threads.forEach((one) => this.use(one, this.threads));
    }
    for (const { name, thread, node, span } of file.queuePairs) {
      this.use(thread, this.threads);
      this.use(node, this.nodes);
      this.define(name, 'queue pair', span, this.scopeOf(thread.text), `qp ${name.text}`);
    }
    for (const thread of file.threads) this.thread(thread);
    for (const { threads } of file.symmetric) threads.forEach((t) => this.use(t, this.threads));
    if (file.filter) this.condition(file.filter.condition);
    file.listed.forEach((name) => this.observable(name));
    file.queries.forEach((query) => this.query(query));
    return this.links;
  }

  private scopeOf(thread: string): Scope {
    const scope = this.own.get(thread) ?? new Map<string, Definition>();
    this.own.set(thread, scope);
    return scope;
  }

  /** @param key what it is found by, where that is not its name */
  private define(name: Named, kind: Kind, whole: Span, scope: Scope, key = name.text): void {
    const to = scope.get(key) ?? { kind, name, whole };
    scope.set(key, to);
    this.links.push({ name, to });
  }

  private use(name: Named, scope: Scope, key = name.text): void {
    const to = scope.get(key);
    if (to !== undefined) this.links.push({ name, to });
  }

  private library(name: Ident): void {
    const { file, workspace } = this;
    const path =
      this.libraryFile(name.text) ?? workspace.libraries.libraryFile(name.text, file.file);
    if (path !== undefined) this.links.push(fileLink(name, path));
  }

  /** The file of a library that is called by its own name: `rbl` may be that of `rbl-weak.cat`. */
  private libraryFile(name: string): string | undefined {
    const { file, workspace } = this;
    const files = file.uses.flatMap(
      ({ text }) => workspace.libraries.libraryFile(text, file.file) ?? [],
    );
    return files.find((path) => {
      const [first] = workspace.tree(path, 'cat')?.items ?? [];
      return first?.kind === 'library' && first.name.text === name;
    });
  }

  private thread({ name, node, body }: ThreadDecl): void {
    this.use(node, this.nodes);
    const own = this.scopeOf(name.text);
    // What a thread writes first defines the name, wherever it is read.
    const uses: Use[] = [];
    namesInBody(body, (use) => uses.push(use));
    for (const use of uses) {
      if (use.as !== 'written' || use.ref.node || this.shared.has(use.ref.name.text)) continue;
      const { text, span } = use.ref.name;
      if (!own.has(text)) own.set(text, { kind: 'register', name: { text, span }, whole: span });
    }
    for (const use of uses) this.used(use, own);
  }

  private used(use: Use, own: Scope): void {
    switch (use.as) {
      case 'read':
      case 'written':
        return this.use(use.ref.name, this.scopeWith(use.ref.name.text, own));
      case 'applied':
        return this.use(use.name, this.scopeWith(use.name.text, own));
      case 'ghost':
        return this.use(use.name, this.shared);
      case 'node':
        return this.use(use.name, this.nodes);
      case 'queuePair':
        return this.define(use.name, 'queue pair', use.name.span, own, `qp ${use.name.text}`);
      case 'work':
        return this.define(
          use.name,
          'work identifier',
          use.name.span,
          own,
          `work ${use.name.text}`,
        );
      case 'mark':
        return this.define(use.name, 'mark', use.whole, own, `mark ${use.name.text}`);
      case 'operation':
        return this.operation(use);
      case 'set':
      case 'stamp':
      case 'index':
        return;
    }
  }

  /** A name in parentheses of a call may be a node, or a work identifier. */
  private scopeWith(name: string, own: Scope): Scope {
    if (this.shared.has(name)) return this.shared;
    if (own.has(name)) return own;
    const work = own.get(`work ${name}`);
    return work === undefined ? this.nodes : new Map([[name, work]]);
  }

  private operation({ name, library, statement }: Extract<Use, { as: 'operation' }>): void {
    const { workspace } = this;
    if (library) this.library(library);
    const path = library
      ? this.libraryFile(library.text)
      : workspace.modelFile('rdma', this.file.file);
    if (path === undefined) return;
    const known = this.operations.get(path) ?? operationsIn(path, workspace);
    this.operations.set(path, known);
    const to = known.get(name.text);
    if (to === undefined) return;
    this.links.push({ name, to });
    // Nodes may be called by numbers: `poll(2)`.
    const kinds = parametersOf(to, workspace);
    statement.arguments?.forEach((argument, i) => {
      const isNode = kinds[i] === 'peer' || kinds[i] === 'node';
      if (argument.kind !== 'int' || !isNode) return;
      this.use({ text: String(argument.value), span: argument.span }, this.nodes);
    });
  }

  private query(query: QueryDecl): void {
    switch (query.quantifier) {
      case 'exists':
      case '~exists':
      case 'forall':
      case 'never':
        this.condition(query.condition);
        break;
      case 'exclusive':
        for (const thread of query.threads) {
          this.use(thread, this.threads);
          this.use(query.section, this.scopeOf(thread.text), `mark ${query.section.text}`);
        }
        break;
      case 'progress':
        for (const { thread, mark } of [query.from, query.to]) {
          this.use(thread, this.threads);
          this.use(mark, this.scopeOf(thread.text), `mark ${mark.text}`);
        }
        break;
      case 'deadlock':
      case 'assertions':
        break;
    }
    for (const { models } of query.expectations) {
      for (const model of models) {
        const file = this.workspace.modelFile(model.text, this.file.file);
        if (file !== undefined && languageOf(file) === 'cat')
          this.links.push(fileLink(model, file));
      }
    }
  }

  private condition(condition: Condition): void {
    switch (condition.kind) {
      case 'true':
        return;
      case 'atom':
        this.observable(condition.left);
        return condition.right.kind === 'name' ? this.observable(condition.right.name) : undefined;
      case 'not':
        return this.condition(condition.arg);
      case 'and':
      case 'or':
        this.condition(condition.left);
        return this.condition(condition.right);
    }
  }

  /** Without a thread, the private name of the only thread that has one. */
  private observable({ thread, name }: Observable): void {
    if (thread === undefined) {
      const owner = [...this.own.values()].find((own) => own.has(name.text));
      return this.use(name, this.shared.has(name.text) || !owner ? this.shared : owner);
    }
    const numbered = /^\d+$/.test(thread.text) ? this.file.threads[Number(thread.text)] : undefined;
    const named = numbered?.name ?? thread;
    const to = this.threads.get(named.text);
    if (to !== undefined) this.links.push({ name: thread, to });
    this.use(name, this.scopeOf(named.text));
  }
}
