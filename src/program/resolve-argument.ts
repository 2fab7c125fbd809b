import type { Operations } from '../model/instructions/operations.js';
import type { Operation, Parameter } from '../model/instructions/set.js';
import type { Report, Span } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type {
  CallArgument,
  LitmusExpr,
  Ident,
  NameRef,
  NodeSet,
  ThreadDecl,
} from '../parse/litmus-ast.js';
import { locationsOf } from './accessed.js';
import { constantOf } from './arithmetic.js';
import { callOf, formOf, isWritten } from './call-forms.js';
import type { Argument, Expression, ObjectArgument, PlaceArgument } from './program.js';
import { reportObject } from './resolve-objects.js';
import { checkNode } from './report.js';
import type { ProgramScope } from './scope.js';
import { checkQueuePair } from './scope.js';
import { refsIn } from './refs.js';
import { isRemoteRef } from './thread-names.js';
import type { ThreadNames } from './thread-names.js';
import { endsIn } from './wires.js';
import { WorkIdentifiers } from './work-identifiers.js';

/**
 * Resolves the arguments of one thread's calls, each by the kind of its parameter: a place, a value, a
 * node, an object. An argument of another kind is reported, and the result is undefined.
 */
export class ArgumentResolver {
  private readonly works: WorkIdentifiers;

  constructor(
    private readonly scope: ProgramScope,
    private readonly thread: ThreadDecl,
    private readonly names: ThreadNames,
    private readonly operations: Operations,
    private readonly expression: (e: LitmusExpr) => Expression,
    private readonly report: Report,
    private readonly warn: Report,
  ) {
    this.works = new WorkIdentifiers(scope.instructions, thread, operations);
  }

  argument(parameter: Parameter, operation: Operation, given: CallArgument): Argument | undefined {
    switch (parameter.kind) {
      case 'own':
      case 'remote':
      case 'any':
        this.names.recordAll(given);
        return this.placeArgument(parameter, operation, given);
      case 'value':
        this.names.recordAll(given);
        return this.valueArgument(operation, given);
      case 'peer':
        return this.completionQueue(operation, given) ?? this.peer(operation, given);
      case 'node':
        return this.node(given);
      case 'nodes':
        return this.nodes(given);
      case 'work':
        return this.workArgument(operation, given);
      case 'object':
        this.names.recordAll(given);
        return this.object(operation, given);
    }
  }

  /** An object of the operation's library. */
  object({ library }: Operation, given: CallArgument): ObjectArgument | undefined {
    const { objects, byName } = this.scope.objects;
    const own = [...byName].flatMap(([name, id]) =>
      objects[id].library === library ? [name] : [],
    );
    if (given.kind !== 'ref' || isRemoteRef(given.ref)) {
      const hint = own.length > 0 ? `there is ${own.join(', ')}` : `declare one: ${library} x`;
      this.report(given.span, `an object of ${library} is needed here`, hint);
      return undefined;
    }
    const { text, span } = given.ref.name;
    const object = byName.get(text);
    if (object === undefined && this.names.isMemory(text)) {
      const message = `'${text}' is a location, and no object of ${library}`;
      this.report(span, message, own.length > 0 ? `there is ${own.join(', ')}` : undefined);
      return undefined;
    }
    if (object === undefined) {
      const hint = () => didYouMean(text, own) ?? `declare it: ${library} ${text}`;
      this.report(span, `unknown object '${text}' of library ${library}`, hint);
      return undefined;
    }
    if (objects[object].library !== library) {
      const message = `'${text}' is an object of ${objects[object].library}, not of ${library}`;
      this.report(span, message, own.length > 0 ? `there is ${own.join(', ')}` : undefined);
    }
    return { kind: 'object', object };
  }

  private node(given: CallArgument): Argument | undefined {
    const node = nodeOf(given);
    if (node === undefined || given.kind === 'peer') {
      this.names.recordAll(given);
      this.report(given.span, 'a node is needed here', `there are ${this.scope.nodes.join(', ')}`);
      return undefined;
    }
    checkNode(this.scope, node, this.report);
    return { kind: 'peer', node: node.text };
  }

  private nodes(given: CallArgument): Argument | undefined {
    if (given.kind !== 'nodes') {
      this.names.recordAll(given);
      const { nodes } = this.scope;
      this.report(
        given.span,
        'a set of nodes is needed here',
        `write {${nodes.join(', ')}}, or nodes`,
      );
      return undefined;
    }
    const named = this.nodesIn(given.set);
    return { kind: 'nodes', nodes: this.scope.nodes.filter((node) => named.has(node)) };
  }

  private nodesIn(set: NodeSet): ReadonlySet<string> {
    switch (set.kind) {
      case 'all':
        return new Set(this.scope.nodes);
      case 'set':
        for (const node of set.nodes) checkNode(this.scope, node, this.report);
        return new Set(set.nodes.map(({ text }) => text));
      case 'difference': {
        const without = this.nodesIn(set.right);
        return new Set([...this.nodesIn(set.left)].filter((node) => !without.has(node)));
      }
      case 'named':
      case 'nodesOf':
      case 'union':
        this.report(set.span, 'a set of nodes is written {1, 2}, or nodes');
        return new Set();
    }
  }

  private placeArgument(
    parameter: Parameter,
    operation: Operation,
    given: CallArgument,
  ): Argument | undefined {
    if (given.kind === 'ref') return this.place(parameter, operation, given.ref);
    const reads = parameter.kind === 'own' && !isWritten(parameter.name, operation);
    const constant =
      reads && given.kind !== 'peer' && given.kind !== 'nodes'
        ? constantOf(this.expression(given))
        : undefined;
    // A constant is put into a hidden location, since the NIC reads memory.
    if (constant !== undefined && this.operations.isRemote(operation)) {
      return { kind: 'place', location: this.names.constant(constant) };
    }
    if (reads && this.operations.isRemote(operation)) this.reportSource(operation, given.span);
    else {
      const message = `\`${operation.name}\` needs a location here`;
      this.report(given.span, message, `write ${callOf(operation)}`);
    }
    return undefined;
  }

  /** Reports an expression as a source: the NIC computes nothing, it reads memory. */
  private reportSource({ name }: Operation, span: Span): void {
    const message = `a ${name} copies one location of the own node, or a constant`;
    this.report(span, message, 'compute the value into a location first');
  }

  place({ kind, name }: Parameter, operation: Operation, ref: NameRef): PlaceArgument | undefined {
    const queuePair = ref.queuePair?.text;
    if (ref.queuePair !== undefined && operation.library !== undefined) {
      const message = `library ${operation.library} has no queue pairs with names`;
      this.report(ref.queuePair.span, message, 'leave the name out');
    }
    if (kind === 'any' ? isRemoteRef(ref) : kind === 'remote') {
      if (!isRemoteRef(ref)) {
        const hint = `write ${this.names.withNode(ref.name.text)}, with the node`;
        this.report(ref.span, `\`${operation.name}\` needs a remote location here`, hint);
        return undefined;
      }
      const node = ref.node.text;
      checkQueuePair(this.scope, this.thread.name.text, node, queuePair, ref.span, this.report);
      return { kind: 'place', location: this.names.remote(ref), node, queuePair };
    }
    if (isRemoteRef(ref)) {
      if (ref.node.text === this.thread.node.text) {
        const message = `'${ref.name.text}' is on the thread's own node`;
        this.report(ref.span, message, 'leave out the superscript');
      } else if (!this.operations.isRemote(operation)) {
        const message = `\`${operation.name}\` is the CPU's, on memory of its own node`;
        this.report(ref.span, message, this.remoteHint(operation));
      } else if (isWritten(name, operation)) {
        this.report(ref.span, `\`${operation.name}\` needs a location of the own node here`);
      } else this.reportSource(operation, ref.span);
      return undefined;
    }
    const needed = `\`${operation.name}\` needs a location of node ${this.thread.node.text} here`;
    const location = this.names.local(ref, needed);
    if (location !== undefined) return { kind: 'place', location };
    if (this.reportObject(operation, ref.name)) return undefined;
    const hint = () => didYouMean(ref.name.text, this.scope.declared.keys());
    this.report(ref.span, `unknown location '${ref.name.text}'`, hint);
    return undefined;
  }

  /** Reports an object in place of a location; its library may have an operation of this name. */
  private reportObject({ name }: Operation, given: Ident): boolean {
    const { objects } = this.scope;
    const object = objects.byName.get(given.text);
    const library = object === undefined ? undefined : objects.objects[object].library;
    const own = this.operations.find(`${library}.${name}`, undefined);
    return reportObject(objects, given, this.report, own === undefined ? undefined : name);
  }

  /** The hint at the operation of NICs that does the same as one of CPUs, by its name. */
  private remoteHint({ name, parameters }: Operation): string | undefined {
    const same = this.scope.instructions.operations.find(
      (o) =>
        o.parameters.length === parameters.length &&
        o.parameters.some(({ kind }) => kind === 'remote') &&
        o.name.toLowerCase().endsWith(name.toLowerCase()),
    );
    return same && `that of NICs is ${formOf(same)}`;
  }

  /** No location may occur in a value (TSO paper, Fig. 23): the operation would read it itself. */
  private valueArgument({ name }: Operation, given: CallArgument): Argument | undefined {
    if (given.kind === 'peer' || given.kind === 'nodes') {
      this.report(given.span, `\`${name}\` needs a value here`);
      return undefined;
    }
    if (refsIn(given).some((ref) => !isRemoteRef(ref) && this.names.isElsewhere(ref))) {
      const message = `a value of ${name} may name registers only`;
      this.report(given.span, message, 'get the location of the other node before');
      return undefined;
    }
    const value = this.expression(given);
    if (locationsOf(value).length > 0) {
      const message = `a value of ${name} may name registers only`;
      this.report(given.span, message, 'read the location before');
    }
    return { kind: 'value', value };
  }

  /** The name of a completion queue, for an operation of the CPU that takes something from a queue pair. */
  private completionQueue(operation: Operation, given: CallArgument): Argument | undefined {
    if (given.kind !== 'ref' || isRemoteRef(given.ref)) return undefined;
    const { name } = given.ref;
    const queue = this.scope.completionQueues.find((one) => one.name === name.text);
    if (queue === undefined) return undefined;
    this.scope.names?.use(name, ['completion queue']);
    if (this.takesPair(operation)) {
      const message = `\`${operation.name}\` needs a queue pair, and ${name.text} is a completion queue`;
      this.report(name.span, message, `its queue pairs are ${queue.of.join(', ')}`);
    }
    return { kind: 'completions', name: name.text };
  }

  /** Is an operation for one queue pair, and never for a completion queue? Those of receives are not in completion queues. */
  private readonly takesPair = (operation: Operation): boolean =>
    this.operations.isByNic(operation) || endsIn(operation).length > 0;

  private peer(operation: Operation, given: CallArgument): Argument | undefined {
    const node = nodeOf(given);
    if (node === undefined) {
      this.names.recordAll(given);
      this.report(given.span, 'a node is needed here', `there are ${this.scope.nodes.join(', ')}`);
      return undefined;
    }
    checkNode(this.scope, node, this.report);
    if (given.kind === 'peer') this.names.recordOwn('queue pair', given.queuePair);
    const name = given.kind === 'peer' ? given.queuePair.text : undefined;
    checkQueuePair(this.scope, this.thread.name.text, node.text, name, given.span, this.report);
    const queue = this.scope.completionQueues.find(
      ({ of }) => name !== undefined && of.includes(name),
    );
    if (queue !== undefined && !this.takesPair(operation)) {
      const message = `the completions of queue pair '${name}' go to ${queue.name}`;
      this.report(given.span, message, `write ${operation.name}(${queue.name})`);
    }
    return { kind: 'peer', node: node.text, name };
  }

  private workArgument(operation: Operation, given: CallArgument): Argument | undefined {
    if (given.kind !== 'ref' || isRemoteRef(given.ref)) {
      this.names.recordAll(given);
      const hint = operation.library === undefined ? 'the d of `y^2 :=^d x`' : 'a name, such as d';
      this.report(given.span, 'a work identifier is needed here', hint);
      return undefined;
    }
    const { text, span } = given.ref.name;
    // An operation of a NIC defines the identifier. One that waits must name an existing identifier.
    const isAwaited = !this.operations.isRemote(operation);
    if (isAwaited) this.names.recordAwaited(given.ref.name);
    else this.names.recordOwn('work', given.ref.name);
    if (isAwaited && !this.works.has(operation, text)) {
      const none = `no operation of ${this.thread.name.text} has the identifier '${text}'`;
      this.warn(span, `${none}: this wait orders nothing`, () => this.works.hint(operation, text));
    }
    return { kind: 'work', work: text };
  }
}

/** A node as an argument: a number, which may be computed, or a name. */
function nodeOf(given: CallArgument): Ident | undefined {
  if (given.kind === 'peer') return given.node;
  if (given.kind === 'nodes') return undefined;
  if (given.kind === 'ref') return isRemoteRef(given.ref) ? undefined : given.ref.name;
  const number = constantOf(given);
  return number === undefined ? undefined : { text: String(number), span: given.span };
}
