import type { Diagnostic, Span } from '../parse/diagnostics/index.js';
import type { Ident, LitmusExpr, NameRef, Statement } from '../parse/litmus-ast.js';
import type { CCode } from './code.js';
import type { HeadThread } from './head.js';
import type { Place, State, Typed, Value, Way } from './state.js';
import { copyOf, emptyState, sameValue } from './state.js';
import type { CNode } from './tree.js';
import type { Type } from './types.js';

/** Where a queue pair leads, and what names it. */
export interface QueuePairEnd {
  readonly node: Ident;
  readonly name?: Ident;
  /** The text of its completion queue, if a binding says it. */
  readonly completions?: string;
}

/** What all threads of a file have in common. */
export interface Surroundings {
  readonly file: string;
  readonly code: CCode;
  /** By location: its node. Elements of arrays have names of their own. */
  readonly nodeOf: ReadonlyMap<string, string>;
  /** By location that is an array: of how many words. */
  readonly arrays: ReadonlyMap<string, number>;
  readonly nodes: readonly string[];
  readonly allSignalled: boolean;
  /** The names of a thread's variables that queries ask for. */
  observed(thread: string): ReadonlySet<string>;
}

/** What is left out of a program, or taken for granted, and where. */
export interface Remark {
  /** `assumed`: answers depend on it. `default`: the only thing that it can be. */
  readonly kind: 'left out' | 'default' | 'assumed';
  readonly text: string;
  readonly span: Span;
}

/** Something that the C does not say, and that the head has to: `raddr => ?`. */
export interface Gap {
  readonly kind: 'place' | 'queue pair' | 'call';
  readonly text: string;
  readonly span: Span;
}

/** What a function call is in: where its `return`s go, and the keys of its variables. */
export interface Frame {
  readonly id: number;
  readonly function: string;
  readonly scopes: Map<string, Local>[];
  readonly returns: Way[];
  /** Where `break` and `continue` go, of the loops around. */
  readonly loops: { readonly breaks: Way[]; readonly continues: Way[] }[];
}

/** A variable of a function: kept by a key, or memory. */
export type Local =
  | { readonly kind: 'variable'; readonly key: string; readonly type: Type }
  | (Place & { kind: 'word' });

/** A mistake that ends the reading of a thread. */
export class Refusal extends Error {
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message);
  }
}

/** More statements than this are too many: a program of that size is decided by nobody. */
const MOST = 5000;

/** Goes through a function, and writes down what it does. */
export abstract class Core {
  state: State = emptyState();
  out: Statement[] = [];
  /** Whether the statement at hand is reached on the way that is followed. */
  alive = true;
  readonly frames: Frame[] = [];
  readonly remarks: Remark[] = [];
  /** The registers of what `assert` says, and its text. */
  readonly asserted: { readonly name: Ident; readonly text: string }[] = [];
  /** What is missing, if that is what is asked for: then it does not end the reading. */
  gaps?: Gap[];
  private readonly registers = new Map<string, string>();
  private readonly taken = new Set<string>();
  /** How many polls are not known to wait, and the last one: they stand in no loop that goes on until one finds something. */
  unproven = 0;
  lastPoll?: CNode;
  /** Whether polls find nothing: a round of a loop is tried so. */
  findsNothing = false;
  private readonly places = new Set<string>();
  private written = 0;
  private frameCount = 0;

  constructor(
    readonly around: Surroundings,
    readonly thread: HeadThread,
  ) {
    for (const name of around.nodeOf.keys()) this.taken.add(name);
  }

  abstract evaluate(node: CNode): Typed;
  abstract placeOf(node: CNode): Place;
  abstract read(place: Place, node: CNode): Typed;
  abstract write(place: Place, value: Value, node: CNode): void;
  abstract execute(node: CNode): void;
  abstract pairOf(value: Value, node: CNode): { readonly text: string; readonly end: QueuePairEnd };
  abstract pairs(): ReadonlyMap<string, QueuePairEnd>;

  spanOf(node: Pick<CNode, 'startIndex' | 'endIndex'>): Span {
    return { file: this.around.file, start: node.startIndex, end: node.endIndex };
  }

  ident(text: string, node: CNode): Ident {
    return { text, span: this.spanOf(node) };
  }

  refuse(node: CNode, message: string, hint?: string): never {
    throw new Refusal({ span: this.spanOf(node), message, ...(hint !== undefined && { hint }) });
  }

  /** Notes that the head has to say something; without a list of gaps, that is a mistake. */
  missing(kind: Gap['kind'], text: string, node: CNode, message: string, hint: string): void {
    if (this.gaps === undefined) this.refuse(node, message, hint);
    if (this.gaps.some((one) => one.text === text && one.kind === kind)) return;
    this.gaps.push({ kind, text, span: this.spanOf(node) });
  }

  remark(kind: Remark['kind'], text: string, node: CNode): void {
    const span = this.spanOf(node);
    const isKnown = this.remarks.some((one) => one.text === text && one.span.start === span.start);
    if (!isKnown) this.remarks.push({ kind, text, span });
  }

  emit(statement: Statement): void {
    this.written += 1;
    if (this.written > MOST) {
      const message = `this function does more than ${MOST} things when its loops and calls are written out`;
      throw new Refusal({ span: statement.span, message });
    }
    this.out.push({ ...statement, span: this.ownSpan(statement.span) });
  }

  /**
   * Instructions are told apart by their places. What stands in a helper or a loop is written out several times: the later ones end
   * a character earlier each.
   */
  private ownSpan({ file, start, end }: Span): Span {
    let last = end;
    while (last > start && this.places.has(`${start} ${last}`)) last -= 1;
    this.places.add(`${start} ${last}`);
    return { file, start, end: last };
  }

  get frame(): Frame {
    return this.frames.at(-1)!;
  }

  enter(name: string): Frame {
    if (this.frames.length > 60 || this.frames.some((one) => one.function === name)) {
      throw new Error('recursion');
    }
    const frame = {
      id: this.frameCount++,
      function: name,
      scopes: [new Map()],
      returns: [],
      loops: [],
    };
    this.frames.push(frame);
    return frame;
  }

  find(name: string): Local | undefined {
    return this.frames.length === 0
      ? undefined
      : this.frame.scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  /** A name that no location, and nothing else of the thread, has. */
  fresh(base: string): string {
    const stem = base.replaceAll(/\W+/g, '_').replace(/^(\d)/, '_$1');
    let name = stem;
    for (let n = 2; this.taken.has(name); n++) name = `${stem}_${n}`;
    this.taken.add(name);
    return name;
  }

  take(name: string): void {
    this.taken.add(name);
  }

  /** The register that stands for a variable. */
  registerOf(key: string): string {
    const known = this.registers.get(key);
    if (known !== undefined) return known;
    const [, name] = /^\d+:([^#]*)/.exec(key) ?? [undefined, key];
    const made = this.fresh(name);
    this.registers.set(key, made);
    return made;
  }

  refTo(name: string, node: CNode, end?: QueuePairEnd): NameRef {
    const span = this.spanOf(node);
    return {
      name: { text: name, span },
      ...(end && { node: { ...end.node, span } }),
      ...(end?.name && { queuePair: { ...end.name, span } }),
      span,
    };
  }

  int(value: number, node: CNode): LitmusExpr {
    return { kind: 'int', value, span: this.spanOf(node) };
  }

  refExpr(name: string, node: CNode, end?: QueuePairEnd): LitmusExpr {
    const ref = this.refTo(name, node, end);
    return { kind: 'ref', ref, span: ref.span };
  }

  assign(name: string, value: LitmusExpr, node: CNode): void {
    this.emit({ kind: 'assign', target: this.refTo(name, node), value, span: this.spanOf(node) });
  }

  /** A value as an expression of the program. */
  exprOf(value: Value, node: CNode): LitmusExpr {
    if (value.kind === 'int') return this.int(value.value, node);
    if (value.kind === 'runtime') return value.expr;
    if (value.kind === 'path') {
      return this.refuse(
        node,
        `nothing says what the value of ${value.text} is`,
        'give it as an argument in the head: thread f(1) on …',
      );
    }
    return this.refuse(node, 'this is no number');
  }

  /** The same with nothing that is still to be read: it is in a register. */
  settled(value: Value, node: CNode, base = 'r'): Value {
    if (value.kind !== 'runtime' || !value.reads) return value;
    const name = this.fresh(base);
    this.assign(name, value.expr, node);
    return { kind: 'runtime', expr: this.refExpr(name, node), reads: false };
  }

  /** Both ways of a condition that is known when the program runs, or never. */
  branch(node: CNode, condition: Value, ways: readonly [() => void, () => void]): void {
    const [before, outer] = [this.state, this.out];
    const taken = ways.map((way) => {
      const block: Statement[] = [];
      this.state = copyOf(before);
      this.out = block;
      this.alive = true;
      way();
      return { block, alive: this.alive, out: this.out, state: this.state };
    });
    this.out = outer;
    const span = this.spanOf(node);
    const blocks = taken.map(({ block }) => block);
    if (condition.kind === 'runtime') {
      this.emit({ kind: 'if', condition: condition.expr, then: blocks[0], else: blocks[1], span });
    } else this.emit({ kind: 'choose', branches: blocks, span });
    this.goOn(
      taken.filter(({ alive }) => alive),
      outer,
    );
  }

  /** Goes on behind several ways; behind one alone, right at its end, as the others have left. */
  private goOn(ways: readonly Way[], outer: Statement[]): void {
    this.alive = ways.length > 0;
    if (ways.length === 0) return;
    if (ways.length === 1) {
      this.out = ways[0].out;
      this.state = ways[0].state;
      return;
    }
    this.join(ways, outer);
  }

  /** Where several ways come together, what differs is in registers. */
  join(ways: readonly Way[], outer: Statement[]): void {
    this.out = outer;
    this.alive = ways.length > 0;
    if (ways.length === 0) return;
    const [first, ...others] = ways;
    const state = copyOf(first.state);
    for (const [key, value] of first.state.values) {
      if (others.every((way) => sameValue(way.state.values.get(key), value))) continue;
      const all = ways.map((way) => way.state.values.get(key));
      if (!all.every((one) => one?.kind === 'int' || one?.kind === 'runtime')) {
        state.values.delete(key);
        continue;
      }
      const register = this.registerOf(key);
      const span = { file: this.around.file, start: 0, end: 0 };
      for (const [i, way] of ways.entries()) {
        const one = all[i] as Extract<Value, { kind: 'int' | 'runtime' }>;
        const at = one.kind === 'runtime' ? one.expr.span : span;
        const node = { startIndex: at.start, endIndex: at.end } as CNode;
        if (isRegister(one, register)) continue;
        way.out.push({
          kind: 'assign',
          target: this.refTo(register, node),
          value: this.exprOf(one, node),
          span: at,
        });
      }
      const node = { startIndex: 0, endIndex: 0 } as CNode;
      state.values.set(key, { kind: 'runtime', expr: this.refExpr(register, node), reads: false });
    }
    for (const [pair, open] of first.state.open) {
      if (others.every((way) => sameValue(way.state.open.get(pair) as never, open as never)))
        continue;
      state.open.set(pair, [...open, UNSURE]);
    }
    this.state = state;
  }
}

/** Which requests are open differs from here on. */
export const UNSURE = {
  signalled: true,
  id: { kind: 'nothing' },
  opcode: -1,
  isReceive: false,
} as const;

const isRegister = (value: Value, name: string): boolean =>
  value.kind === 'runtime' && value.expr.kind === 'ref' && value.expr.ref.name.text === name;
