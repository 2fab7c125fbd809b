import type { Span } from '../parse/diagnostics/index.js';
import { didYouMean } from '../parse/diagnostics/index.js';
import type { Expr, Ident, Statement, ThreadDecl } from '../parse/litmus-ast.js';
import { locationsOf } from './accessed.js';
import { constantOf } from './arithmetic.js';
import type { Expression, Instruction, LocationId, Thread } from './program.js';
import type { Report, Scope } from './scope.js';
import { checkInteger, checkNode, statements } from './scope.js';
import type { RemoteRef } from './thread-names.js';
import { ThreadNames, isRemoteRef } from './thread-names.js';

/**
 * Resolves one thread: which assignments are CPU writes, gets and puts, which names are registers, and
 * that everything lives where it is said to live (the semantics page, "Programs").
 * Mistakes are reported. With mistakes, the thread that comes back is good for further checks only. A wait
 * that waits for nothing gets a warning.
 *
 * @param scope gets the private locations of the thread
 * @param index the thread's, in the program
 */
export function resolveThread(
  scope: Scope,
  thread: ThreadDecl,
  index: number,
  report: Report,
  warn: Report,
): Thread {
  return new ThreadResolver(scope, thread, index, report, warn).resolve();
}

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

class ThreadResolver {
  /** The thread's node. */
  private readonly own: string;
  private readonly names: ThreadNames;
  /** The work identifiers of the thread's operations. */
  private readonly works: ReadonlySet<string>;

  constructor(
    private readonly scope: Scope,
    private readonly thread: ThreadDecl,
    index: number,
    private readonly report: Report,
    private readonly warn: Report,
  ) {
    this.own = thread.node.text;
    this.names = new ThreadNames(scope, thread, index, report);
    this.works = workIdentifiers(thread);
  }

  resolve(): Thread {
    const { name, body, span } = this.thread;
    const { registers } = this.names;
    return { name: name.text, node: this.own, registers, body: this.block(body), span };
  }

  // Instructions.

  private block(body: readonly Statement[]): readonly Instruction[] {
    return body.flatMap((s) => this.instruction(s) ?? []);
  }

  /** Undefined for a `skip`, and for what cannot be resolved. */
  private instruction(s: Statement): Instruction | undefined {
    const { span } = s;
    switch (s.kind) {
      case 'skip':
        return undefined;
      case 'assign':
        return this.assign(s);
      case 'cas':
        return this.compareAndSwap(s);
      case 'mfence':
        return { kind: 'mfence', span };
      case 'poll':
        return { kind: 'poll', node: this.otherNode(s.node, 'a poll'), span };
      case 'rfence':
        return { kind: 'rfence', node: this.otherNode(s.node, 'an rfence'), span };
      case 'wait':
        return this.wait(s);
      case 'assume':
        return { kind: 'assume', condition: this.expression(s.condition), span };
      case 'if':
        return this.conditional(s);
      case 'while':
      case 'loop':
        return this.loop(s);
      case 'choose':
        return { kind: 'choose', branches: s.branches.map((b) => this.block(b)), span };
    }
  }

  /** A superscript on the left makes a put, one on the right a get; without any, the CPU writes. */
  private assign(s: Of<'assign'>): Instruction {
    const { target, value, work, span } = s;
    if (isRemoteRef(target)) return this.put(s, target);
    if (value.kind === 'ref' && isRemoteRef(value.ref)) return this.get(s, value.ref);
    if (work !== undefined) this.report(work.span, 'only gets and puts have work identifiers');
    const to = this.names.target(target);
    return { kind: 'assign', target: to, value: this.expression(value), span };
  }

  private put({ value, work, span }: Of<'assign'>, target: RemoteRef): Instruction {
    if (target.node.text === this.own) {
      const hint = `write ${target.name.text} := … by the CPU`;
      this.report(target.span, `a put to the own node ${this.own}`, hint);
    }
    const to = this.names.remote(target);
    const from = this.putSource(value);
    return { kind: 'put', from, to, node: target.node.text, work: work?.text, span };
  }

  private get({ target, work, span }: Of<'assign'>, source: RemoteRef): Instruction {
    if (source.node.text === this.own) {
      const hint = `write ${target.name.text} := ${source.name.text}`;
      this.report(source.span, `a get from the own node ${this.own}`, hint);
    }
    const from = this.names.remote(source);
    const to = this.names.local(target) ?? 0;
    return { kind: 'get', from, to, node: source.node.text, work: work?.text, span };
  }

  private compareAndSwap({ target, location, span, ...s }: Of<'cas'>): Instruction | undefined {
    if (isRemoteRef(location) && location.node.text !== this.own) {
      this.report(location.span, 'there is no remote CAS in these models');
      return undefined;
    }
    if (isRemoteRef(target)) {
      this.report(target.span, 'the result of a CAS goes to the own node');
      return undefined;
    }
    const at = this.names.local(location);
    if (at === undefined) {
      const name = location.name.text;
      const hint = didYouMean(name, this.scope.declared.keys());
      this.report(location.span, `unknown location '${name}'`, hint);
    }
    const expected = this.casValue(s.expected);
    const desired = this.casValue(s.desired);
    const to = this.names.target(target);
    return { kind: 'cas', target: to, location: at ?? 0, expected, desired, span };
  }

  private wait({ work, span }: Of<'wait'>): Instruction {
    if (!this.works.has(work.text)) {
      const none = `no operation of ${this.thread.name.text} has the identifier '${work.text}'`;
      const hint = didYouMean(work.text, this.works);
      this.warn(work.span, `${none}: this wait orders nothing`, hint);
    }
    return { kind: 'wait', work: work.text, span };
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

  /** A node that an instruction is about; it must not be the own one. */
  private otherNode(node: Ident, what: string): string {
    if (checkNode(this.scope, node, this.report) && node.text === this.own) {
      this.report(node.span, `${what} towards the own node ${this.own}`);
    }
    return node.text;
  }

  /** The location that a put reads. */
  private putSource(value: Expr): LocationId {
    if (value.kind === 'ref' && !isRemoteRef(value.ref)) return this.names.local(value.ref) ?? 0;
    const constant = value.kind === 'ref' ? undefined : constantOf(this.expression(value));
    if (constant !== undefined) return this.names.constant(constant);
    const message = 'a put copies one location of the own node, or a constant';
    this.report(value.span, message, 'compute the value into a location first');
    return 0;
  }

  /** One of the two values of a CAS: no location may occur in them (TSO paper, Fig. 23). */
  private casValue(e: Expr): Expression {
    const resolved = this.expression(e);
    if (locationsOf(resolved).length > 0) {
      this.report(e.span, 'a value of CAS may name registers only', 'read the location before');
    }
    return resolved;
  }

  private expression(e: Expr): Expression {
    switch (e.kind) {
      case 'int':
        checkInteger(e.value, e.span, this.report);
        return { kind: 'int', value: e.value };
      case 'unary':
        return { kind: 'unary', op: e.op, arg: this.expression(e.arg) };
      case 'binary':
        return this.binary(e);
      case 'ref':
        return isRemoteRef(e.ref) ? this.remoteOperand(e.ref) : this.names.source(e.ref);
    }
  }

  private binary({ op, ...e }: Extract<Expr, { kind: 'binary' }>): Expression {
    const left = this.expression(e.left);
    const right = this.expression(e.right);
    if ((op === '/' || op === '%') && constantOf(right) === 0) {
      this.report(e.right.span, 'division by zero');
    }
    return { kind: 'binary', op, left, right };
  }

  /** Reports a superscript where the CPU computes. */
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

function workIdentifiers(thread: ThreadDecl): ReadonlySet<string> {
  const works = new Set<string>();
  for (const s of statements(thread.body)) {
    if (s.kind === 'assign' && s.work !== undefined) works.add(s.work.text);
  }
  return works;
}
