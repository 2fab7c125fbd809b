import type { Report } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import { operationsOf } from '../model/instructions/operations.js';
import type { Operations } from '../model/instructions/operations.js';
import type { Operation } from '../model/instructions/set.js';
import type { CallArgument, Ident, NameRef, Statement, ThreadDecl } from '../parse/litmus-ast.js';
import { statementsOf, targetsOf, wordsOf } from '../parse/statements.js';
import { textsOf } from './call-forms.js';
import { constantLocation } from './constant-location.js';
import type { LocationId, Target } from './program.js';
import { reportObject } from './resolve-objects.js';
import type { ProgramScope } from './scope.js';
import { checkNode } from './report.js';
import { nodesNamed, refsIn } from './refs.js';

/** A name with a superscript: it is on another node. */
export type RemoteRef = NameRef & { readonly node: Ident };

export const isRemoteRef = (ref: NameRef): ref is RemoteRef => ref.node !== undefined;

/** The meanings of the names in one thread. A name without meaning, or on the wrong node, is reported. */
export class ThreadNames {
  /** Undeclared names that the CPU writes and that are not memory, in order of their first writes. */
  readonly registers: readonly string[];
  /** Undeclared names that the NIC reads or writes. */
  private readonly memory: ReadonlyMap<string, LocationId>;
  /** All names without superscript that some instruction of the thread writes. */
  private readonly written: ReadonlyMap<string, Ident>;

  /** Adds the private memory of the thread to the scope. `index` is the thread's. */
  constructor(
    private readonly scope: ProgramScope,
    private readonly thread: ThreadDecl,
    /** Its index. */
    readonly index: number,
    private readonly report: Report,
  ) {
    this.memory = privateMemory(scope, thread, index);
    this.written = writtenNames(thread);
    this.registers = [...this.written.keys()].filter(
      (name) =>
        !scope.declared.has(name) && !this.memory.has(name) && !scope.objects.byName.has(name),
    );
    const { names } = scope;
    if (names === undefined) return;
    for (const [text, name] of this.written) {
      if (!names.has(text, 'shared')) names.define(name, 'register', name.span, this.own('own'));
    }
  }

  private own<Of extends 'own' | 'work' | 'queue pair' | 'mark'>(of: Of): `${Of} ${string}` {
    return `${of} ${this.thread.name.text}`;
  }

  /** Records what the names of a reference stand for, whether they are right in this place or not. */
  record({ name, node, queuePair }: NameRef): void {
    const { names } = this.scope;
    if (names === undefined) return;
    // In a call of an unknown operation, the name may also be a node or a work identifier.
    names.use(name, ['shared', this.own('own'), this.own('work'), 'node']);
    if (node === undefined) return;
    names.use(node, ['node']);
    if (queuePair !== undefined) this.recordOwn('queue pair', queuePair);
  }

  /** Records a name that the thread declares by using it. */
  recordOwn(kind: 'queue pair' | 'work' | 'mark', name: Ident, whole = name.span): void {
    const what = kind === 'work' ? 'work identifier' : kind;
    this.scope.names?.define(name, what, whole, this.own(kind));
  }

  /** Records a work identifier that is waited for. */
  recordAwaited(name: Ident): void {
    this.scope.names?.use(name, [this.own('work')]);
  }

  /** Records all names in an argument whose kind is not known. */
  recordAll(given: CallArgument): void {
    if (this.scope.names === undefined) return;
    if (given.kind === 'peer') {
      this.scope.names.use(given.node, ['node']);
      this.recordOwn('queue pair', given.queuePair);
    } else if (given.kind === 'nodes') {
      for (const node of nodesNamed(given.set)) this.scope.names.use(node, ['node']);
    } else for (const ref of refsIn(given)) this.record(ref);
  }

  /**
   * A location of the own node, declared or private; undefined if the name is none.
   *
   * @param remedy the hint for a location of another node, if a node after `^` does not help
   */
  local(ref: NameRef, remedy?: string): LocationId | undefined {
    const name = ref.name.text;
    const own = this.thread.node.text;
    const location = this.scope.declared.get(name) ?? this.memory.get(name);
    if (location === undefined) return undefined;
    const home = this.scope.locations[location].node;
    if (home !== own) {
      const hint = remedy ?? `write ${name}^${home} for a remote access`;
      this.report(ref.span, `'${name}' lives on node ${home}, not on ${own}`, hint);
    } else if (this.memory.has(name) && !this.written.has(name)) this.reportUnknown(ref.name);
    return location;
  }

  /** Is this a location of another node, written without it? */
  isElsewhere(ref: NameRef): boolean {
    const location = this.scope.declared.get(ref.name.text);
    return location !== undefined && this.scope.locations[location].node !== this.thread.node.text;
  }

  /** Is it declared at some node, or private memory of the thread? */
  isMemory(name: string): boolean {
    return this.scope.declared.has(name) || this.memory.has(name);
  }

  /** A location of another node. */
  remote(ref: RemoteRef): LocationId {
    const name = ref.name.text;
    const location = this.scope.declared.get(name);
    if (!checkNode(this.scope, ref.node, this.report)) return location ?? 0;
    if (location === undefined) {
      if (reportObject(this.scope.objects, ref.name, this.report)) return 0;
      const hint = () => didYouMean(name, this.scope.declared.keys());
      this.report(ref.name.span, `unknown location '${name}'`, hint);
      return 0;
    }
    const home = this.scope.locations[location].node;
    if (home !== ref.node.text) {
      const message = `'${name}' lives on node ${home}, not on ${ref.node.text}`;
      this.report(ref.span, message, `write ${name}^${home}`);
    }
    return location;
  }

  /** The target of a write of the CPU; `remedy` as for `local`. */
  target(ref: NameRef, remedy?: string): Target {
    const location = this.local(ref, remedy);
    if (location !== undefined) return { kind: 'location', location };
    if (this.scope.objects.byName.has(ref.name.text)) this.reportUnknown(ref.name);
    return { kind: 'register', register: this.registers.indexOf(ref.name.text) };
  }

  /** A location as it is written with its node; without a node if it is not declared. */
  withNode(name: string): string {
    const location = this.scope.declared.get(name);
    return `${name}^${location === undefined ? 'n' : this.scope.locations[location].node}`;
  }

  /** The location or register that the CPU reads. */
  source(ref: NameRef): Target {
    const found = this.target(ref);
    if (found.kind === 'location' || found.register >= 0) return found;
    this.reportUnknown(ref.name);
    return { kind: 'register', register: 0 };
  }

  /** The hidden location that holds a constant for puts; the thread has one for each constant. */
  constant(value: number): LocationId {
    return constantLocation(this.scope.locations, this.index, this.thread.node.text, value);
  }

  private reportUnknown({ text, span }: Ident): void {
    const { scope, registers, memory, thread } = this;
    if (scope.ghosts.some(({ name }) => name === text)) {
      this.report(span, `'${text}' is a ghost: no instruction reads it`);
      return;
    }
    if (reportObject(scope.objects, { text, span }, this.report)) return;
    const hint = (): string | undefined =>
      didYouMean(text, [...scope.declared.keys(), ...registers, ...memory.keys()]);
    const message = `'${text}' is declared at no node, and ${thread.name.text} never writes it`;
    this.report(span, message, hint);
  }
}

/**
 * The private names of a thread that are memory: undeclared targets of gets and sources of puts (the NIC
 * cannot reach a register). Adds a location at the thread's node for each, with initial value 0.
 */
function privateMemory(
  scope: ProgramScope,
  thread: ThreadDecl,
  owner: number,
): ReadonlyMap<string, LocationId> {
  const found = new Map<string, LocationId>();
  const add = (ref: NameRef) => {
    const name = ref.name.text;
    if (isRemoteRef(ref) || scope.declared.has(name) || found.has(name)) return;
    found.set(name, scope.locations.length);
    scope.locations.push({ name, node: thread.node.text, initial: 0, owner, span: ref.span });
  };
  for (const s of statementsOf(thread.body)) for (const ref of memoryOf(s, scope)) add(ref);
  return found;
}

/** The names in a statement that have to be memory. */
function memoryOf(s: Statement, { instructions }: ProgramScope): readonly NameRef[] {
  const operations = operationsOf(instructions);
  const tags = 'tags' in s ? textsOf(s.tags) : [];
  if (s.kind === 'call') {
    const { library, name } = s;
    const called = library === undefined ? name.text : `${library.text}.${name.text}`;
    return memoryIn(operations, operations.find(called, tags), s.arguments ?? [], s.target);
  }
  if (s.kind !== 'assign') return [];
  // An assignment of the CPU is on no queue pair.
  const isTo = isRemoteRef(s.target);
  if (!isTo && (s.value.kind !== 'ref' || !isRemoteRef(s.value.ref))) return [];
  const meant = isTo ? operations.short('remote', 'own') : operations.short('own', 'remote');
  const operation = meant && operations.find(meant.name, tags);
  const { targets, values } = wordsOf(s);
  return values.flatMap((value, i) => memoryIn(operations, operation, [value], targets[i]));
}

/** The names in a use of an operation that have to be memory, since the NIC reaches nothing else. */
function memoryIn(
  operations: Operations,
  operation: Operation | undefined,
  given: readonly CallArgument[],
  target: NameRef | undefined,
): readonly NameRef[] {
  if (operation === undefined || !operations.isRemote(operation)) return [];
  const places = operation.parameters.flatMap(({ kind }, i) => {
    const argument = given[i];
    return argument?.kind === 'ref' && (kind === 'own' || kind === 'any') ? [argument.ref] : [];
  });
  return target !== undefined && operation.into?.kind === 'own' ? [...places, target] : places;
}

/** Names without a node that some instruction of the thread writes, in textual order, each at its first write. */
function writtenNames(thread: ThreadDecl): ReadonlyMap<string, Ident> {
  const names = new Map<string, Ident>();
  for (const s of statementsOf(thread.body)) {
    for (const target of targetsOf(s)) {
      if (isRemoteRef(target)) continue;
      const { name } = target;
      if (!names.has(name.text)) names.set(name.text, name);
    }
  }
  return names;
}
