import type { LitmusExpr, Statement } from '../parse/litmus-ast.js';
import { isBarrier, unordered } from './accesses.js';
import { namesIn, oppositeOf } from './arithmetic.js';
import { pathText } from './paths.js';
import type { State, Value, Way } from './state.js';
import { NEVER_RETURNS, SOME_WAIT, copyOf } from './state.js';
import type { LoopParts } from './statements.js';
import type { Round } from './rounds.js';
import { Rounds, isSameState } from './rounds.js';
import type { CNode } from './tree.js';
import { partsOf } from './tree.js';

/** A loop that is written out goes round so often at most. */
const ROUNDS = 1000;

/** One that counts rounds in which its polls find nothing. */
const MOST_IDLE = 64;

/** The rounds of a loop that came back to where they began. */
interface Idle {
  rounds: number;
  /** What the last round did, if it only read. */
  last?: string;
}

/**
 * Loops. One whose conditions are known is written out. One that only reads until something holds waits: what it read in its last
 * round, it reads once. Any other one is written out for as many rounds as the file has as its bound.
 */
export abstract class Looping extends Rounds {
  protected loop(node: CNode, parts: LoopParts): void {
    const breaks: Way[] = [];
    if (this.isFound('open loop', node)) this.openLoop(node, parts, breaks);
    else this.closedLoop(node, parts, breaks);
    this.gather(breaks, node);
  }

  /** A loop of known length, or one that waits. */
  private closedLoop(node: CNode, parts: LoopParts, breaks: Way[]): void {
    const idle: Idle = { rounds: 0 };
    const forgot = this.following.forgot.length;
    for (let round = 0, goesOn = true; this.goesRound(goesOn, round); round++) {
      this.notTooOften(round, node);
      const [state, unproven] = [copyOf(this.state), this.unproven];
      const start = { out: this.out, length: this.out.length };
      const done = this.round(parts, node);
      this.mustWait(parts, state, unproven, node);
      goesOn = done.goesOn === true;
      if (done.goesOn === undefined) {
        // What is missing in the head may be what the loop waits for.
        if (this.gaps !== undefined) {
          if (round === 0 && done.condition?.kind === 'path') this.waitsForUnplaced(parts);
          continue;
        }
        if (!this.isWait(node, parts, done, start)) this.isOfUnknownLength(node, forgot);
        if (done.condition?.kind !== 'runtime') return this.waitsForUnplaced(parts);
        this.wait(done, start, node);
      } else if (this.leavesByCondition(done, start) && this.isWait(node, parts, done, start)) {
        this.wait(done, start, node);
        goesOn = false;
      } else {
        if (done.breaks.length > 0 && isEndless(parts)) this.isOfUnknownLength(node, forgot);
        breaks.push(...done.breaks);
        if (this.alive && goesOn) this.mustMove(parts, state, start, idle, node);
      }
    }
  }

  /** A loop of unknown length: after each round that may be the last one, another way goes on behind it. */
  private openLoop(node: CNode, parts: LoopParts, breaks: Way[]): void {
    const idle: Idle = { rounds: 0 };
    // Whatever its condition is, a round of `do` comes before it.
    const unsure = { rounds: parts.after === undefined ? 0 : 1 };
    for (let round = 0, goesOn = true; this.goesRound(goesOn, round); round++) {
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

  /** While a head is filled in, a few rounds show what is missing. */
  private goesRound(goesOn: boolean, round: number): boolean {
    const isEnough = this.gaps !== undefined && round > this.around.bound;
    return this.alive && goesOn && !isEnough;
  }

  private notTooOften(round: number, node: CNode): void {
    if (round === ROUNDS) this.refuse(node, `this loop goes round more than ${ROUNDS} times`);
  }

  private isOfUnknownLength(node: CNode, forgot: number): never {
    // It may be known, if what its rounds have forgotten is not forgotten.
    this.mustNotForget(forgot, node);
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
    unsure.rounds += 1;
    this.branch(condition, value, [() => undefined, () => this.leave(breaks)]);
    return this.alive;
  }

  /** What a loop waits for that only reads has to be memory. The head does not say where it is. */
  private waitsForUnplaced({ before, after }: LoopParts): void {
    const condition = (before ?? after)!;
    for (const node of placesIn(condition)) {
      const { value } = this.evaluate(node);
      if (value.kind !== 'path') continue;
      if (node.type !== 'identifier') return this.unplaced(pathText(`&${value.text}`), node);
      if (this.gaps === undefined) {
        const hint = `a wait reads memory: *${node.text}, or a variable at file level`;
        this.refuse(node, `nothing changes ${node.text} while this loop goes round`, hint);
      }
    }
    if (this.gaps === undefined) this.refuse(condition, 'nothing changes what this loop waits for');
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
    idle: Idle,
    node: CNode,
  ): void {
    const { found, nothing, hopeless } = this.state.polls;
    const isIdle = nothing > before.polls.nothing && found === before.polls.found;
    if (isIdle) {
      if (this.waitsFrom(parts, before, node)) {
        if (isEndless(parts) && this.following.supplied.size > 0) return this.endPolling(node);
        if (hopeless > before.polls.hopeless) {
          const at = this.lastPoll ?? node;
          if (this.forks.length === 0) this.refuse(at, NEVER_RETURNS);
          this.remark('assumed', SOME_WAIT, at);
        }
        return this.never(node);
      }
      idle.rounds += 1;
      // A loop that counts its rounds ends by itself.
      const most = isSameState(before, this.state) ? this.around.bound : MOST_IDLE;
      if (idle.rounds >= most) this.cut(node, most);
      return;
    }
    if (this.gaps !== undefined || !this.isBackAt(before, parts.body)) return;
    if (this.out === out) {
      if (out.length === length) {
        const hint =
          'nothing in it changes what it waits for: a wait reads memory again in each round';
        this.refuse(node, 'this loop never ends', hint);
      }
      return;
    }
    const way = this.wayFrom(out, length);
    const said = renamed(way, undefined);
    const isRepeated = idle.last === said;
    idle.last = undefined;
    if (found > before.polls.found || !this.isQuiet(way)) return;
    // It has only read, as the round before it has: that one is as if it had not been.
    if (isRepeated) return this.never(node);
    idle.last = said;
    idle.rounds += 1;
    if (idle.rounds >= this.around.bound) this.cut(node);
  }

  /**
   * A thread that takes completions of others for ever has nothing more to do. More completions may still come; what others do that
   * wait for them is not done then.
   */
  private endPolling(node: CNode): void {
    const text = 'this thread may end before it has taken all completions';
    this.remark('assumed', text, node, { onlyIf: 'asked' });
    this.endHere();
  }

  /** A round that ends with a condition under which it breaks out: `for (;;) { if (*p) break; }`. */
  private leavesByCondition({ breaks }: Round, { out, length }: Start): boolean {
    if (!this.alive || breaks.length !== 1) return false;
    const last = out.slice(length).at(-1);
    if (last?.kind !== 'if' || last.then !== breaks[0].out) return false;
    return last.then.length === 0 && last.else.every(isBarrier);
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
    return made.map(unordered).every((one) => {
      if (isBarrier(one)) return true;
      if (one.kind === 'if' && one.then.length + one.else.length === 0) {
        return !namesIn(one.condition).some((name) => written.has(name));
      }
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
}

/** The whole places that an expression reads, the left one first. */
function placesIn(node: CNode): readonly CNode[] {
  const isPlace = /^(identifier|field_expression|subscript_expression|pointer_expression)$/.test(
    node.type,
  );
  return isPlace ? [node] : partsOf(node).flatMap(placesIn);
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

/** Statements and a condition as text, with what they write named by its order: temporary registers have new names each time. */
function renamed(made: readonly Statement[], condition: Value | undefined): string {
  const names = new Map<string, string>();
  for (const one of made.map(unordered)) {
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
