import type { Report, Span } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type {
  ValueDomain,
  LitmusExpr,
  Ident,
  LitmusFile,
  NodeSet,
  ObjectDecl,
} from '../parse/litmus-ast.js';

/** What a name of an implementation stands for, if this is known before anything runs. */
export type VariableBound =
  | { readonly kind: 'int'; readonly value: number }
  | { readonly kind: 'thread'; readonly name: string }
  | { readonly kind: 'node'; readonly name: string }
  | { readonly kind: 'nodes'; readonly nodes: readonly string[] }
  | { readonly kind: 'object'; readonly object: ObjectDecl }
  /** An argument of the client: a value, or a work identifier. */
  | { readonly kind: 'given'; readonly value: LitmusExpr };

/** What the names mean at some place of an implementation. */
export interface LibraryScope {
  readonly client: LitmusFile;
  readonly names: ReadonlyMap<string, VariableBound>;
  /** The object that the call is about. Roles are those of this object. */
  readonly object?: ObjectDecl;
  /** The calling thread. */
  readonly me?: { readonly thread: string; readonly node: string };
  readonly report: Report;
}

export const bind = (scope: LibraryScope, name: string, bound: VariableBound): LibraryScope => ({
  ...scope,
  names: new Map(scope.names).set(name, bound),
});

/** What a name stands for; undefined for other names, such as a register. */
export function lookUp({ names, me }: LibraryScope, name: string): VariableBound | undefined {
  const bound = names.get(name);
  if (bound !== undefined || me === undefined) return bound;
  if (name === 'me') return { kind: 'thread', name: me.thread };
  return name === 'here' ? { kind: 'node', name: me.node } : undefined;
}

export const nodesOfClient = ({ client }: LibraryScope): readonly string[] => [
  ...new Set(client.nodes.map(({ node }) => node.text)),
];

/** The node of a thread of the client. */
export const nodeOfThread = ({ client }: LibraryScope, thread: string): string | undefined =>
  client.threads.find(({ name }) => name.text === thread)?.node.text;

/** The threads with a role in the present object; undefined if there is no such role. */
export function threadsOf({ object }: LibraryScope, role: string): readonly string[] | undefined {
  return object?.roles.find((r) => r.role.text === role)?.threads.map(({ text }) => text);
}

/**
 * The nodes of a set of nodes, or of a name that a `for` goes over. Undefined for any other name, which is reported.
 */
export function nodesIn(scope: LibraryScope, set: NodeSet): readonly string[] | undefined {
  switch (set.kind) {
    case 'all':
      return nodesOfClient(scope);
    case 'set':
      return set.nodes.map((node) => nodeNamed(scope, node));
    case 'difference': {
      const [left, right] = [nodesIn(scope, set.left), nodesIn(scope, set.right)];
      return left?.filter((node) => right?.includes(node) === false);
    }
    case 'union': {
      const sets = set.sets.map((one) => nodesIn(scope, one));
      return sets.some((one) => one === undefined)
        ? undefined
        : [...new Set(sets.flatMap((one) => one ?? []))];
    }
    case 'named': {
      const bound = lookUp(scope, set.name.text);
      if (bound?.kind === 'nodes') return bound.nodes;
      if (bound?.kind === 'node') return [bound.name];
      scope.report(set.span, `'${set.name.text}' is no set of nodes`);
      return undefined;
    }
    case 'nodesOf':
      return nodesNamedBy(scope, set.of);
  }
}

function nodeNamed(scope: LibraryScope, { text, span }: Ident): string {
  const bound = lookUp(scope, text);
  if (bound?.kind === 'node') return bound.name;
  if (bound !== undefined) scope.report(span, `'${text}' is no node`);
  else if (!nodesOfClient(scope).includes(text)) {
    scope.report(span, `unknown node '${text}'`, () => didYouMean(text, nodesOfClient(scope)));
  }
  return text;
}

/** The nodes of the threads of a role, of a thread, or of an object that is on one: each once, in order. */
export function nodesNamedBy(
  scope: LibraryScope,
  { text, span }: Ident,
): readonly string[] | undefined {
  const bound = lookUp(scope, text);
  if (bound?.kind === 'object') {
    const node = bound.object.node?.text;
    if (node !== undefined) return [node];
    scope.report(
      span,
      `object ${bound.object.name.text} is on no node`,
      'declare it with its node: on 1',
    );
    return undefined;
  }
  const threads = bound?.kind === 'thread' ? [bound.name] : threadsOf(scope, text);
  if (threads === undefined) {
    reportNoRole(scope, text, span);
    return undefined;
  }
  const nodes = threads.map((thread) => nodeOfThread(scope, thread));
  return [...new Set(nodes.filter((node) => node !== undefined))];
}

function reportNoRole({ object, report }: LibraryScope, name: string, span: Span): void {
  const known = object?.roles.map(({ role }) => role.text) ?? [];
  const of = object === undefined ? '' : ` of ${object.name.text}`;
  report(span, `'${name}' is no role${of}`, () => didYouMean(name, known));
}

/** What the index of a `for` stands for in each copy of its body; undefined after a mistake. */
export function membersOf(
  scope: LibraryScope,
  over: Exclude<ValueDomain, { kind: 'range' }>,
): readonly VariableBound[] | undefined {
  if (over.kind === 'named' && lookUp(scope, over.name.text) === undefined) {
    const threads = threadsOf(scope, over.name.text);
    if (threads === undefined) reportNoRole(scope, over.name.text, over.span);
    return threads?.map((name) => ({ kind: 'thread', name }));
  }
  return nodesIn(scope, over)?.map((name) => ({ kind: 'node', name }));
}
