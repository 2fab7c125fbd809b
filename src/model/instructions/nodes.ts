import type { Name } from '../../parse/cat-ast.js';
import type { NodeExpr, NodesExpr } from '../../parse/declaration-ast.js';
import { didYouMean } from '../../parse/diagnostics/index.js';
import type { Report } from '../../parse/diagnostics/index.js';
import type { Library, NodeOf, NodesOf } from './set.js';

/** What a name in the body of an operation stands for. */
export type Meaning =
  | 'place'
  | 'object'
  | 'value'
  /** What was read in a `for` before: one value for each node. */
  | 'values'
  | 'node'
  | 'nodes'
  | 'other'
  | 'misdeclared';

/** Checks what the body of an operation says of nodes. */
export class NodesChecker {
  /**
   * @param names what the names of the body stand for; it grows while the body is checked
   * @param used hears of each name
   */
  constructor(
    private readonly names: ReadonlyMap<string, Meaning>,
    private readonly library: Library | undefined,
    private readonly report: Report,
    private readonly used: (name: Name, space: 'parameter' | 'role') => void,
  ) {}

  node({ name, word }: NodeExpr): NodeOf {
    const { text, span } = name;
    const meaning = this.names.get(text);
    this.used(name, 'parameter');
    if (word !== undefined) {
      if (word.text !== 'node')
        this.report(word.span, `'${word.text}' is no node`, 'write node(x)');
      else if (meaning !== 'place' && meaning !== 'object') {
        this.report(span, `'${text}' is no place`, 'node(x) is the node of a place x');
      } else if (meaning === 'object') this.checkOnNode(name);
      return { kind: 'place', place: text };
    }
    if (text === 'here' && meaning === undefined) return { kind: 'here' };
    if (meaning !== 'node' && meaning !== 'misdeclared') {
      const nodes = [...this.names].flatMap(([one, what]) => (what === 'node' ? [one] : []));
      const hint =
        didYouMean(text, [...nodes, 'here']) ??
        'a node is `here`, a parameter, `node(x)`, or the name behind `for`';
      this.report(span, `'${text}' is no node`, hint);
    }
    return { kind: 'name', name: text };
  }

  set(nodes: NodesExpr): NodesOf {
    switch (nodes.kind) {
      case 'named':
        return this.named(nodes.name);
      case 'role':
        if (nodes.word.text !== 'nodes') {
          this.report(nodes.word.span, `'${nodes.word.text}' is no set of nodes`, HINT);
        } else this.role(nodes.role);
        return { kind: 'role', role: nodes.role.text };
      case 'set':
        return { kind: 'set', nodes: nodes.nodes.map((node) => this.node(node)) };
      case 'minus':
        return { kind: 'minus', left: this.set(nodes.left), right: this.set(nodes.right) };
    }
  }

  /** Checks that an object is on one node. */
  private checkOnNode({ text, span }: Name): void {
    const cells = this.library?.object?.cells;
    if (cells === 'copies') {
      this.report(span, `'${text}' has a copy on each node`, 'a node is `here`, or a parameter');
    } else if (cells === 'none') this.report(span, `'${text}' is on no node`, ON_NODE);
  }

  /** Checks that a role is one of the library's, and that there is an object to say who is in it. */
  role(name: Name): void {
    this.used(name, 'role');
    const { text, span } = name;
    const roles = this.library?.roles.map(({ name }) => name) ?? [];
    if (roles.includes(text)) {
      if (this.library?.object === undefined) return;
      if ([...this.names.values()].some((m) => m === 'object' || m === 'misdeclared')) return;
      const message = `no object says which threads are '${text}'`;
      this.report(span, message, 'give the operation a parameter: object x');
      return;
    }
    const hint = didYouMean(text, roles) ?? `declare it: role ${text} : threads`;
    this.report(span, `unknown role '${text}'`, hint);
  }

  private named(name: Name): NodesOf {
    this.used(name, 'parameter');
    const { text, span } = name;
    const meaning = this.names.get(text);
    if (meaning === 'nodes') return { kind: 'name', name: text };
    if (text === 'nodes' && meaning === undefined) return { kind: 'all' };
    if (meaning !== 'misdeclared') this.report(span, `'${text}' is no set of nodes`, HINT);
    return { kind: 'all' };
  }
}

const ON_NODE = 'objects that are on a node are declared: object x : on node';

const HINT = 'there are `nodes`, `nodes(role)`, `{here}`, and parameters of the kind nodes';
