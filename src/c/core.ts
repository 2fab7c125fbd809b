import type {
  QueuePairEnd,
  QueuePair,
  Surroundings,
  Finding,
  Following,
  Remark,
  Gap,
} from './around.js';
import type { Diagnostic, Span } from '../parse/diagnostics/index.js';
import type { Ident, LitmusExpr, NameRef, Statement } from '../parse/litmus-ast.js';
import { givenInHead, thingsIn } from './given.js';
import type { Frame, Local } from './frames.js';
import type { HeadThread } from './head.js';
import { TOO_LARGE } from './numbers.js';
import type { Range } from './ranges.js';
import type { Place, Region, State, Typed, Value, Way } from './state.js';
import { emptyState, forgetFrame } from './state.js';
import type { At, CNode } from './tree.js';
import type { Type } from './types.js';

/** The way at hand has ended inside of an expression, as at a call that never returns. */
export class Gone extends Error {}

/** A mistake that ends the reading of a thread, unless what it shows of a place helps. */
export class Refusal extends Error {
  constructor(
    readonly diagnostic: Diagnostic,
    readonly shows?: string,
  ) {
    super(diagnostic.message);
  }
}

/** A file takes more work than is left for it. */
export class Exhausted extends Refusal {}

/** More statements than this are too many: a program of that size is decided by nobody. */
const MOST = 5000;

/** Ways that part so often at one thing are too many because of it. */
const MANY = 100;

/** Goes through a function, and writes down what it does. */
export abstract class Core {
  state: State = emptyState();
  out: Statement[] = [];
  /** Whether the statement at hand is reached on the way that is followed. */
  alive = true;
  readonly frames: Frame[] = [];
  /** The completion queues that were polled, by their texts. */
  readonly polledQueues = new Set<string>();
  /** The words that stand for no memory (`nowhere`), and the node of each. */
  readonly nowheres = new Map<string, string>();
  /** By location: where it is registered with relaxed ordering. */
  readonly registered = new Map<string, Span>();
  /** What was written that is no memory, by its first name. */
  readonly changed = new Set<string>();
  /** The registers of what `assert` says, and its text. */
  readonly asserted: { readonly name: Ident; readonly text: string }[] = [];
  private readonly unnamed = new Map<string, number>();
  /** How many polls are not known to wait, and the last one: they stand in no loop that goes on until one finds something. */
  unproven = 0;
  lastPoll?: CNode;
  /** Whether polls find nothing: a round of a loop is tried so. */
  findsNothing = false;
  private written = 0;
  private frameCount = 0;

  constructor(
    readonly around: Surroundings,
    readonly thread: HeadThread,
    readonly following: Following,
  ) {}

  get gaps(): Gap[] | undefined {
    return this.following.gaps;
  }

  isFound(finding: Finding, { startIndex }: At): boolean {
    return this.following.findings.has(`${finding} ${startIndex}`);
  }

  /** Ends this run, as what a pointer leads to must be memory. */
  isMemory(key: string, node: At, message: string): never {
    const [, name, at] = /^(?:\d+|heap \w+):(.*?)#(\d+)/.exec(key) ?? [];
    if (name === undefined) this.refuse(node, message);
    const shows = `memory ${name} ${at}`;
    const isKnown = this.following.findings.has(shows);
    const diagnostic = { span: this.spanOf(node), message };
    throw new Refusal(diagnostic, isKnown ? undefined : shows);
  }

  /** Ends this run; the next ones know what is found out. */
  finds(finding: Finding, node: At, message: string, hint?: string): never {
    const shows = `${finding} ${node.startIndex}`;
    const diagnostic = { span: this.spanOf(node), message, ...(hint !== undefined && { hint }) };
    throw new Refusal(diagnostic, this.isFound(finding, node) ? undefined : shows);
  }

  abstract evaluate(node: CNode): Typed;
  abstract placeOf(node: CNode): Place;
  abstract member(place: Place, name: string, node: CNode): Place;
  abstract behind(pointer: Typed, node: CNode): Place;
  abstract containing(pointer: Typed, type: CNode, member: string, node: CNode): Typed;
  abstract read(place: Place, node: CNode): Typed;
  abstract write(place: Place, value: Value, node: At): void;
  abstract asType(given: Value, type: Type): Value;
  /** A value as a place of a type has it. */
  abstract fitted(given: Value, type: Type, node: At): Value;
  abstract wordIn(place: Place & { kind: 'word' }, node: At): string;
  abstract combined(operator: string, left: Typed, right: Typed, node: CNode): Typed;
  abstract choose(node: At, ways: readonly (() => void)[]): void;
  abstract execute(node: CNode): void;
  abstract keyOf(place: Place): string | undefined;
  abstract partAt(key: string): Value | undefined;
  abstract mustBeKnown(value: Value | undefined, node: At): void;
  abstract zero(key: string): void;
  abstract wordsIn(region: Region, offset: number, length: number, node: At): Region['places'];
  /** A queue pair; `context`: of those of a context that has its own. */
  abstract pairOf(value: Value, node: CNode, context?: string): QueuePair;
  /** Ends the reading if the head says of a region that it is where a queue pair does not lead. */
  abstract isElsewhere(region: Region, end: QueuePairEnd): void;
  /** A queue pair of its own to the same node. */
  abstract anotherPair(pair: QueuePair): QueuePair;
  /** A word of the thread's private memory. */
  abstract ownWord(key: string, name: string): Place & { kind: 'word' };
  /** Words of the thread's private memory, for a type. */
  abstract ownWords(key: string, name: string, type: Type): Place & { kind: 'word' };
  /** The way at hand ends for good. */
  abstract endHere(): void;
  /** Whether a binding of the head begins with a name. */
  abstract isInHead(name: string): boolean;
  /** Whether the head says where something leads. */
  abstract isPlaced(text: string): boolean;
  abstract pairs(): ReadonlyMap<string, QueuePairEnd>;

  /** Where the text is used that is read: that of a macro, or of an argument in the head, has no places in the code. */
  private usedAt?: At;

  /** Notes work that is done. */
  protected spend(amount = 1): void {
    const { work } = this.around;
    work.left -= amount;
    if (work.left >= 0) return;
    const { span, text } = this.thread.function;
    const message = `${text} has too many ways to follow, or too much on them`;
    throw new Exhausted({ span, message, hint: this.fewerWays() });
  }

  /** What has fewer ways: a number that is known, where they part most, or a smaller bound. */
  private fewerWays(): string {
    const counts = new Map<string, number>();
    for (const [condition, count] of this.around.work.conditions) {
      for (const one of thingsIn(condition)) counts.set(one, (counts.get(one) ?? 0) + count);
    }
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    const hint = most && most[1] >= MANY ? this.givenFor(most[0]) : undefined;
    if (hint !== undefined) return `ways part most at ${most[0]}: ${hint}`;
    const { bound } = this.around;
    const isOpen = [...this.following.findings].some((one) => one.startsWith('open loop'));
    return isOpen && bound > 1
      ? `loops go round up to ${bound} times: write a smaller bound into the head, as bound ${bound - 1}`
      : 'say in the head what a function does that does not matter here: call f(…) = nothing';
  }

  /** Does something that may end the way at hand. */
  protected upToTheEnd(what: () => void): void {
    const { length } = this.frames;
    const [blocks, scopes] = [this.frame.blocks, this.frame.scopes.length];
    try {
      what();
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      // It may end in a call, and in a block of an expression.
      while (this.frames.length > length) this.leaveFrame();
      this.frame.blocks = blocks;
      this.frame.scopes.length = scopes;
    }
  }

  spanOf(node: At): Span {
    const { startIndex, endIndex } = this.usedAt ?? node;
    return { file: this.around.file, start: startIndex, end: endIndex };
  }

  /** Reads other text as if it stood at a place. */
  usingAt<Found>(place: At, read: () => Found): Found {
    const before = this.usedAt;
    this.usedAt ??= place;
    try {
      return read();
    } finally {
      this.usedAt = before;
    }
  }

  ident(text: string, node: At): Ident {
    return { text, span: this.spanOf(node) };
  }

  refuse(node: At, message: string, hint?: string): never {
    throw new Refusal({ span: this.spanOf(node), message, ...(hint !== undefined && { hint }) });
  }

  /** Notes that the head has to say something; without a list of gaps, that is a mistake. */
  missing(
    kind: Gap['kind'],
    text: string,
    node: At,
    message: string,
    hint: string,
    { offset = 0, choices = [] }: { offset?: number; choices?: readonly string[] } = {},
  ): void {
    const { gaps } = this;
    if (gaps === undefined) this.refuse(node, message, hint);
    const at = gaps.findIndex((one) => one.text === text && one.kind === kind);
    const { span = this.spanOf(node), offsets = [] } = gaps[at] ?? {};
    const from = this.frames[1]?.from;
    const gap = {
      ...{ kind, text, span, offsets: [...new Set([...offsets, offset])], choices },
      call: at < 0 ? from && this.spanOf(from) : gaps[at].call,
    };
    gaps.splice(at < 0 ? gaps.length : at, 1, gap);
  }

  remark(kind: Remark['kind'], text: string, node: At, more: Pick<Remark, 'onlyIf'> = {}): void {
    const span = this.spanOf(node);
    const { remarks } = this.following;
    const isKnown = remarks.some((one) => one.text === text && one.span.start === span.start);
    if (!isKnown) remarks.push({ kind, text, span, ...more });
  }

  /** What answers take for granted, unless all that an expression may be is between some numbers. */
  promise(expr: LitmusExpr, range: Range, text: string, node: At): void {
    const span = this.spanOf(node);
    this.following.promised.push({ expr, range, remark: { kind: 'assumed', text, span } });
  }

  /** Both ways of a choice are taken. */
  assumeAny(text: string, node: At): void {
    this.remark('assumed', text, node, { onlyIf: 'choice' });
  }

  emit(statement: Statement): void {
    this.written += 1;
    if (this.written > MOST) {
      const message = `this function does more than ${MOST} things when its loops and calls are written out`;
      throw new Refusal({ span: statement.span, message });
    }
    // What ways do is written down on each of them.
    if (statement.kind !== 'if' && statement.kind !== 'choose') this.state.steps += 1;
    this.out.push(statement);
  }

  /** A word of a node that is there for requests without data: they say of a write or of a message only that it came. */
  nowhere(node: string, kind: 'write' | 'send'): string {
    const name = this.around.emptyName(node, kind);
    this.nowheres.set(name, node);
    return name;
  }

  get frame(): Frame {
    return this.frames.at(-1)!;
  }

  enter(name: string, from: At): Frame {
    // The thread's own function has the first number, whatever is called before it.
    const isOwn = this.frames.length === 0 && name === this.thread.function.text;
    const frame = {
      id: isOwn ? 0 : ++this.frameCount,
      ...{ function: name, from },
      scopes: [new Map()],
      returns: [],
      loops: [],
      jumps: new Map<string, Way[]>(),
      passed: new Map<string, number>(),
      made: new Map<string, number>(),
      blocks: 0,
    };
    this.frames.push(frame);
    return frame;
  }

  /** Leaves the innermost call: its variables are no more. */
  leaveFrame(): void {
    const { id } = this.frames.pop()!;
    forgetFrame(this.state, id);
  }

  find(name: string): Local | undefined {
    return this.frames.length === 0
      ? undefined
      : this.frame.scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  /** A name for a value that C has no name for. */
  fresh(kind: string): string {
    const n = (this.unnamed.get(kind) ?? 0) + 1;
    this.unnamed.set(kind, n);
    return this.following.names.unnamed(kind, n);
  }

  /** What was kept for a moment, as by each of several ways. */
  taken(key: string): Value | undefined {
    const found = this.state.values.get(key);
    this.state.values.delete(key);
    return found;
  }

  /** The key of a value that an expression makes. Macros may make several at one place, which a statement uses together. */
  keyAt(kind: string, node: At, of = `${this.frame.id}`): string {
    const { made } = this.frame;
    const place = `${of}:${kind}#${this.spanOf(node).start}/${node.startIndex}`;
    const count = made.get(place) ?? 0;
    made.set(place, count + 1);
    return count === 0 ? place : `${place}/${count}`;
  }

  /** The register that stands for a variable. */
  registerOf(key: string): string {
    const [, name] = /^[^:]*:([^#]*)/.exec(key) ?? [undefined, key];
    return this.following.names.of(`register ${key}`, name, this.isObserved(key));
  }

  /** Does a query ask for a variable of the thread's own function? */
  protected isObserved(key: string): boolean {
    const [, frame, name] = /^(\d+):([^#.[]*)/.exec(key) ?? [];
    return frame === '0' && this.around.observed(this.thread.name.text).has(name);
  }

  refTo(name: string, node: At, end?: QueuePairEnd): NameRef {
    const span = this.spanOf(node);
    return {
      name: { text: name, span },
      ...(end && { node: { ...end.node, span } }),
      ...(end?.name && { queuePair: { ...end.name, span } }),
      span,
    };
  }

  int(value: number, node: At): LitmusExpr {
    return { kind: 'int', value, span: this.spanOf(node) };
  }

  refExpr(name: string, node: At, end?: QueuePairEnd): LitmusExpr {
    const ref = this.refTo(name, node, end);
    return { kind: 'ref', ref, span: ref.span };
  }

  assign(name: string, value: LitmusExpr, node: At): void {
    this.emit({ kind: 'assign', target: this.refTo(name, node), value, span: this.spanOf(node) });
  }

  /** A value as an expression of the program. */
  exprOf(value: Value, node: At): LitmusExpr {
    if (value.kind === 'int') return this.int(value.value, node);
    if (value.kind === 'runtime') return value.expr;
    if (value.kind === 'path') {
      const message = `nothing says what the value of ${value.text} is`;
      return this.refuse(node, message, this.givenFor(value.text));
    }
    if (value.kind === 'large') return this.refuse(node, TOO_LARGE);
    return this.refuse(node, 'this is no number');
  }

  /** How the head can say what the numbers of an expression are. */
  givenFor(text: string, numbers = thingsIn(text)): string | undefined {
    return givenInHead(this.thread, this.around.code, numbers);
  }

  /** The head does not say where an address leads. */
  unplaced(path: string, node: At): void {
    // The place is that of the pointer that a constant is added to.
    const [, whole, bytes = 0] = /^(.*?)(?: \+ (\d+))?$/s.exec(path)!;
    const [, text = whole, index = 0] = /^&(.*)\[(\d+)\]$/s.exec(whole) ?? [];
    const offset = Number(bytes) + 8 * Number(index);
    if (/ [-+*/%&|^<>]+ /.test(text)) return this.unknownSum(text, node);
    const hint = `give it a place in the head of ${this.thread.name.text}: ${text} => …`;
    this.missing('place', text, node, `nothing says where ${text} leads`, hint, { offset });
  }

  /** No line of a head can say where a sum leads: what it is made of has to be known. */
  private unknownSum(text: string, node: At): void {
    if (this.gaps !== undefined) return;
    const things = thingsIn(text);
    const numbers = things.filter((one) => !this.isPlaced(one));
    // What comes first is where the others are added to.
    const added = numbers.length === things.length ? numbers.slice(1) : numbers;
    const message = `an address must be a place and a constant, which this is not: ${text}`;
    this.refuse(node, message, this.givenFor(text, added));
  }

  /** The same with nothing that is still to be read: it is in a register. */
  settled(value: Value, node: At, base = 'r'): Value {
    if (value.kind !== 'runtime' || !value.reads) return value;
    const name = this.fresh(base);
    this.assign(name, value.expr, node);
    return { kind: 'runtime', expr: this.refExpr(name, node), reads: false };
  }
}
