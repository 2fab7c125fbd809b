import { operationsOf } from '../model/instructions/operations.js';
import { callsOf } from '../model/instructions/library.js';
import type { Operations } from '../model/instructions/operations.js';
import type { Library, Operation, Parameter } from '../model/instructions/set.js';
import type { Span } from '../parse/diagnostics/index.js';
import { didYouMean, nearest } from '../parse/diagnostics/index.js';
import type {
  CallArgument,
  Expr,
  Ident,
  NameRef,
  NodeSet,
  Statement,
  ThreadDecl,
} from '../parse/litmus-ast.js';
import { tupleWords } from '../parse/values.js';
import { verbHint } from '../parse/litmus-verbs.js';
import { locationsOf } from './accessed.js';
import { constantOf } from './arithmetic.js';
import type {
  Argument,
  Call,
  Expression,
  ObjectArgument,
  PlaceArgument,
  Target,
} from './program.js';
import { libraryOf, reportObject } from './resolve-objects.js';
import type { Report } from './report.js';
import type { Scope } from './scope.js';
import { checkNode } from './report.js';
import { checkQueuePair, statements } from './scope.js';
import { isRemoteRef } from './thread-names.js';
import type { ThreadNames } from './thread-names.js';
import { NO_FORM, meaningHint } from './unmeant.js';

type CallStatement = Extract<Statement, { kind: 'call' }>;
type Assignment = Extract<Statement, { kind: 'assign' }>;

const CALLED = 'LIBRARY.name(…)';

const WHERE = 'docs/litmus.md lists the instructions, and docs/verbs.md says how verbs are written';

/** Words that begin an instruction and are no operation. */
const CONTROL = ['assume', 'if', 'while', 'loop', 'choose', 'skip'];

/**
 * Resolves the calls of one thread against the operations of an instruction set: which one is meant, and
 * whether each argument is of the kind that its parameter asks for. A call that cannot be resolved is
 * reported, and there is nothing of it.
 */
export class CallResolver {
  private readonly operations: Operations;
  /** The work identifiers of the thread's operations. */
  private readonly works: ReadonlySet<string>;

  constructor(
    private readonly scope: Scope,
    private readonly thread: ThreadDecl,
    private readonly names: ThreadNames,
    private readonly expression: (e: Expr) => Expression,
    private readonly report: Report,
    private readonly warn: Report,
  ) {
    this.operations = operationsOf(scope.instructions);
    this.works = workIdentifiers(thread, this.operations);
  }

  /** An identifier that is spelt alike, or the operation of the library that has this one. */
  private workHint({ name, library }: Operation, work: string): string | undefined {
    const { libraries, operations } = this.scope.instructions;
    const method = library === undefined ? name : name.slice(name.indexOf('.') + 1);
    const elsewhere = libraries.find((other) => this.works.has(workKey(other.name, work)));
    const meant = operations.find(
      (o) => o.library === elsewhere?.name && callsOf(o) === `${elsewhere?.name}.${method}`,
    );
    if (elsewhere !== undefined && meant !== undefined) {
      return `those of ${elsewhere.name} are its own: write ${meant.name}(${work})`;
    }
    const own = [...this.works].filter((key) => key.startsWith(workKey(library, '')));
    return didYouMean(
      work,
      own.map((key) => key.slice(key.indexOf(' ') + 1)),
    );
  }

  /** `y^2 := x` and `x := y^2`: the operations that these are short for. */
  shortForm({ target, value, work, tag, span }: Assignment): Call | undefined {
    const meant = isRemoteRef(target)
      ? this.operations.short('remote', 'own')
      : this.operations.short('own', 'remote');
    const operation = meant && this.operations.find(meant.name, tag?.text);
    if (meant === undefined || operation === undefined) {
      if (meant === undefined)
        this.report(
          span,
          NO_FORM,
          meaningHint(isRemoteRef(target) ? 'remote := own' : 'own := remote'),
        );
      else this.reportForm(meant.name, tag!);
      return undefined;
    }
    const source = this.argument(operation.parameters[0], operation, value);
    const into = this.intoPlace(operation, target);
    if (source === undefined || into === undefined) return undefined;
    return {
      kind: 'call',
      operation: operation.name,
      tag: operation.tag,
      arguments: [source],
      into,
      work: work?.text,
      short: true,
      span,
    };
  }

  /** `name(…)` and `a := name(…)` */
  call(s: CallStatement): Call | undefined {
    const { library, name, tag, target, work, span } = s;
    const { libraries } = this.scope.instructions;
    const meant = library && libraryOf(library, libraries, this.scope.objects.unused, this.report);
    if (library !== undefined && meant === undefined) return undefined;
    const called = meant === undefined ? name.text : `${meant.name}.${name.text}`;
    const operation = this.operations.find(called, tag?.text);
    if (operation === undefined && meant !== undefined) {
      this.reportMethod(s, meant.name);
      return undefined;
    }
    if (operation === undefined) {
      if (tag !== undefined && this.operations.find(name.text) !== undefined) {
        this.reportForm(name.text, tag);
      } else this.reportUnknown(s);
      return undefined;
    }
    const given = this.checkNumber(s, operation);
    if (given === undefined) return undefined;
    const { parameters, into, result } = operation;
    const args = parameters.map((parameter, i) => this.argument(parameter, operation, given[i]));
    const place = into && this.calledInto(operation, target, span);
    this.checkRole(operation, args, span);
    this.checkSizes(operation, given, [...args, place], span);
    const value = into === undefined ? this.resultTarget(operation, target) : undefined;
    if (into !== undefined && place === undefined) return undefined;
    if (work !== undefined && operation.work === undefined) {
      this.report(work.span, `\`${operation.name}\` takes no work identifier`);
    }
    if (target === undefined && result !== undefined && value === undefined) {
      this.report(
        span,
        `the value of \`${operation.name}\` is not taken`,
        `write a := ${formOf(operation)}`,
      );
      return undefined;
    }
    if (args.some((argument) => argument === undefined)) return undefined;
    return {
      kind: 'call',
      operation: operation.name,
      tag: operation.tag,
      arguments: args as readonly Argument[],
      into: place,
      result: value,
      work: work?.text,
      span,
    };
  }

  // What stands around the arguments.

  private checkNumber(s: CallStatement, operation: Operation): readonly CallArgument[] | undefined {
    const { arguments: given, name } = s;
    const { length } = operation.parameters;
    const form = callOf(operation);
    if (given === undefined) {
      if (length === 0) return [];
      this.report(name.span, `\`${name.text}\` needs parentheses`, `write ${form}`);
      return undefined;
    }
    // Behind the name of a library, parentheses tell a call from a name.
    if (length === 0 && (s.library === undefined || given.length > 0)) {
      const span = { ...s.span, start: name.span.end };
      this.report(span, `\`${name.text}\` has nothing in parentheses`, `write ${name.text}`);
      return undefined;
    }
    if (given.length === length) return given;
    const takes = `${length} argument${length === 1 ? '' : 's'}`;
    const message = `\`${operation.name}\` takes ${takes}, not ${given.length}`;
    this.report(s.span, message, `write ${form}`);
    return undefined;
  }

  private calledInto(
    operation: Operation,
    target: NameRef | undefined,
    span: Span,
  ): PlaceArgument | ObjectArgument | undefined {
    if (target !== undefined) return this.intoPlace(operation, target);
    const hint = `write ${callOf(operation)}`;
    this.report(span, `\`${operation.name}\` writes a place: say which`, hint);
    return undefined;
  }

  private intoPlace(
    operation: Operation,
    target: NameRef,
  ): PlaceArgument | ObjectArgument | undefined {
    return operation.into!.kind === 'object'
      ? this.object(operation, { kind: 'ref', ref: target, span: target.span })
      : this.place(operation.into!, operation, target);
  }

  private resultTarget(operation: Operation, target: NameRef | undefined): Target | undefined {
    if (target === undefined) return undefined;
    if (operation.result === undefined) {
      this.report(
        target.span,
        `\`${operation.name}\` has no value`,
        'leave out what is left of :=',
      );
      return undefined;
    }
    if (isRemoteRef(target)) {
      this.report(target.span, `the result of a ${operation.name} goes to the own node`);
      return undefined;
    }
    const needed = `the value of \`${operation.name}\` goes to node ${this.thread.node.text}`;
    return this.names.target(target, needed);
  }

  // Arguments, by the kinds of their parameters.

  private argument(
    parameter: Parameter,
    operation: Operation,
    given: CallArgument,
  ): Argument | undefined {
    switch (parameter.kind) {
      case 'own':
      case 'remote':
      case 'any':
        return this.placeArgument(parameter, operation, given);
      case 'value':
        return this.valueArgument(operation, given);
      case 'peer':
        return this.peer(given);
      case 'node':
        return this.node(given);
      case 'nodes':
        return this.nodes(given);
      case 'work':
        return this.workArgument(operation, given);
      case 'object':
        return this.object(operation, given);
    }
  }

  /** An object of the operation's library. */
  private object({ library }: Operation, given: CallArgument): ObjectArgument | undefined {
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
      const hint = didYouMean(text, own) ?? `declare it: ${library} ${text}`;
      this.report(span, `unknown object '${text}' of library ${library}`, hint);
      return undefined;
    }
    if (objects[object].library !== library) {
      const message = `'${text}' is an object of ${objects[object].library}, not of ${library}`;
      this.report(span, message, own.length > 0 ? `there is ${own.join(', ')}` : undefined);
    }
    return { kind: 'object', object };
  }

  /** Only threads with a role in an object may call some operations on it. */
  private checkRole(
    { name, by }: Operation,
    args: readonly (Argument | undefined)[],
    span: Span,
  ): void {
    const given = args.find((argument) => argument?.kind === 'object');
    if (by === undefined || given?.kind !== 'object') return;
    const { name: object, roles } = this.scope.objects.objects[given.object];
    if (roles[by]?.includes(this.names.index) !== false) return;
    const { text } = this.thread.name;
    const message = `${text} has no role '${by}' in '${object}', and cannot call \`${name}\` on it`;
    this.report(span, message, `name it where '${object}' is declared: (${by} ${text})`);
  }

  /** A value that is given with an object has as many words as the object, and objects of one call are of one size. */
  private checkSizes(
    { name }: Operation,
    given: readonly CallArgument[],
    args: readonly (Argument | undefined)[],
    span: Span,
  ): void {
    const objects = args.flatMap((argument) =>
      argument?.kind === 'object' ? [this.scope.objects.objects[argument.object]] : [],
    );
    const words = objects[0]?.words;
    if (words === undefined) return;
    const other = objects.find((object) => object.words !== words);
    if (other !== undefined) {
      const sizes = `'${objects[0].name}' has ${wordsText(words)}, and '${other.name}' has ${wordsText(other.words!)}`;
      this.report(span, sizes, `\`${name}\` takes objects of one size`);
    }
    for (const [i, argument] of given.entries()) {
      const length = lengthOf(argument, args[i]);
      if (length === undefined || length === words) continue;
      const message = `'${objects[0].name}' has ${wordsText(words)}, and \`${name}\` gives it ${length}`;
      this.report(argument.span, message);
    }
  }

  private node(given: CallArgument): Argument | undefined {
    const node = nodeOf(given);
    if (node === undefined || given.kind === 'peer') {
      this.report(given.span, 'a node is needed here', `there are ${this.scope.nodes.join(', ')}`);
      return undefined;
    }
    checkNode(this.scope, node, this.report);
    return { kind: 'peer', node: node.text };
  }

  private nodes(given: CallArgument): Argument | undefined {
    if (given.kind !== 'nodes') {
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
    // A constant stands for a hidden location that holds it: the NIC reads memory.
    if (constant !== undefined && this.operations.isRemote(operation)) {
      return { kind: 'place', location: this.names.constant(constant) };
    }
    if (reads && this.operations.isRemote(operation)) this.reportSource(operation, given.span);
    else this.report(given.span, `\`${operation.name}\` needs a location here`);
    return undefined;
  }

  /** The NIC computes nothing: it reads memory. */
  private reportSource({ name }: Operation, span: Span): void {
    const message = `a ${name} copies one location of the own node, or a constant`;
    this.report(span, message, 'compute the value into a location first');
  }

  private place(
    { kind, name }: Parameter,
    operation: Operation,
    ref: NameRef,
  ): PlaceArgument | undefined {
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
    const hint = didYouMean(ref.name.text, this.scope.declared.keys());
    this.report(ref.span, `unknown location '${ref.name.text}'`, hint);
    return undefined;
  }

  /** Says that a place that an operation is given is an object; its library may have an operation of that name. */
  private reportObject({ name }: Operation, given: Ident): boolean {
    const { objects } = this.scope;
    const object = objects.byName.get(given.text);
    const library = object === undefined ? undefined : objects.objects[object].library;
    const own = this.operations.find(`${library}.${name}`, undefined);
    return reportObject(objects, given, this.report, own === undefined ? undefined : name);
  }

  /** The operation of NICs that is called as one of CPUs is, if its name says that it does the same. */
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
    if (namesOf(given).some((ref) => this.names.isElsewhere(ref))) {
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

  private peer(given: CallArgument): Argument | undefined {
    const node = nodeOf(given);
    if (node === undefined) {
      this.report(given.span, 'a node is needed here', `there are ${this.scope.nodes.join(', ')}`);
      return undefined;
    }
    checkNode(this.scope, node, this.report);
    const name = given.kind === 'peer' ? given.queuePair.text : undefined;
    checkQueuePair(this.scope, this.thread.name.text, node.text, name, given.span, this.report);
    return { kind: 'peer', node: node.text, name };
  }

  private workArgument(operation: Operation, given: CallArgument): Argument | undefined {
    if (given.kind !== 'ref' || isRemoteRef(given.ref)) {
      const hint = operation.library === undefined ? 'the d of `y^2 :=^d x`' : 'a name, such as d';
      this.report(given.span, 'a work identifier is needed here', hint);
      return undefined;
    }
    const { text, span } = given.ref.name;
    // What a NIC does has the identifier, and what waits for it names one that there is.
    if (!this.operations.isRemote(operation) && !this.works.has(workKey(operation.library, text))) {
      const none = `no operation of ${this.thread.name.text} has the identifier '${text}'`;
      this.warn(span, `${none}: this wait orders nothing`, this.workHint(operation, text));
    }
    return { kind: 'work', work: text };
  }

  // What is not there.

  private reportForm(name: string, tag: Ident): void {
    const forms = this.scope.instructions.operations.flatMap((o) =>
      o.name === name && o.tag !== undefined ? [o.tag] : [],
    );
    const hint = didYouMean(tag.text, forms);
    this.report(tag.span, `\`${name}\` has no form [${tag.text}]`, hint);
  }

  /** A library has no such operation. */
  private reportMethod({ name }: CallStatement, library: string): void {
    const own = this.scope.instructions.operations.flatMap((o) =>
      o.library === library ? [callsOf(o)!.slice(library.length + 1)] : [],
    );
    const hint = didYouMean(name.text, own) ?? `there are ${own.join(', ')}`;
    this.report(name.span, `library ${library} has no operation '${name.text}'`, hint);
  }

  /** What a call in a client may be meant for: the operation of a library with its name. */
  private methodHint(name: string, libraries: readonly Library[]): string {
    const { operations } = this.scope.instructions;
    const named = operations.filter((o) => callsOf(o) === `${o.library}.${name}`);
    if (named.length > 0) return `write ${named.map(formOf).join(' or ')}`;
    const plain = new Set(libraries.flatMap((one) => (one.plain ? [one.name] : [])));
    const own = operations.filter((o) => plain.has(o.library ?? '')).map((o) => o.name);
    const guess = didYouMean(name, own);
    return guess ?? `there are ${own.join(', ')}, and those of libraries: ${CALLED}`;
  }

  private reportUnknown({ name, arguments: given, target }: CallStatement): void {
    const { operations } = this.scope.instructions;
    const takes = (o: Operation): boolean =>
      (given === undefined ? o.parameters.length === 0 : o.parameters.length > 0) &&
      (target === undefined) === (o.result === undefined && o.into === undefined);
    const likely = operations.filter(takes).map((o) => o.name);
    const what = target === undefined ? 'instruction' : 'function';
    const message = `unknown ${what} '${name.text}'`;
    const { libraries } = this.scope.instructions;
    if (libraries.length > 0) {
      return this.report(name.span, message, this.methodHint(name.text, libraries));
    }
    if (target !== undefined) {
      const forms = operations.filter((o) => takes(o) && o.parameters.length > 1).map(formOf);
      const guess = didYouMean(name.text, likely);
      if (guess !== undefined) return this.report(name.span, message, guess);
      const known = verbHint(name.text);
      return this.report(name.span, known?.message ?? message, known?.hint ?? functionsHint(forms));
    }
    const known = verbHint(name.text);
    if (known !== undefined) return this.report(name.span, known.message, known.hint);
    const all = operations.map((o) => o.name);
    const guess = nearest(name.text, [...likely, ...CONTROL]) ?? nearest(name.text, all);
    this.report(name.span, message, guess === undefined ? WHERE : `did you mean '${guess}'?`);
  }
}

const wordsText = (words: number): string => `${words} word${words === 1 ? '' : 's'}`;

/** How many words a value has, where that is known: as written, or as a constant. */
function lengthOf(given: CallArgument, argument: Argument | undefined): number | undefined {
  if (argument?.kind !== 'value') return undefined;
  if (given.kind === 'tuple') return given.parts.length;
  const value = constantOf(argument.value);
  return value === undefined ? undefined : tupleWords(value).length;
}

/** The names without superscript in an expression. */
function namesOf(e: Expr): readonly NameRef[] {
  switch (e.kind) {
    case 'int':
    case 'none':
    case 'slice':
    case 'apply':
      return [];
    case 'tuple':
      return e.parts.flatMap(namesOf);
    case 'ref':
      return isRemoteRef(e.ref) ? [] : [e.ref];
    case 'unary':
      return namesOf(e.arg);
    case 'binary':
      return [...namesOf(e.left), ...namesOf(e.right)];
  }
}

const functionsHint = (forms: readonly string[]): string =>
  forms.length === 1 ? `the one function is ${forms[0]}` : `there are ${forms.join(', ')}`;

/** How a call of an operation is written: `CAS(x, e1, e2)`. */
export function formOf({ name, parameters }: Operation): string {
  const values = parameters.filter(({ kind }) => kind === 'value').length;
  let seen = 0;
  const written = parameters.map(({ kind, name: own }) => {
    if (kind === 'value') return values === 1 ? 'e' : `e${++seen}`;
    if (kind === 'peer') return 'n';
    return kind === 'remote' ? `${own}^n` : own;
  });
  return parameters.length === 0 ? name : `${name}(${written.join(', ')})`;
}

/** The same with the place that it writes: `y^n := put(x)`. */
function callOf(operation: Operation): string {
  const { into } = operation;
  const place = into && `${into.name}${into.kind === 'remote' ? '^n' : ''} := `;
  return `${place ?? ''}${formOf(operation)}`;
}

/** Does some event of an operation write a place that it is given? */
function isWritten(parameter: string, { alternatives }: Operation): boolean {
  return JSON.stringify(alternatives).includes(`"writes":{"place":"${parameter}"`);
}

/** A node as an argument: a number, which may be computed, or a name. */
function nodeOf(given: CallArgument): Ident | undefined {
  if (given.kind === 'peer') return given.node;
  if (given.kind === 'nodes') return undefined;
  if (given.kind === 'ref') return isRemoteRef(given.ref) ? undefined : given.ref.name;
  const number = constantOf(given);
  return number === undefined ? undefined : { text: String(number), span: given.span };
}

/** Identifiers of different libraries have nothing to do with each other. */
const workKey = (library: string | undefined, work: string): string => `${library ?? ''} ${work}`;

function workIdentifiers(thread: ThreadDecl, operations: Operations): ReadonlySet<string> {
  const works = new Set<string>();
  const short = operations.short('remote', 'own') ?? operations.short('own', 'remote');
  for (const s of statements(thread.body)) {
    if (s.kind !== 'assign' && s.kind !== 'call') continue;
    const called = s.kind === 'call' ? calledName(s) : undefined;
    const operation = called === undefined ? short : operations.find(called, s.tag?.text);
    if (s.work !== undefined) works.add(workKey(operation?.library, s.work.text));
    if (s.kind !== 'call' || operation === undefined || !operations.isRemote(operation)) continue;
    operation.parameters.forEach(({ kind }, i) => {
      const given = s.arguments?.[i];
      if (kind === 'work' && given?.kind === 'ref') {
        works.add(workKey(operation.library, given.ref.name.text));
      }
    });
  }
  return works;
}

const calledName = ({ library, name }: CallStatement): string =>
  library === undefined ? name.text : `${library.text}.${name.text}`;
