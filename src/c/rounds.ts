import { Refusal } from './core.js';
import { isBarrier } from './accesses.js';
import type { State, Typed, Value, Way } from './state.js';
import { copyOf, isSame } from './state.js';
import type { Statement } from '../parse/litmus-ast.js';
import type { LoopParts } from './statements.js';
import { Executing } from './statements.js';
import type { At, CNode } from './tree.js';

/** How a round ended. */
export interface Round {
  /** Whether the loop goes on, if that is known. */
  readonly goesOn: boolean | undefined;
  /** The condition, if the program computes it. */
  readonly condition?: Value;
  readonly breaks: readonly Way[];
  /** The body stands behind the condition, and does something. */
  readonly isBusy?: boolean;
}

/** Rounds of loops, done or only tried. */
export abstract class Rounds extends Executing {
  /** What a condition is; nothing, if the way at hand ends in it. */
  protected conditionOf(node: CNode): Typed | undefined {
    let found: Typed | undefined;
    this.upToTheEnd(() => {
      found = this.evaluate(node);
    });
    return this.alive ? found : undefined;
  }

  /** Whether all is known that was known before a round, and nothing else. What is declared in its body does not matter. */
  protected isBackAt(before: State, { startIndex, endIndex }: At): boolean {
    const isInside = (key: string): boolean => {
      const [, at] = /#(\d+)/.exec(key) ?? [];
      return at !== undefined && Number(at) > startIndex && Number(at) < endIndex;
    };
    const outside = ({ values, ...rest }: State): State => ({
      ...rest,
      values: new Map([...values].filter(([key]) => !isInside(key))),
    });
    return isSameState(outside(before), outside(this.state));
  }

  /** Goes through a loop once, from its condition to before the next one. */
  protected round({ before, after, update, body }: LoopParts, node: CNode): Round {
    if (before !== undefined) {
      const found = this.conditionOf(before);
      if (found === undefined) return { goesOn: false, breaks: [] };
      const known = this.holds(found);
      if (known === false) return { goesOn: false, breaks: [] };
      // What is behind it is done as if it held, to see what that is.
      if (known === undefined) {
        const [state, out, length] = [copyOf(this.state), this.out, this.out.length];
        const breaks = this.body(body, update, node);
        // What is behind it is not done in the last round: barriers between rounds only order what is there without them.
        if (this.out === out && out.slice(length).every(isBarrier)) out.length = length;
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
  protected body(body: CNode, update: CNode | undefined, node: CNode): readonly Way[] {
    const loop = { breaks: [] as Way[], continues: [] as Way[] };
    this.frame.loops.push(loop);
    this.execute(body);
    this.frame.loops.pop();
    if (loop.continues.length > 0) this.gather(loop.continues, node);
    if (this.alive && update !== undefined) this.conditionOf(update);
    return loop.breaks;
  }

  /** What is written down in a trial. */
  protected trial: Statement[] = [];

  /** Tries something, and takes back what it did. False if it is refused. */
  protected tried(what: () => boolean): boolean {
    const { out, state, alive, trial } = this;
    const left = new Set(this.left);
    const frames = this.frames.map((frame) => ({
      returns: frame.returns.length,
      scopes: frame.scopes.length,
    }));
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
    // What is refused, may be so in a call and a block of the trial.
    this.frames.length = frames.length;
    const hasLeft =
      this.frames.some((frame, i) => frame.returns.length > frames[i].returns) ||
      loops.some(
        ({ breaks, continues }, i) => breaks.length > gone[i][0] || continues.length > gone[i][1],
      );
    this.frames.forEach((frame, i) => {
      frame.returns.length = frames[i].returns;
      frame.scopes.length = frames[i].scopes;
    });
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
  protected mustWait(parts: LoopParts, from: State, unproven: number, node: CNode): void {
    const isNew = this.unproven > unproven;
    this.unproven = unproven;
    if (!isNew || this.gaps !== undefined || this.findsNothing) return;
    if (!this.waitsFrom(parts, from, node)) this.mayFindNothing();
  }

  /**
   * A loop whose polls find nothing goes round without doing anything, so that a poll in it waits. A round is tried from a state: it must
   * come back to the beginning, and a second one must change nothing.
   */
  protected waitsFrom(parts: LoopParts, from: State, node: CNode): boolean {
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

export const isSameState = (a: State, b: State): boolean =>
  isSame([...a.values], [...b.values]) &&
  isSame([...a.open], [...b.open]) &&
  isSame([...a.building], [...b.building]) &&
  isSame([...a.last], [...b.last]);
