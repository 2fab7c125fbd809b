import type { Held, HeldName, ImplementationFile, Method } from '../parse/implementation-ast.js';
import type { ValueDomain, Ident } from '../parse/litmus-ast.js';
import type { Span } from '../parse/diagnostics/index.js';
import type { NameDefinition, NamedKind, NameLink, Named } from '../parse/links.js';
import { fileLink } from '../parse/links.js';
import { operationsIn } from './operations.js';
import { namesInBody, ofExpr, ofNodes } from './statement-names.js';
import type { Use } from './statement-names.js';
import type { Workspace } from './workspace.js';

type Scope = Map<string, NameDefinition>;

/** What the names of an implementation stand for: its parameters, what it holds, names of its methods, and calls. */
export function implementationLinks(path: string, workspace: Workspace): readonly NameLink[] {
  const file = workspace.tree(path, 'implementation');
  return file === undefined ? [] : new Walk(file, workspace).all();
}

class Walk {
  private readonly links: NameLink[] = [];
  private readonly whole: Scope = new Map();
  private readonly operations = new Map<string, ReadonlyMap<string, NameDefinition>>();

  constructor(
    private readonly file: ImplementationFile,
    private readonly workspace: Workspace,
  ) {}

  all(): readonly NameLink[] {
    const { file } = this;
    for (const library of [file.implements, ...file.over]) this.library(library);
    for (const { name, span } of file.parameters) this.define(name, 'parameter', span, this.whole);
    for (const { object, held } of file.perObject) {
      this.define(object, 'parameter', object.span, this.whole);
      this.held(held);
    }
    this.held(file.once);
    file.methods.forEach((method) => this.method(method));
    return this.links;
  }

  private define(name: Named, kind: NamedKind, whole: Span, scope: Scope): void {
    const to = scope.get(name.text) ?? { kind, name, whole };
    scope.set(name.text, to);
    this.links.push({ name, to });
  }

  private use(name: Named, scope: Scope): void {
    const to = scope.get(name.text) ?? this.whole.get(name.text);
    if (to !== undefined) this.links.push({ name, to });
  }

  private library(name: Ident): void {
    const path = this.workspace.libraries.libraryFile(name.text, this.file.file);
    if (path !== undefined) this.links.push(fileLink(name, path));
  }

  private held(all: readonly Held[]): void {
    for (const held of all) {
      if (held.kind === 'for') {
        this.define(held.variable, 'index', held.variable.span, this.whole);
        this.domain(held.over);
        this.held(held.body);
      } else if (held.kind === 'objects') {
        this.library(held.library);
        for (const name of held.names) this.heldName(name, 'object');
      } else for (const { name } of held.locations) this.heldName(name, 'location');
    }
  }

  private heldName({ name, index, to, span }: HeldName, kind: NamedKind): void {
    this.define(name, kind, span, this.whole);
    for (const e of [index, to]) if (e) ofExpr(e, (use) => this.used(use, this.whole));
  }

  private domain(over: ValueDomain): void {
    const hear = (use: Use): void => this.used(use, this.whole);
    if (over.kind !== 'range') return ofNodes(over, hear);
    ofExpr(over.from, hear);
    ofExpr(over.to, hear);
  }

  private method({ name, parameters, into, work, body, span }: Method): void {
    const own: Scope = new Map();
    this.links.push({ name, to: { kind: 'method', name, whole: span } });
    for (const one of [...parameters, into, work]) {
      if (one !== undefined) this.define(one, 'parameter', one.span, own);
    }
    const uses: Use[] = [];
    namesInBody(body, (use) => uses.push(use));
    for (const use of uses) {
      const first =
        use.as === 'written' && !use.ref.node && !use.ref.object ? use.ref.name : undefined;
      const made = first ?? (use.as === 'work' || use.as === 'index' ? use.name : undefined);
      if (made === undefined || own.has(made.text) || this.whole.has(made.text)) continue;
      const kind =
        use.as === 'work' ? 'work identifier' : use.as === 'index' ? 'index' : 'register';
      own.set(made.text, { kind, name: made, whole: made.span });
    }
    for (const use of uses) this.used(use, own);
  }

  private used(use: Use, own: Scope): void {
    switch (use.as) {
      case 'read':
      case 'written':
        if (use.ref.object) this.use(use.ref.object, own);
        return this.use(use.ref.name, own);
      case 'operation':
        return this.operation(use.name, use.library);
      case 'node':
      case 'queuePair':
      case 'work':
      case 'set':
      case 'ghost':
      case 'applied':
      case 'mark':
      case 'index':
        return this.use(use.name, own);
      case 'stamp':
        return;
    }
  }

  private operation(name: Ident, library: Ident | undefined): void {
    const { workspace, file } = this;
    const path = library
      ? workspace.libraries.libraryFile(library.text, file.file)
      : workspace.modelFile('rdma', file.file);
    if (library) this.library(library);
    if (path === undefined) return;
    const known = this.operations.get(path) ?? operationsIn(path, workspace);
    this.operations.set(path, known);
    const to = known.get(name.text);
    if (to !== undefined) this.links.push({ name, to });
  }
}
