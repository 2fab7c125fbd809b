import type { Report, Span } from '../parse/diagnostics/index.js';
import type { LitmusExpr, Statement, ThreadDecl } from '../parse/litmus-ast.js';
import { targetsOf } from '../parse/statements.js';
import { constantOf } from './arithmetic.js';
import { Marking, markOf } from './marks.js';
import { LENGTH, NONE, WORD, WORDS, tupleCode } from '../parse/values.js';
import type { MarkNames } from './marks.js';
import { CallResolver } from './resolve-call.js';
import type { Expression, Instruction, Thread } from './program.js';
import type { ProgramScope } from './scope.js';
import { CLIENTS_ALONE, checkInteger, checkWords } from './report.js';
import type { RemoteRef } from './thread-names.js';
import { ThreadNames, isRemoteRef } from './thread-names.js';

/**
 * Resolves one thread: which assignments are CPU writes, gets and puts, which names are registers, and whether
 * everything is on the node that is written (docs/litmus.md). Mistakes are reported; the result is then only good for
 * further checks. A wait that waits for nothing gets a warning.
 *
 * @param scope gets the private locations of the thread
 * @param index the index of the thread in the program
 */
export function resolveThread(
  scope: ProgramScope,
  thread: ThreadDecl,
  index: number,
  report: Report,
  warn: Report,
): Thread {
  return new ThreadResolver(scope, thread, index, report, warn).resolve();
}

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;
type MarkStatement = Of<'critical' | 'point' | 'ghost' | 'assert'>;

class ThreadResolver {
  /** The thread's node. */
  private readonly own: string;
  private readonly names: ThreadNames;
  private readonly calls: CallResolver;
  private readonly marked: MarkNames;
  /** The critical blocks around the present instruction. */
  private readonly sections: string[] = [];

  constructor(
    private readonly scope: ProgramScope,
    private readonly thread: ThreadDecl,
    index: number,
    private readonly report: Report,
    warn: Report,
  ) {
    this.own = thread.node.text;
    this.names = new ThreadNames(scope, thread, index, report);
    this.marked = {
      registers: this.names.registers,
      ghosts: scope.ghosts.map(({ name }) => name),
      isMemory: (name) => this.names.isMemory(name),
    };
    const expression = (e: LitmusExpr) => this.expression(e);
    this.calls = new CallResolver(scope, thread, this.names, expression, report, warn);
  }

  resolve(): Thread {
    const { name, body, span } = this.thread;
    const { registers } = this.names;
    const queuePairs = this.scope.queuePairs.get(name.text);
    const tags = this.scope.nodeTags.get(this.own);
    return {
      ...{ name: name.text, node: this.own, registers, ...(tags && { tags }), queuePairs },
      ...{ body: this.block(body), span },
    };
  }

  // Instructions.

  private block(body: readonly Statement[]): readonly Instruction[] {
    const marking = new Marking();
    for (const s of body) {
      if (s.kind === 'point' || s.kind === 'ghost' || s.kind === 'assert') {
        this.recordMark(s);
        marking.mark(markOf(s, this.marked, this.report));
      } else if (s.kind === 'critical') marking.section(s, this.section(s));
      else {
        const made = this.instruction(s);
        if (made !== undefined) marking.add(standing(made, s));
      }
    }
    return marking.finished();
  }

  private recordMark(s: Exclude<MarkStatement, Of<'critical'>>): void {
    if (s.kind === 'point') return this.names.recordOwn('mark', s.name, s.span);
    if (s.kind === 'ghost') this.scope.names?.use(s.name, ['shared']);
    this.names.recordAll(s.kind === 'ghost' ? s.value : s.condition);
  }

  private section({ name, body, span }: Of<'critical'>): readonly Instruction[] {
    this.names.recordOwn('mark', name, span);
    if (this.sections.includes(name.text)) {
      this.report(
        name.span,
        `critical ${name.text} is inside of itself`,
        'give one of them another name',
      );
    }
    this.sections.push(name.text);
    const made = this.block(body);
    this.sections.pop();
    return made;
  }

  /** Undefined for a `skip`, and for what cannot be resolved. */
  private instruction(s: Exclude<Statement, MarkStatement>): Instruction | undefined {
    const { span } = s;
    switch (s.kind) {
      case 'skip':
        return undefined;
      case 'assign':
        return this.assign(s);
      case 'call':
        return this.calls.call(s);
      case 'assume':
        return { kind: 'assume', condition: this.expression(s.condition), span };
      case 'if':
        return this.conditional(s);
      case 'while':
      case 'loop':
        return this.loop(s);
      case 'inlined':
        return {
          kind: 'if',
          condition: { kind: 'int', value: 1 },
          then: this.block(s.body),
          else: [],
          inlined: s.call,
          span,
        };
      case 'for':
      case 'return':
        this.report(span, 'only implementations of libraries have this');
        return undefined;
      case 'choose':
        return {
          ...{ kind: 'choose', branches: s.branches.map((b) => this.block(b)), span },
          ...(s.unknown && { unknown: s.unknown }),
        };
    }
  }

  /** With a node after `^` on one side, an assignment is short for a call; without any, the CPU writes. */
  private assign(s: Of<'assign'>): Instruction | undefined {
    const { target, value, work, tags, span } = s;
    for (const written of targetsOf(s)) this.names.record(written);
    if (work !== undefined) this.names.recordOwn('work', work);
    if (isRemoteRef(target) || (value.kind === 'ref' && isRemoteRef(value.ref))) {
      return this.calls.shortForm(s);
    }
    if (work !== undefined) this.report(work.span, 'only gets and puts have work identifiers');
    for (const tag of tags ?? []) this.report(tag.span, 'only calls of operations have tags');
    if (s.more !== undefined) {
      this.report(span, 'only puts and gets have several words', 'write one assignment for each');
      return undefined;
    }
    const to = this.names.target(target);
    return { kind: 'assign', target: to, value: this.expression(value), span };
  }

  private conditional(s: Of<'if'>): Instruction {
    const condition = this.expression(s.condition);
    const [yes, no] = [this.block(s.then), this.block(s.else)];
    return { kind: 'if', condition, then: yes, else: no, span: s.span };
  }

  private loop(s: Of<'while' | 'loop'>): Instruction {
    const { bound, span } = s;
    const condition = s.kind === 'while' ? this.expression(s.condition) : undefined;
    if (bound !== undefined) this.checkBound(bound, span);
    return { kind: 'loop', condition, bound, body: this.block(s.body), span };
  }

  private checkBound(bound: number, span: Span): void {
    checkInteger(bound, span, this.report);
    if (bound < 1) this.report(span, 'a bound is at least 1');
  }

  // Operands.

  expression(e: LitmusExpr): Expression {
    switch (e.kind) {
      case 'int':
        checkInteger(e.value, e.span, this.report);
        return { kind: 'int', value: e.value };
      case 'none':
        this.checkClient(e);
        return { kind: 'int', value: NONE };
      case 'slice':
      case 'apply':
        this.report(e.span, 'only implementations of libraries take tuples apart');
        return { kind: 'int', value: 0 };
      case 'tuple':
        this.checkClient(e);
        return this.tuple(e);
      case 'unary':
        this.checkNumber(e.arg);
        return { kind: 'unary', op: e.op, arg: this.expression(e.arg) };
      case 'binary':
        return this.binary(e);
      case 'ref':
        this.names.record(e.ref);
        return isRemoteRef(e.ref) ? this.remoteOperand(e.ref) : this.names.source(e.ref);
    }
  }

  /** The number that stands for a tuple, computed from its words if these are not constants. */
  private tuple({ parts, span }: Extract<LitmusExpr, { kind: 'tuple' }>): Expression {
    const words = parts.map((part) => this.expression(part));
    const numbers = words.map(constantOf);
    const known = numbers.filter((n) => n !== undefined);
    checkWords(known, span, this.report);
    if (words.length > WORDS) this.report(span, `a tuple has at most ${WORDS} words`);
    if (known.length === words.length) return { kind: 'int', value: tupleCode(known) ?? 0 };
    return words.reduce(
      (sum, word, i): Expression => ({
        kind: 'binary',
        op: '+',
        left: sum,
        right: {
          kind: 'binary',
          op: '*',
          left: asWord(word),
          right: { kind: 'int', value: WORD ** i },
        },
      }),
      { kind: 'int', value: words.length * LENGTH } as Expression,
    );
  }

  /** Reports a tuple or `none` in a plain program. */
  private checkClient({ span }: LitmusExpr): void {
    if (this.scope.instructions.libraries.length === 0) this.report(span, CLIENTS_ALONE);
  }

  /** Reports a tuple or `none` in a computation. */
  private checkNumber({ kind, span }: LitmusExpr): void {
    if (kind !== 'none' && kind !== 'tuple') return;
    this.report(
      span,
      `${kind === 'none' ? '`none`' : 'a tuple'} is no number`,
      'compare it with = or !=',
    );
  }

  private binary({ op, ...e }: Extract<LitmusExpr, { kind: 'binary' }>): Expression {
    const left = this.expression(e.left);
    const right = this.expression(e.right);
    if (op !== '=' && op !== '!=') for (const part of [e.left, e.right]) this.checkNumber(part);
    if ((op === '/' || op === '%') && constantOf(right) === 0) {
      this.report(e.right.span, 'division by zero');
    }
    return { kind: 'binary', op, left, right };
  }

  /** Reports a node after `^` in an expression of the CPU. */
  private remoteOperand({ name, node, span }: RemoteRef): Expression {
    if (node.text === this.own) {
      const message = `'${name.text}' is on the thread's own node`;
      this.report(span, message, 'leave out the superscript');
    } else {
      const message = 'the CPU cannot compute with a remote location';
      this.report(span, message, 'get it into a local location first');
    }
    return { kind: 'int', value: 0 };
  }
}

/** A value that must be a word. If it is not one, the result divides by zero, so that the run has no meaning. */
function asWord(word: Expression): Expression {
  if (word.kind === 'int') return word;
  const int = (value: number): Expression => ({ kind: 'int', value });
  const [least, most] = [
    { kind: 'binary', op: '<=', left: int(0), right: word },
    { kind: 'binary', op: '<', left: word, right: int(WORD) },
  ] as const;
  const isWord = { kind: 'binary', op: '&&', left: least, right: most } as const;
  return { kind: 'binary', op: '/', left: word, right: isWord };
}

/** An instruction with the stamps of its statement's mark. */
function standing(made: Instruction, s: Statement): Instruction {
  if ((s.kind !== 'assign' && s.kind !== 'call') || s.stands === undefined) return made;
  return { ...made, stands: s.stands.map(({ text }) => text) };
}
