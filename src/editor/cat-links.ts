import type { Binding, CatFile, Expr, CatItem, Name } from '../parse/cat-ast.js';
import type {
  BodySyntax,
  CellExpr,
  Choosing,
  NodeExpr,
  NodesExpr,
  OperationDeclaration,
  ValueExpr,
} from '../parse/declaration-ast.js';
import type { NameDefinition, NamedKind, NameLink, Named } from '../parse/links.js';
import type { Workspace } from './workspace.js';

/** What each name stands for at a place. A later definition takes the place of an earlier one. */
type Scope = Map<string, NameDefinition>;

const NONE: Scope = new Map();

/** How many files one file may include, as when it is loaded. */
const INCLUDES = 100;

/**
 * What the names of a model file and of all files that it includes stand for, as the file is read from its start to its
 * end. What stands for nothing, or comes with the language, has no link.
 */
export const catLinks = (path: string, workspace: Workspace): readonly NameLink[] =>
  workspace.once(`names ${path}`, () => linksIn(path, workspace));

function linksIn(path: string, workspace: Workspace): readonly NameLink[] {
  const walk = new Walk(workspace);
  const declares = (file: string): boolean => walk.declares(file, new Set());
  const shared = workspace.instructions;
  if (path !== shared && !declares(path)) walk.file(shared, [path]);
  walk.file(path, []);
  return walk.links;
}

class Walk {
  readonly links: NameLink[] = [];
  private readonly scope: Scope = new Map();
  /** Operations and roles are no relations: they have names of their own. */
  private readonly others: Scope = new Map();
  private included = 0;

  constructor(private readonly workspace: Workspace) {}

  /** Does a file say what programs are made of, or one that it includes? */
  declares(path: string, seen: Set<string>): boolean {
    if (seen.has(path)) return false;
    seen.add(path);
    const items = this.tree(path)?.items ?? [];
    return items.some((item) => {
      if (item.kind === 'event' || item.kind === 'operation' || item.kind === 'library')
        return true;
      if (item.kind !== 'include') return false;
      const file = this.workspace.included(item.path.text, path);
      return file !== undefined && this.declares(file, seen);
    });
  }

  /** @param chain the files that lead to it, which it does not include again */
  file(path: string, chain: readonly string[]): void {
    for (const item of this.tree(path)?.items ?? []) this.item(item, path, [...chain, path]);
  }

  private tree(path: string): CatFile | undefined {
    return this.workspace.tree(path, 'cat');
  }

  private item(item: CatItem, path: string, chain: readonly string[]): void {
    switch (item.kind) {
      case 'include':
        return this.include(item.path, path, chain);
      case 'let':
        return this.definitions(item.bindings, item.recursive);
      case 'axiom':
        this.expr(item.expr);
        if (item.name) this.define(item.name, 'axiom', item, new Map());
        return;
      case 'show':
      case 'unshow':
        return item.names.forEach((name) => this.use(name, this.scope));
      case 'showAs':
        return this.expr(item.expr);
      case 'initial':
        return this.use(item.label, this.scope);
      case 'event':
        for (const { name } of item.labels) this.define(name, 'event', item, this.scope);
        return;
      case 'guess':
        this.choosing(item.choosing);
        return this.define(item.name, 'guess', item, this.scope);
      case 'tag':
        return this.define(item.name, 'tag', item, this.scope);
      case 'library':
        return this.define(item.name, 'library', item, this.others);
      case 'role':
        this.define(item.name, 'role', item, this.others);
        return this.define(item.name, 'role', item, this.scope);
      case 'object':
        return;
      case 'short':
        return this.use(item.operation, this.others);
      case 'operation':
        return this.operation(item);
    }
  }

  private include({ text, span }: Name, path: string, chain: readonly string[]): void {
    const file = this.workspace.included(text, path);
    if (file === undefined) return;
    const start = { file, start: 0, end: 0 };
    this.links.push({
      name: { text, span },
      to: { kind: 'file', name: { text, span: start }, whole: start },
    });
    this.included += 1;
    if (!chain.includes(file) && this.included <= INCLUDES) this.file(file, chain);
  }

  private definitions(bindings: readonly Binding[], recursive: boolean): void {
    const made: Scope = recursive ? this.scope : new Map();
    for (const binding of bindings) {
      const kind: NamedKind = binding.params === undefined ? 'relation' : 'function';
      for (const name of binding.names) {
        if (name.text !== '_') this.define(name, kind, binding, made);
      }
    }
    for (const { params = [], body, span } of bindings) {
      const own: Scope = new Map();
      for (const param of params) this.define(param, 'parameter', { span }, own);
      this.expr(body, own);
    }
    for (const [name, definition] of made) this.scope.set(name, definition);
  }

  private define(
    name: Named,
    kind: NamedKind,
    { span: whole, words }: Pick<Binding, 'span' | 'words'>,
    scope: Scope,
  ): void {
    const to = { kind, name, whole, words };
    scope.set(name.text, to);
    this.links.push({ name, to });
  }

  private use(name: Named, scope: Scope): void {
    const to = scope.get(name.text);
    if (to !== undefined) this.links.push({ name, to });
  }

  /** @param own parameters, which come before all other names */
  private expr(expr: Expr, own: Scope = NONE): void {
    switch (expr.kind) {
      case 'name':
        return this.use(expr, own.has(expr.text) ? own : this.scope);
      case 'zero':
      case 'universe':
        return;
      case 'binary':
        this.expr(expr.left, own);
        return this.expr(expr.right, own);
      case 'unary':
        return this.expr(expr.arg, own);
      case 'call':
        this.use(expr.callee, own.has(expr.callee.text) ? own : this.scope);
        return expr.args.forEach((arg) => this.expr(arg, own));
      case 'tuple':
        return expr.parts.forEach((part) => this.expr(part, own));
    }
  }

  private choosing(choosing: Choosing): void {
    const parts =
      'pairs' in choosing ? [choosing.pairs] : [choosing.from, choosing.to, choosing.within];
    for (const part of parts) this.expr(part);
  }

  private operation(item: OperationDeclaration): void {
    const own: Scope = new Map();
    this.define(item.name, 'operation', item, this.others);
    for (const { name } of [...item.parameters, ...(item.into ? [item.into] : [])]) {
      this.define(name, 'parameter', item, own);
    }
    if (item.work) this.define(item.work, 'parameter', item, own);
    if (item.on) this.use(item.on.of, own);
    if (item.by) this.use(item.by, this.others);
    for (const { result, body, when } of item.alternatives) {
      const values: Scope = new Map(own);
      this.body(body, values);
      if (when) this.value(when, values);
      if (result) this.value(result, values);
      if (item.result && !own.has(item.result.text)) this.use(item.result, values);
    }
  }

  private body(body: BodySyntax, scope: Scope): void {
    switch (body.kind) {
      case 'then':
      case 'beside':
        return body.parts.forEach((part) => this.body(part, scope));
      case 'event':
        this.use(body.label, this.scope);
        if (body.index) this.node(body.index, scope);
        if (body.at) this.cell(body.at, scope);
        if (body.reads) {
          this.cell(body.reads.place, scope);
          this.read(body.reads.as, body, scope);
        }
        if (body.writes) {
          this.cell(body.writes.place, scope);
          this.value(body.writes.value, scope);
        }
        return;
      case 'if':
        this.value(body.condition, scope);
        return this.body(body.body, scope);
      case 'for':
        this.nodes(body.of, scope);
        this.define(body.name, 'index', { span: body.name.span }, scope);
        return this.body(body.body, scope);
    }
  }

  /** What two loops read under one name is one name: a sum is over both. */
  private read(as: Named, body: Pick<Binding, 'span'>, scope: Scope): void {
    if (scope.has(as.text)) this.use(as, scope);
    else this.define(as, 'parameter', body, scope);
  }

  private cell({ name, node }: CellExpr, scope: Scope): void {
    this.use(name, scope);
    if (node) this.node(node, scope);
  }

  private node({ name }: NodeExpr, scope: Scope): void {
    this.use(name, scope);
  }

  private nodes(nodes: NodesExpr, scope: Scope): void {
    switch (nodes.kind) {
      case 'named':
        return this.use(nodes.name, scope);
      case 'role':
        return this.use(nodes.role, this.others);
      case 'set':
        return nodes.nodes.forEach((node) => this.node(node, scope));
      case 'minus':
        this.nodes(nodes.left, scope);
        return this.nodes(nodes.right, scope);
    }
  }

  private value(value: ValueExpr, scope: Scope): void {
    switch (value.kind) {
      case 'int':
        return;
      case 'name':
        return this.use(value, scope);
      case 'sum':
        return this.use(value.of, scope);
      case 'unary':
        return this.value(value.arg, scope);
      case 'binary':
        this.value(value.left, scope);
        return this.value(value.right, scope);
    }
  }
}
