import { leavesIn } from '../parse/fold.js';
import type { LitmusExpr, Statement } from '../parse/litmus-ast.js';
import { oppositeOf, truth } from './arithmetic.js';
import { Refusal } from './core.js';
import type { State, Value, Way } from './state.js';
import { copyOf, isSame } from './state.js';
import type { LoopParts } from './statements.js';
import { Executing } from './statements.js';
import type { CNode } from './tree.js';

/** A loop that is written out goes round so often at most. */
const ROUNDS = 1000;

const MORE_THAN_A_WAIT = [
  'a loop of unknown length that does more than wait is not understood yet',
  'write it out for as many rounds as are asked about',
] as const;

/** How a round ended. */
interface Round {
  /** Whether the loop goes on, if that is known. */
  readonly goesOn: boolean | undefined;
  /** The condition, if the program computes it. */
  readonly condition?: Value;
  readonly breaks: readonly Way[];
  /** The body stands behind the condition, and does something. */
  readonly isBusy?: boolean;
}

/**
 * Loops. One whose conditions are known is written out. One that only reads until something holds waits: what it read in its last
 * round, it reads once. What else a loop may be is refused.
 */
export abstract class Looping extends Executing {
  protected loop(node: CNode, parts: LoopParts): void {
    const breaks: Way[] = [];
    for (let round = 0, goesOn = true; this.alive && goesOn; round++) {
      if (round === ROUNDS) {
        if (breaks.length > 0) this.refuse(node, ...MORE_THAN_A_WAIT);
        this.refuse(node, `this loop goes round more than ${ROUNDS} times`);
      }
      const [state, unproven] = [copyOf(this.state), this.unproven];
      const start = { out: this.out, length: this.out.length };
      const done = this.round(parts, node);
      if (this.unproven > unproven) this.mustWait(parts, state, node);
      this.unproven = unproven;
      goesOn = done.goesOn === true;
      if (done.goesOn === undefined) {
        // What is missing in the head may be what the loop waits for.
        if (this.gaps !== undefined) continue;
        if (done.condition?.kind === 'path') {
          const { text } = done.condition;
          this.refuse(node, `nobody knows ${text}, and how often this loop goes round`);
        }
        if (!this.isWait(node, parts, done, start)) this.refuse(node, ...MORE_THAN_A_WAIT);
        this.wait(done, start, node);
      } else if (this.leavesByCondition(done, start) && this.isWait(node, parts, done, start)) {
        this.wait(done, start, node);
        goesOn = false;
      } else breaks.push(...done.breaks);
    }
    this.gather(breaks, node);
  }

  /** Goes through a loop once, from its condition to before the next one. */
  private round({ before, after, update, body }: LoopParts, node: CNode): Round {
    if (before !== undefined) {
      const found = this.evaluate(before);
      const known = truth(found);
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
    const found = this.evaluate(after);
    const known = truth(found);
    return { goesOn: known, ...(known === undefined && { condition: found.value }), breaks };
  }

  /** The body, and what is done between rounds. The ways that break out. */
  private body(body: CNode, update: CNode | undefined, node: CNode): readonly Way[] {
    const loop = { breaks: [] as Way[], continues: [] as Way[] };
    this.frame.loops.push(loop);
    this.execute(body);
    this.frame.loops.pop();
    if (loop.continues.length > 0) this.gather(loop.continues, node);
    if (this.alive && update !== undefined) this.evaluate(update);
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
    const asserted = this.asserted.length;
    this.trial = [];
    [this.out, this.state, this.alive] = [this.trial, copyOf(state), true];
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
    this.asserted.length = asserted;
    this.left = left;
    [this.out, this.state, this.alive, this.trial] = [out, state, alive, trial];
    return holds && !hasLeft;
  }

  /**
   * A loop whose polls find nothing goes round without doing anything, so that a poll in it waits. A round is tried from a state: it must
   * come back to the beginning, and a second one must change nothing.
   */
  private mustWait(parts: LoopParts, from: State, node: CNode): void {
    if (this.gaps !== undefined || this.findsNothing) return;
    const { state } = this;
    this.state = from;
    this.findsNothing = true;
    const waits = this.tried(() => {
      if (!this.comesBack(parts, node)) return false;
      const first = copyOf(this.state);
      return this.comesBack(parts, node) && isSameState(first, this.state);
    });
    this.findsNothing = false;
    this.state = state;
    if (!waits) this.mayFindNothing();
  }

  /** Whether a round ends where it began, with nothing written down. */
  private comesBack(parts: LoopParts, node: CNode): boolean {
    const { goesOn, breaks } = this.round(parts, node);
    return goesOn === true && breaks.length === 0 && this.trial.length === 0;
  }

  /** A poll that need not find anything: what happens then is another way, which is not followed. */
  protected mayFindNothing(): never {
    return this.refuse(
      this.lastPoll!,
      'this poll may find nothing, and what happens then is not followed yet',
      'wait in a loop: while (ibv_poll_cq(…) == 0) ;',
    );
  }
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
