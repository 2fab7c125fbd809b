import { leavesIn } from '../parse/fold.js';
import type { LitmusExpr, Statement } from '../parse/litmus-ast.js';
import { oppositeOf } from './arithmetic.js';
import { Refusal } from './core.js';
import type { State, Typed, Value, Way } from './state.js';
import { NEVER_RETURNS, copyOf, isSame } from './state.js';
import type { LoopParts } from './statements.js';
import { Executing } from './statements.js';
import type { CNode } from './tree.js';

/** A loop that is written out goes round so often at most. */
const ROUNDS = 1000;

/** One that counts rounds in which its polls find nothing. */
const MOST_IDLE = 64;

/** How a round ended. */
interface Round {
  /** Whether the loop goes on, if that is known. */
  readonly goesOn: boolean | undefined;
  /** The condition, if the program computes it. */
  readonly condition?: Value;
  readonly breaks: readonly Way[];
  /** The body stands behind the condition, and does something. */
  readonly isBusy?: boolean;
  /** Whether nobody knew that there is another round. */
  readonly isUnsure?: boolean;
}

/**
 * Loops. One whose conditions are known is written out. One that only reads until something holds waits: what it read in its last
 * round, it reads once. Any other one is written out for as many rounds as the file has as its bound.
 */
export abstract class Looping extends Executing {
  protected loop(node: CNode, parts: LoopParts): void {
    const breaks: Way[] = [];
    if (this.isFound('open loop', node)) this.openLoop(node, parts, breaks);
    else this.closedLoop(node, parts, breaks);
    this.gather(breaks, node);
  }

  /** A loop of known length, or one that waits. */
  private closedLoop(node: CNode, parts: LoopParts, breaks: Way[]): void {
    const idle = { rounds: 0 };
    for (let round = 0, goesOn = true; this.alive && goesOn; round++) {
      this.notTooOften(round, node);
      const [state, unproven] = [copyOf(this.state), this.unproven];
      const start = { out: this.out, length: this.out.length };
      const done = this.round(parts, node);
      this.mustWait(parts, state, unproven, node);
      goesOn = done.goesOn === true;
      if (done.goesOn === undefined) {
        // What is missing in the head may be what the loop waits for.
        if (this.gaps !== undefined) continue;
        if (!this.isWait(node, parts, done, start)) this.isOfUnknownLength(node);
        this.wait(done, start, node);
      } else if (this.leavesByCondition(done, start) && this.isWait(node, parts, done, start)) {
        this.wait(done, start, node);
        goesOn = false;
      } else {
        if (done.breaks.length > 0 && isEndless(parts)) this.isOfUnknownLength(node);
        breaks.push(...done.breaks);
        if (this.alive && goesOn) this.mustMove(parts, state, start, idle, node);
      }
    }
  }

  /** A loop of unknown length: after each round that may be the last one, another way goes on behind it. */
  private openLoop(node: CNode, parts: LoopParts, breaks: Way[]): void {
    const idle = { rounds: 0 };
    // Whatever its condition is, a round of `do` comes before it.
    const unsure = { rounds: parts.after === undefined ? 0 : 1 };
    for (let round = 0, goesOn = true; this.alive && goesOn; round++) {
      this.notTooOften(round, node);
      const [state, unproven] = [copyOf(this.state), this.unproven];
      const start = { out: this.out, length: this.out.length };
      const { before, after, update, body } = parts;
      goesOn = before === undefined || this.isAnother(before, breaks, unsure, node);
      if (!goesOn) break;
      const left = this.body(body, update, node);
      if (left.length > 0 && isEndless(parts)) {
        unsure.rounds += 1;
        if (this.alive && unsure.rounds === this.around.bound) this.cut(node);
      }
      breaks.push(...left);
      goesOn = after === undefined || this.isAnother(after, breaks, unsure, node);
      this.mustWait(parts, state, unproven, node);
      if (this.alive && goesOn) this.mustMove(parts, state, start, idle, node);
    }
  }

  private notTooOften(round: number, node: CNode): void {
    if (round === ROUNDS) this.refuse(node, `this loop goes round more than ${ROUNDS} times`);
  }

  private isOfUnknownLength(node: CNode): never {
    return this.finds('open loop', node, 'how often this loop goes round is not known');
  }

  /** Whether there is another round of a loop; if nobody knows, the way that leaves it is one of the breaks. */
  private isAnother(
    condition: CNode,
    breaks: Way[],
    unsure: { rounds: number },
    node: CNode,
  ): boolean {
    const found = this.conditionOf(condition);
    if (found === undefined) return false;
    const known = this.holds(found);
    if (known !== undefined) return known;
    const { value } = found;
    if (unsure.rounds === this.around.bound) {
      this.atMost(node);
      if (value.kind === 'runtime') {
        const over = oppositeOf(value.expr);
        this.emit({ kind: 'assume', condition: over, span: this.spanOf(condition) });
      }
      return false;
    }
    if (value.kind === 'path') {
      this.remark('assumed', `nobody knows ${value.text}: both ways`, condition);
    }
    unsure.rounds += 1;
    this.branch(condition, value, [() => undefined, () => this.leave(breaks)]);
    return this.alive;
  }

  /** What a condition is; nothing, if the way at hand ends in it. */
  private conditionOf(node: CNode): Typed | undefined {
    let found: Typed | undefined;
    this.upToTheEnd(() => {
      found = this.evaluate(node);
    });
    return this.alive ? found : undefined;
  }

  private atMost(node: CNode, bound = this.around.bound): void {
    this.remark('assumed', `this loop goes round at most ${bound} times`, node);
  }

  /** Runs with more rounds than this are not followed. */
  private cut(node: CNode, most?: number): void {
    this.atMost(node, most);
    this.never(node);
  }

  /**
   * A round in which polls found nothing, and that comes back to where it began, is as if it had not been: that way is left. If it does
   * something, there is a bound on how often.
   */
  private mustMove(
    parts: LoopParts,
    before: State,
    { out, length }: Start,
    idle: { rounds: number },
    node: CNode,
  ): void {
    const { found, nothing, hopeless } = this.state.polls;
    const isIdle = nothing > before.polls.nothing && found === before.polls.found;
    if (isIdle) {
      if (this.waitsFrom(parts, before, node)) {
        if (hopeless > before.polls.hopeless) {
          const at = this.lastPoll ?? node;
          if (this.forks.length === 0) this.refuse(at, NEVER_RETURNS);
          this.remark('assumed', 'runs that wait here for ever are left out', at);
        }
        return this.never(node);
      }
      idle.rounds += 1;
      // A loop that counts its rounds ends by itself.
      const most = isSameState(before, this.state) ? this.around.bound : MOST_IDLE;
      if (idle.rounds >= most) this.cut(node, most);
      return;
    }
    const isStill = this.out === out && out.length === length && isSameState(before, this.state);
    if (isStill && this.gaps === undefined) this.refuse(node, 'this loop never ends');
  }

  /** Goes through a loop once, from its condition to before the next one. */
  private round({ before, after, update, body }: LoopParts, node: CNode): Round {
    if (before !== undefined) {
      const found = this.conditionOf(before);
      if (found === undefined) return { goesOn: false, breaks: [] };
      const known = this.holds(found);
      if (known === false) return { goesOn: false, breaks: [] };
      // What is behind it is done as if it held, to see what that is.
      if (known === undefined) {
        const [state, out, length] = [copyOf(this.state), this.out, this.out.length];
        const breaks = this.body(body, update, node);
        const isBusy = !this.alive || out.length > length || !isSameState(state, this.state);
        return { goesOn: undefined, condition: found.value, breaks, isBusy };
      }
    }
    const breaks = this.body(body, update, node);
    if (!this.alive || after === undefined) return { goesOn: this.alive, breaks };
    const found = this.conditionOf(after);
    if (found === undefined) return { goesOn: false, breaks };
    const known = this.holds(found);
    return { goesOn: known, ...(known === undefined && { condition: found.value }), breaks };
  }

  /** The body, and what is done between rounds. The ways that break out. */
  private body(body: CNode, update: CNode | undefined, node: CNode): readonly Way[] {
    const loop = { breaks: [] as Way[], continues: [] as Way[] };
    this.frame.loops.push(loop);
    this.execute(body);
    this.frame.loops.pop();
    if (loop.continues.length > 0) this.gather(loop.continues, node);
    if (this.alive && update !== undefined) this.conditionOf(update);
    return loop.breaks;
  }

  /** A round that ends with a condition under which it breaks out: `for (;;) { if (*p) break; }`. */
  private leavesByCondition({ breaks }: Round, { out, length }: Start): boolean {
    if (!this.alive || breaks.length !== 1) return false;
    const last = out.slice(length).at(-1);
    if (last?.kind !== 'if' || last.then !== breaks[0].out) return false;
    return last.then.length === 0 && last.else.length === 0;
  }

  /**
   * Does a loop only read? Then each round does the same, whatever was done before, so that the last one alone counts: the program
   * reads what that reads, and what it waits for holds.
   */
  private isWait(node: CNode, parts: LoopParts, done: Round, { out, length }: Start): boolean {
    const made = out.slice(length);
    const isBreak = done.goesOn === true;
    return (
      done.isBusy !== true &&
      done.breaks.length === (isBreak ? 1 : 0) &&
      this.isQuiet(isBreak ? made.slice(0, -1) : made) &&
      this.repeats(node, parts, made, done.condition)
    );
  }

  /** Reads once, and goes on where what it waits for holds. */
  private wait({ goesOn, condition, breaks }: Round, { out }: Start, node: CNode): void {
    let waited: LitmusExpr;
    if (goesOn === true) {
      waited = lastCondition(out);
      out.pop();
      this.left.delete(breaks[0]);
      this.state = breaks[0].state;
    } else waited = oppositeOf((condition as Runtime).expr);
    [this.out, this.alive] = [out, true];
    this.emit({ kind: 'assume', condition: waited, span: this.spanOf(node) });
  }

  /**
   * Only registers are written, and none that was read before in the round: to write memory again and again is seen by others, and to
   * count is no waiting.
   */
  private isQuiet(made: readonly Statement[]): boolean {
    const written = new Set(
      made.flatMap((one) => ('target' in one ? [one.target?.name.text] : [])),
    );
    return made.every((one) => {
      if (one.kind !== 'assign' || one.target.node !== undefined) return false;
      const { text } = one.target.name;
      const isEarlier = namesIn(one.value).some((name) => written.has(name));
      written.delete(text);
      return !isEarlier && !this.around.nodeOf.has(text) && !this.ownMemory.has(text);
    });
  }

  /** Whether another round does the same. */
  private repeats(
    node: CNode,
    parts: LoopParts,
    made: readonly Statement[],
    condition: Value | undefined,
  ): boolean {
    return this.tried(() => {
      const state = copyOf(this.state);
      const again = this.round(parts, node);
      const isAlike = renamed(this.trial, again.condition) === renamed(made, condition);
      return isAlike && isSameState(state, this.state);
    });
  }

  /** What is written down in a trial. */
  private trial: Statement[] = [];

  /** Tries something, and takes back what it did. False if it is refused. */
  private tried(what: () => boolean): boolean {
    const { out, state, alive, trial } = this;
    const left = new Set(this.left);
    const returns = this.frames.map((frame) => frame.returns.length);
    const loops = this.frames.flatMap((frame) => frame.loops);
    const gone = loops.map(({ breaks, continues }) => [breaks.length, continues.length]);
    const [asserted, forgot] = [this.asserted.length, this.following.forgot.length];
    this.trial = this.blockIn(out);
    [this.out, this.state, this.alive] = [this.trial, copyOf(state), true];
    const { isTrial } = this;
    this.isTrial = true;
    let holds: boolean;
    try {
      holds = what();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      holds = false;
    }
    const hasLeft =
      this.frames.some((frame, i) => frame.returns.length > returns[i]) ||
      loops.some(
        ({ breaks, continues }, i) => breaks.length > gone[i][0] || continues.length > gone[i][1],
      );
    this.frames.forEach((frame, i) => (frame.returns.length = returns[i]));
    loops.forEach(({ breaks, continues }, i) => {
      [breaks.length, continues.length] = gone[i];
    });
    this.isTrial = isTrial;
    this.asserted.length = asserted;
    this.following.forgot.length = forgot;
    this.left = left;
    [this.out, this.state, this.alive, this.trial] = [out, state, alive, trial];
    return holds && !hasLeft;
  }

  /** A loop with polls of which nothing is known, but that they wait in it. */
  private mustWait(parts: LoopParts, from: State, unproven: number, node: CNode): void {
    const isNew = this.unproven > unproven;
    this.unproven = unproven;
    if (!isNew || this.gaps !== undefined || this.findsNothing) return;
    if (!this.waitsFrom(parts, from, node)) this.mayFindNothing();
  }

  /**
   * A loop whose polls find nothing goes round without doing anything, so that a poll in it waits. A round is tried from a state: it must
   * come back to the beginning, and a second one must change nothing.
   */
  private waitsFrom(parts: LoopParts, from: State, node: CNode): boolean {
    const { state, findsNothing } = this;
    this.state = from;
    this.findsNothing = true;
    const waits = this.tried(() => {
      if (!this.comesBack(parts, node)) return false;
      const first = copyOf(this.state);
      return this.comesBack(parts, node) && isSameState(first, this.state);
    });
    this.findsNothing = findsNothing;
    this.state = state;
    return waits;
  }

  /** Whether a round ends where it began, with nothing written down. */
  private comesBack(parts: LoopParts, node: CNode): boolean {
    const { goesOn, breaks } = this.round(parts, node);
    return goesOn === true && breaks.length === 0 && this.trial.length === 0;
  }

  /** A poll that need not find anything: what happens then is another way. */
  protected mayFindNothing(): never {
    return this.finds('loose poll', this.lastPoll!, 'this poll may find nothing');
  }
}

/** Does a loop only end by leaving it? */
function isEndless({ before, after }: LoopParts): boolean {
  const condition = before ?? after;
  return condition === undefined || /^\(*(1|true)\)*$/.test(condition.text);
}

/** Where a round begins in the text that is written. */
interface Start {
  readonly out: Statement[];
  readonly length: number;
}

type Runtime = Extract<Value, { kind: 'runtime' }>;

/** The names that an expression has. */
const namesIn = (expr: LitmusExpr): readonly string[] =>
  leavesIn(expr).flatMap((leaf) => (leaf.kind === 'ref' ? [leaf.ref.name.text] : []));

/** Statements and a condition as text, with what they write named by its order: temporary registers have new names each time. */
function renamed(made: readonly Statement[], condition: Value | undefined): string {
  const names = new Map<string, string>();
  for (const one of made) {
    if (one.kind === 'assign' && !names.has(one.target.name.text)) {
      names.set(one.target.name.text, `#${names.size}`);
    }
  }
  return JSON.stringify([made, condition], (key, value: unknown) => {
    if (key === 'span') return undefined;
    return key === 'text' && typeof value === 'string' ? (names.get(value) ?? value) : value;
  });
}

function lastCondition(made: readonly Statement[]): LitmusExpr {
  const last = made.at(-1);
  if (last?.kind !== 'if') throw new Error('a loop that breaks out ends with a condition');
  return last.condition;
}

const isSameState = (a: State, b: State): boolean =>
  isSame([...a.values], [...b.values]) &&
  isSame([...a.open], [...b.open]) &&
  isSame([...a.building], [...b.building]);
