import { leavesIn } from '../parse/fold.js';
import type { Held, HeldName, ImplementationFile, Method } from '../parse/implementation-ast.js';
import { NameRecorder } from '../parse/links.js';
import type { FileNames, NamedKind, NameSpace } from '../parse/links.js';
import type {
  CallArgument,
  CallStatement,
  Ident,
  LitmusExpr,
  LitmusLeaf,
  NameRef,
  NodeSet,
  Statement,
  ValueDomain,
} from '../parse/litmus-ast.js';
import { evaluatedIn, statementsOf, targetsOf } from '../parse/statements.js';

/**
 * What the names of an implementation stand for, whatever its client: its parameters, what it holds, names of its
 * methods, and calls. Any other name in a method is a register, declared where it is first written.
 */
export const namesInImplementation = (file: ImplementationFile): FileNames =>
  new ImplementationResolver(file).resolve();

class ImplementationResolver {
  private readonly names = new NameRecorder();
  /** Where names are looked for. */
  private among: readonly NameSpace[] = ['shared'];

  constructor(private readonly file: ImplementationFile) {}

  resolve(): FileNames {
    const { names, file } = this;
    for (const name of [file.implements, ...file.over]) names.useOutside(name, 'library');
    for (const { name, span } of file.parameters) names.define(name, 'parameter', span, 'shared');
    for (const { object, held } of file.perObject) {
      names.define(object, 'parameter', object.span, 'shared');
      this.held(held);
    }
    this.held(file.once);
    file.methods.forEach((method, i) => this.method(method, `own ${i}`));
    return names.finish();
  }

  private held(all: readonly Held[]): void {
    for (const held of all) {
      if (held.kind === 'for') {
        this.names.define(held.variable, 'index', held.variable.span, 'shared');
        this.domain(held.over);
        this.held(held.body);
      } else if (held.kind === 'objects') {
        this.names.useOutside(held.library, 'library');
        for (const name of held.names) this.heldName(name, 'object');
      } else for (const { name } of held.locations) this.heldName(name, 'location');
    }
  }

  private heldName({ name, index, to, span }: HeldName, kind: NamedKind): void {
    this.names.define(name, kind, span, 'shared');
    for (const e of [index, to]) if (e !== undefined) this.expression(e);
  }

  private method(method: Method, own: NameSpace): void {
    const { name, parameters, into, work, body, span } = method;
    this.names.define(name, 'method', span, 'method');
    for (const one of [...parameters, into, work]) {
      if (one !== undefined) this.names.define(one, 'parameter', one.span, own);
    }
    for (const s of statementsOf(body)) {
      for (const [made, kind] of madeIn(s)) {
        const isKnown = this.names.has(made.text, own) || this.names.has(made.text, 'shared');
        if (!isKnown) this.names.define(made, kind, made.span, own);
      }
    }
    this.among = [own, 'shared'];
    for (const s of statementsOf(body)) this.statement(s);
    this.among = ['shared'];
  }

  private use(name: Ident): void {
    this.names.use(name, this.among);
  }

  private statement(s: Statement): void {
    for (const [made] of madeIn(s)) this.use(made);
    if (s.kind === 'critical' || s.kind === 'point' || s.kind === 'ghost') this.use(s.name);
    if (s.kind === 'for' && s.over.kind !== 'range') this.nodes(s.over);
    if (s.kind === 'call') this.call(s);
    for (const target of targetsOf(s)) this.ref(target);
    for (const given of evaluatedIn(s)) this.argument(given);
  }

  private call({ library, name }: CallStatement): void {
    if (library !== undefined) this.names.useOutside(library, 'library');
    this.names.useOutside(name, 'operation', library?.text);
  }

  private ref({ object, name, index, node, queuePair }: NameRef): void {
    if (object !== undefined) this.use(object);
    // A name that is held for an object is not a name of the method.
    this.names.use(name, object === undefined ? this.among : ['shared']);
    if (index !== undefined) this.expression(index);
    for (const one of [node, queuePair]) if (one !== undefined) this.use(one);
  }

  private expression(e: LitmusExpr): void {
    for (const leaf of leavesIn<LitmusLeaf>(e)) this.leaf(leaf);
  }

  private leaf(e: LitmusLeaf): void {
    switch (e.kind) {
      case 'none':
        return;
      case 'ref':
        return this.ref(e.ref);
      case 'tuple':
        return e.parts.forEach((part) => this.expression(part));
      case 'slice':
        this.use(e.name);
        this.expression(e.from);
        return this.expression(e.to);
      case 'apply':
        return e.arguments.forEach((argument) => this.argument(argument));
    }
  }

  private argument(given: CallArgument): void {
    if (given.kind === 'peer') {
      this.use(given.node);
      this.use(given.queuePair);
    } else if (given.kind === 'nodes') this.nodes(given.set);
    else this.expression(given);
  }

  private domain(over: ValueDomain): void {
    if (over.kind !== 'range') return this.nodes(over);
    this.expression(over.from);
    this.expression(over.to);
  }

  private nodes(set: NodeSet): void {
    switch (set.kind) {
      case 'all':
        return;
      case 'set':
        return set.nodes.forEach((node) => this.use(node));
      case 'difference':
        this.nodes(set.left);
        return this.nodes(set.right);
      case 'named':
        return this.use(set.name);
      case 'nodesOf':
        return this.use(set.of);
      case 'union':
        return set.sets.forEach((one) => this.nodes(one));
    }
  }
}

/** The names that a statement may declare, with their kinds. */
function madeIn(s: Statement): readonly (readonly [Ident, NamedKind])[] {
  if (s.kind === 'for') return [[s.variable, 'index']];
  if (s.kind !== 'assign' && s.kind !== 'call') return [];
  const { target, work } = s;
  const isOwn = target !== undefined && target.node === undefined && target.object === undefined;
  return [
    ...(isOwn ? ([[target.name, 'register']] as const) : []),
    ...(work === undefined ? [] : ([[work, 'work identifier']] as const)),
  ];
}
