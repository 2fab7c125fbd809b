import { operationsOf, saysItsWay } from '../model/instructions/operations.js';
import type { Operations } from '../model/instructions/operations.js';
import type { Operation } from '../model/instructions/set.js';
import type { Report, Span } from '../parse/diagnostics/index.js';
import type {
  CallArgument,
  CallStatement,
  Ident,
  LitmusExpr,
  NameRef,
  Statement,
  ThreadDecl,
} from '../parse/litmus-ast.js';
import { wordsOf } from '../parse/statements.js';
import { tupleWords } from '../parse/values.js';
import { constantOf } from './arithmetic.js';
import { callOf, formOf, operationCalled, textsOf } from './call-forms.js';
import type {
  Argument,
  Call,
  Expression,
  ObjectArgument,
  PlaceArgument,
  Target,
} from './program.js';
import { ArgumentResolver } from './resolve-argument.js';
import { libraryOf } from './resolve-objects.js';
import type { ProgramScope } from './scope.js';
import { isRemoteRef } from './thread-names.js';
import type { ThreadNames } from './thread-names.js';
import { NO_FORM, meaningHint } from './unmeant.js';
import { checkedCallTags, reportMethod, reportUnknown } from './unknown-call.js';

type Assignment = Extract<Statement, { kind: 'assign' }>;

/**
 * Resolves the calls of one thread against the operations of an instruction set: which one is meant, and whether each
 * argument is of the kind that its parameter asks for. A call that cannot be resolved is reported, and the result is
 * undefined.
 */
export class CallResolver {
  private readonly operations: Operations;
  /** The tags of the thread's node. */
  private readonly ofNode: readonly string[];
  private readonly arguments: ArgumentResolver;

  constructor(
    private readonly scope: ProgramScope,
    private readonly thread: ThreadDecl,
    private readonly names: ThreadNames,
    expression: (e: LitmusExpr) => Expression,
    private readonly report: Report,
    warn: Report,
  ) {
    this.operations = operationsOf(scope.instructions);
    this.ofNode = scope.nodeTags.get(thread.node.text) ?? [];
    this.arguments = new ArgumentResolver(
      scope,
      thread,
      names,
      this.operations,
      expression,
      report,
      warn,
    );
  }

  /** Resolves `y^2 := x` and `x := y^2` to the operations that they are short for. */
  shortForm(s: Assignment): Call | undefined {
    const { target, work, tags, span } = s;
    const { targets, values } = wordsOf(s);
    for (const value of values) this.names.recordAll(value);
    const meant = isRemoteRef(target)
      ? this.operations.short('remote', 'own')
      : this.operations.short('own', 'remote');
    if (meant === undefined) {
      const form = isRemoteRef(target) ? 'remote := own' : 'own := remote';
      this.report(span, NO_FORM, meaningHint(form));
      return undefined;
    }
    const marks = this.marks(meant.name, tags);
    if (marks === undefined) return undefined;
    const operation = this.operations.named(meant.name, marks);
    const words = targets.length;
    if (!this.checkWords(operation, marks, s)) return undefined;
    const [source] = operation.parameters;
    const sources = values.map((value) => this.arguments.argument(source, operation, value));
    const [into, ...others] = targets.map((one) => this.intoPlace(operation, one));
    const given = [...sources, ...others].flatMap((one) => one ?? []);
    if (into === undefined || given.length < 2 * words - 1) return undefined;
    return {
      kind: 'call',
      operation: operation.name,
      ...(marks.length > 0 && { tags: marks }),
      ...(words > 1 && { words }),
      arguments: given,
      into,
      work: work?.text,
      short: true,
      span,
    };
  }

  /** Has an operation a form for as many words as are given, and are they as many on both sides? */
  private checkWords(operation: Operation, tags: readonly string[], s: Assignment): boolean {
    const { targets, values } = wordsOf(s);
    const [to, from] = [targets.length, values.length];
    if (to !== from) {
      this.report(s.span, `${wordsText(to)} on the left, and ${from} on the right`);
      return false;
    }
    const remote = [
      ...targets,
      ...values.flatMap((value) => (value.kind === 'ref' ? [value.ref] : [])),
    ];
    const ends = remote.filter(isRemoteRef).map((r) => `${r.node.text}.${r.queuePair?.text ?? ''}`);
    if (new Set(ends).size > 1) {
      this.report(s.span, 'several words are on one node', 'write one assignment for each');
      return false;
    }
    if (to === 1 || this.operations.overWords(operation, to) !== undefined) return true;
    const called = operationCalled({ operation: operation.name, tags });
    this.report(s.span, `\`${called}\` is of one word`, 'write one for each word');
    return false;
  }

  /**
   * The tags of a call, if its operation takes them; others are reported. Undefined if there are such. Those of the node that choose
   * a form of the operation are among them.
   */
  private marks(operation: string, tags: readonly Ident[] = []): readonly string[] | undefined {
    const known = checkedCallTags(operation, tags, this.scope.instructions, this.report);
    if (known.length < tags.length) return undefined;
    return [...known, ...this.ofNode.filter((tag) => this.operations.takes(operation, tag))];
  }

  /** `name(…)` and `a := name(…)` */
  call(s: CallStatement): Call | undefined {
    const { library, name, tags, target, work, span } = s;
    const { libraries } = this.scope.instructions;
    this.recordCall(s);
    const meant = library && libraryOf(library, libraries, this.scope.objects.unused, this.report);
    if (library !== undefined && meant === undefined) return this.unknown(s);
    const called = meant === undefined ? name.text : `${meant.name}.${name.text}`;
    const operation = this.operations.find(called, textsOf(tags));
    if (operation === undefined && meant !== undefined) {
      reportMethod(this.scope.instructions.operations, s, meant.name, this.report);
      return this.unknown(s);
    }
    if (operation === undefined) {
      reportUnknown(this.scope.instructions, s, this.report);
      return this.unknown(s);
    }
    const marks = this.marks(operation.name, tags);
    const given = this.checkNumber(s, operation);
    if (given === undefined) return this.unknown(s);
    const { parameters, into, result } = operation;
    const args = parameters.map((parameter, i) =>
      this.arguments.argument(parameter, operation, given[i]),
    );
    const place = into && this.calledInto(operation, target, span);
    this.checkRole(operation, args, span);
    this.checkSizes(operation, given, [...args, place], span);
    const value = into === undefined ? this.resultTarget(operation, target) : undefined;
    if (into !== undefined && place === undefined) return undefined;
    if (work !== undefined && operation.work === undefined) {
      this.report(work.span, `\`${operation.name}\` takes no work identifier`);
    }
    // A call of a library does more than give a result. For an instruction, a missing target is more likely a mistake, unless
    // the value only says which way the call has gone.
    const isNeeded = result !== undefined && meant === undefined && !saysItsWay(operation);
    if (target === undefined && isNeeded && value === undefined) {
      this.report(
        span,
        `the value of \`${operation.name}\` is not taken`,
        `write a := ${formOf(operation)}`,
      );
      return undefined;
    }
    if (marks === undefined) return undefined;
    if (args.some((argument) => argument === undefined)) return undefined;
    return {
      kind: 'call',
      operation: operation.name,
      ...(marks.length > 0 && { tags: marks }),
      arguments: args as readonly Argument[],
      into: place,
      result: value,
      work: work?.text,
      span,
    };
  }

  private recordCall({ library, name, target, work }: CallStatement): void {
    const { names } = this.scope;
    if (library !== undefined) names?.useOutside(library, 'library');
    names?.useOutside(name, 'operation', library?.text);
    if (target !== undefined) this.names.record(target);
    if (work !== undefined) this.names.recordOwn('work', work);
  }

  /** Checks the arguments of an unknown operation. */
  private unknown({ arguments: given = [] }: CallStatement): undefined {
    for (const argument of given) this.names.recordAll(argument);
    return undefined;
  }

  // The parts around the arguments.

  private checkNumber(s: CallStatement, operation: Operation): readonly CallArgument[] | undefined {
    const { arguments: given, name } = s;
    const { length } = operation.parameters;
    const form = callOf(operation);
    if (given === undefined) {
      if (length === 0) return [];
      this.report(name.span, `\`${name.text}\` needs parentheses`, `write ${form}`);
      return undefined;
    }
    // After the name of a library, parentheses distinguish a call from a name.
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
      ? this.arguments.object(operation, { kind: 'ref', ref: target, span: target.span })
      : this.arguments.place(operation.into!, operation, target);
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

  /** Checks that a value has as many words as the object of its call, and that objects of one call have one size. */
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
}

const wordsText = (words: number): string => `${words} word${words === 1 ? '' : 's'}`;

/** The number of words of a value, if it is known: a tuple as written, or a constant. */
function lengthOf(given: CallArgument, argument: Argument | undefined): number | undefined {
  if (argument?.kind !== 'value') return undefined;
  if (given.kind === 'tuple') return given.parts.length;
  const value = constantOf(argument.value);
  return value === undefined ? undefined : tupleWords(value).length;
}
