import { position } from '../parse/diagnostics/index.js';
import type { Span } from '../parse/diagnostics/index.js';
import type { LitmusExpr, Statement, UnknownCondition } from '../parse/litmus-ast.js';
import { isTrue, oppositeOf, truth } from './arithmetic.js';
import { int } from './calls.js';
import { DECIDED, KNOWN, decidedIn, positive } from './conditions.js';
import { keepCopies } from './copies.js';
import { Core, Refusal } from './core.js';
import { FORGOTTEN, ZEROED, heldIn } from './known.js';
import type { Typed, Value, Way } from './state.js';
import { copyOf, isSame } from './state.js';
import type { At } from './tree.js';

/** Where ways are followed one by one, and where each goes on. */
export interface Fork {
  readonly ways: readonly { readonly out: Statement[]; readonly length: number }[];
  readonly taken: number;
}

/** Where ways through the code part, leave, and meet again. */
export abstract class Ways extends Core {
  /** By block: the block that it stands in. */
  private readonly parents = new Map<Statement[], Statement[]>();
  /** Ways that have left and have not met others again. Those that have ended for good never do. */
  protected left = new Set<Way>();
  /** Where this run took one of several ways, in its order. */
  readonly forks: Fork[] = [];
  /** The block of the way that was taken last. */
  private root?: Statement[];
  /** The block of the way that this run is about: other runs follow what is not in it. */
  private base?: Statement[];
  /** The conditions that are decided at the beginning, and where each of them stands. */
  private readonly decided = decidedIn(this.following.findings);
  /** Where a condition came first. */
  private readonly firstAt = new Map<string, Span>();
  /** Whether something is only tried. */
  protected isTrial = false;

  /** Whether something holds as a condition, if that is known. */
  protected holds(found: Typed): boolean | undefined {
    const known = truth(found);
    const { value } = found;
    if (known !== undefined || value.kind !== 'path' || value.isNew) return known;
    const [text, isNegated] = positive(value.text);
    const before = this.state.values.get(`${KNOWN}${text}`);
    return before?.kind === 'int' ? (before.value !== 0) !== isNegated : undefined;
  }

  /** Both ways of a condition that is known when the program runs, or never. */
  branch(node: At, condition: Value, [yes, no]: readonly [() => void, () => void]): void {
    if (condition.kind === 'path') {
      this.assumeAny(`nobody knows ${condition.text}: both ways`, node);
      const [text, isNegated] = positive(condition.text);
      const { conditions } = this.around.work;
      conditions.set(text, (conditions.get(text) ?? 0) + 1);
      const unknown = { text, first: !isNegated, line: this.lineOf(node.startIndex) };
      if (condition.isNew) return this.choose(node, [yes, no], unknown);
      return this.byPath(unknown, node, [yes, no]);
    }
    if (condition.kind !== 'runtime') this.refuse(node, 'this has no value');
    this.ifElse(condition.expr, node, [yes, no]);
  }

  private ifElse(condition: LitmusExpr, node: At, ways: readonly (() => void)[]): void {
    const span = this.spanOf(node);
    this.part(node, ways, ([then, otherwise]) => {
      this.emit({ kind: 'if', condition, then, else: otherwise, span });
    });
  }

  /**
   * Both ways of a condition over what nobody knows, which is the same each time. Where ways have met that took it otherwise, and it comes
   * again, the next runs decide it at their beginning.
   */
  private byPath(
    unknown: UnknownCondition,
    node: At,
    [yes, no]: readonly [() => void, () => void],
  ): void {
    const { text, first } = unknown;
    const key = `${KNOWN}${text}`;
    const knowing = (is: boolean, way: () => void) => (): void => {
      this.state.values.set(key, int(is === first ? 1 : 0));
      way();
    };
    const ways = [knowing(true, yes), knowing(false, no)] as const;
    if (this.decided.has(text)) {
      const holds = this.refExpr(this.decisionOn(text), node);
      return this.ifElse(first ? holds : oppositeOf(isTrue(holds)), node, ways);
    }
    const span = this.firstAt.get(text) ?? this.spanOf(node);
    this.firstAt.set(text, span);
    const isForgotten = this.state.values.get(key)?.kind === 'nothing';
    if (isForgotten && !this.isTrial && this.gaps === undefined) {
      const shows = `${DECIDED}${span.start} ${span.end} ${text}`;
      throw new Refusal({ span, message: 'this condition was decided before' }, shows);
    }
    this.choose(node, ways, unknown);
  }

  /** Decides at the beginning what the thread comes to again and again. */
  protected decide(): void {
    for (const [text, node] of this.decided) {
      const [span, target] = [this.spanOf(node), this.refTo(this.decisionOn(text), node)];
      const branches = [1, 0].map((value): Statement[] => [
        { kind: 'assign', target, value: this.int(value, node), span },
      ]);
      const unknown = { text, first: true, line: this.lineOf(node.startIndex) };
      this.emit({ kind: 'choose', branches, unknown, span });
    }
  }

  private decisionOn(text: string): string {
    const name = /[A-Za-z_]\w*(?=[^A-Za-z_]*$)/.exec(text)?.[0] ?? 'condition';
    return this.following.names.of(`${KNOWN}${text}`, name);
  }

  private lineOf(start: number): number {
    return position(this.around.text, start).line;
  }

  /** One of several ways; of two, the first one where what nobody knows holds. */
  choose(node: At, ways: readonly (() => void)[], unknown?: UnknownCondition): void {
    const span = this.spanOf(node);
    this.part(node, ways, (branches) =>
      this.emit({ kind: 'choose', branches, ...(unknown && { unknown }), span }),
    );
  }

  private part(
    node: At,
    ways: readonly (() => void)[],
    write: (blocks: readonly Statement[][]) => void,
  ): void {
    const [before, outer] = [this.state, this.out];
    const taken = ways.map((way) => {
      const block = this.blockIn(outer);
      this.spend(before.values.size);
      this.state = copyOf(before);
      this.out = block;
      this.alive = true;
      this.upToTheEnd(way);
      return { block, alive: this.alive, out: this.out, state: this.state };
    });
    this.out = outer;
    write(taken.map(({ block }) => block));
    this.meet(
      taken.filter((way) => way.alive),
      node,
    );
  }

  protected blockIn(outer: Statement[]): Statement[] {
    const block: Statement[] = [];
    this.parents.set(block, outer);
    return block;
  }

  /** Leaves for another place, or for good. */
  protected leave(ways: Way[] | undefined, more: Pick<Way, 'value'> = {}): void {
    const way: Way = { out: this.out, state: this.state, ...more };
    ways?.push(way);
    this.left.add(way);
    this.alive = false;
  }

  endHere(): void {
    this.leave(undefined);
  }

  /** No run of the program goes on here. */
  protected never(node: At): void {
    const span = this.spanOf(node);
    this.emit({ kind: 'assume', condition: this.int(0, node), span });
    this.leave(undefined);
  }

  /**
   * Goes on where ways come together: behind one alone, right at its end, as the others have left; behind several, in the innermost
   * block that has all of them. What differs between them is in registers from there on. Where that cannot be, or would forget what has
   * to be known, this run takes one of them, and others take the rest.
   */
  protected meet(all: readonly Way[], node: At): void {
    for (const way of all) this.left.delete(way);
    const { base } = this;
    const ways = base === undefined ? all : all.filter(({ out }) => this.isInside(out, base));
    this.alive = ways.length > 0;
    if (ways.length === 0) return;
    if (ways.length > 1 && !this.join(ways, node)) return this.fork(ways, node);
    if (ways.length > 1) return;
    [{ out: this.out, state: this.state }] = ways;
    if (this.root !== undefined && !this.isInside(this.out, this.root)) this.root = this.out;
  }

  private fork(ways: readonly Way[], node: At): void {
    if (this.isTrial) this.refuse(node, 'ways part here');
    const { decisions } = this.following;
    const taken = decisions[this.forks.length] ?? 0;
    this.forks.push({ ways: ways.map(({ out }) => ({ out, length: out.length })), taken });
    const way = ways[taken];
    for (const one of ways) if (one !== way) this.left.add(one);
    this.root = way.out;
    if (taken > 0) this.base = way.out;
    [this.out, this.state] = [way.out, way.state];
  }

  /** Ends this run if it has forgotten something since so many times: the next ones do not. */
  protected mustNotForget(since: number, node: At): void {
    const { forgot, findings } = this.following;
    const shown = lastForgotten(forgot.slice(since), findings);
    if (shown === undefined) return;
    throw new Refusal(
      { span: this.spanOf(node), message: 'what is known here is forgotten' },
      shown,
    );
  }

  /** What was written on the way at hand since a place of a block around it. */
  protected wayFrom(block: Statement[], length: number): readonly Statement[] {
    const blocks = this.blocksAround(this.out);
    return blocks.slice(0, blocks.indexOf(block) + 1).flatMap((one) => {
      const made = one === block ? one.slice(length) : one;
      // The last statement of each but the innermost one is where this way parts from others.
      const last = made.at(-1);
      if (one === this.out || last === undefined) return made;
      const condition = last.kind === 'if' ? [{ ...last, then: [], else: [] }] : [];
      return [...made.slice(0, -1), ...condition];
    });
  }

  private blocksAround(block: Statement[]): readonly Statement[][] {
    const parent = this.parents.get(block);
    return parent === undefined ? [block] : [block, ...this.blocksAround(parent)];
  }

  private isInside(block: Statement[], outer: Statement[]): boolean {
    return this.blocksAround(block).includes(outer);
  }

  /** The innermost block that has both. */
  private commonBlock(a: Statement[], b: Statement[]): Statement[] {
    const all = new Set(this.blocksAround(b));
    return this.blocksAround(a).find((block) => all.has(block))!;
  }

  /** Goes on behind all of several ways, if that can be. */
  private join(ways: readonly Way[], node: At): boolean {
    const block = ways.reduce((out, way) => this.commonBlock(out, way.out), ways[0].out);
    if (this.root !== undefined && !this.isInside(block, this.root)) return false;
    // Those that have left would go on here with the others.
    if ([...this.left].some(({ out }) => this.isInside(out, block))) return false;
    const isAlike = (of: 'open' | 'building'): boolean =>
      ways.every(({ state }) => isSame([...state[of]], [...ways[0].state[of]]));
    if (!isAlike('open') || !isAlike('building')) return false;
    this.keepAllCopies(ways, node);
    const differing = differences(ways);
    const reached = differences(ways, 'last');
    const done = ways[0].state.done.filter((id) =>
      ways.every(({ state }) => state.done.some((one) => isSame(one, id))),
    );
    const isShort = ways.some(({ state }) => state.done.length > done.length);
    if (
      isShort ||
      reached.length > 0 ||
      differing.some(({ values }) => !values.every(isComputed))
    ) {
      if (this.isFound('ways apart', node)) return false;
      this.following.forgot.push(node.startIndex);
    }
    this.out = block;
    this.state = this.joined(ways, differing);
    this.state.done.splice(0, Infinity, ...done);
    for (const { key } of reached) this.state.last.set(key, { kind: 'nothing' });
    return true;
  }

  /** Where ways that meet differ, registers are written: what was copied from them stays. */
  private keepAllCopies(ways: readonly Way[], node: At): void {
    for (let isNew = true; isNew;) {
      isNew = false;
      for (const { key, values } of differences(ways)) {
        if (!values.every(isNumber)) continue;
        const register = this.registerOf(key);
        for (const way of ways) {
          const held = way.state.values.get(key);
          if (isRegister(held, register)) continue;
          isNew = keepCopies(this, register, key, way, node) || isNew;
        }
      }
    }
  }

  private joined(ways: readonly Way[], differing: readonly Difference[]): Way['state'] {
    const state = copyOf(ways[0].state);
    delete state.missed;
    const [first, ...others] = ways.map((way) => way.state.polls);
    state.polls = others.reduce(
      (a, b) => ({
        found: Math.max(a.found, b.found),
        received: Math.min(a.received, b.received),
        nothing: Math.max(a.nothing, b.nothing),
        hopeless: Math.max(a.hopeless, b.hopeless),
      }),
      first,
    );
    for (const { key, values } of differing) {
      if (key.startsWith(KNOWN)) {
        state.values.set(key, { kind: 'nothing' });
        continue;
      }
      if (!values.every(isNumber) || key.endsWith(ZEROED)) {
        state.values.set(key, FORGOTTEN);
        continue;
      }
      const register = this.registerOf(key);
      for (const [i, way] of ways.entries()) this.keep(register, values[i] as NumberValue, way);
      const expr = this.refExpr(register, NOWHERE);
      state.values.set(key, { kind: 'runtime', expr, reads: false });
    }
    return state;
  }

  /** At the end of a way, a register gets the value that it has there. */
  private keep(register: string, value: NumberValue, { out }: Way): void {
    const span = value.kind === 'runtime' ? value.expr.span : this.spanOf(NOWHERE);
    const at: At = { startIndex: span.start, endIndex: span.end };
    const expr = this.exprOf(value, at);
    if (isRegister(value, register)) return;
    out.push({ kind: 'assign', target: this.refTo(register, at), value: expr, span });
  }
}

/** What a run finds out that has forgotten something at some places: at the last one that no finding is about. */
export const lastForgotten = (
  forgot: readonly number[],
  findings: ReadonlySet<string>,
): string | undefined =>
  forgot.map((at) => `ways apart ${at}`).findLast((one) => !findings.has(one));

type NumberValue = Extract<Value, { kind: 'int' | 'runtime' }>;

const isNumber = (value: Value | undefined): boolean =>
  value?.kind === 'int' || value?.kind === 'runtime';

const isComputed = (value: Value | undefined): boolean => value?.kind === 'runtime';

const isRegister = (value: Value | undefined, register: string): boolean =>
  value?.kind === 'runtime' && value.expr.kind === 'ref' && value.expr.ref.name.text === register;

const NOWHERE: At = { startIndex: 0, endIndex: 0 };

/** What is known of something at the end of each of several ways, where that is not the same. */
interface Difference {
  readonly key: string;
  readonly values: readonly (Value | undefined)[];
}

function differences(
  ways: readonly Way[],
  of: 'values' | 'last' = 'values',
): readonly Difference[] {
  const keys = new Set(ways.flatMap(({ state }) => [...state[of].keys()]));
  return [...keys].flatMap((key) => {
    const values = ways.map(({ state }) =>
      of === 'values' ? heldIn(state.values, key) : state.last.get(key),
    );
    return values.every((one) => isSame(one, values[0])) ? [] : [{ key, values }];
  });
}
