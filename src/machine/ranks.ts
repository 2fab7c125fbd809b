import type { Control } from './control.js';
import type { ClassId } from './classes.js';
import type { LocalStates } from './local.js';
import type { Pairs } from './masks.js';

/**
 * Partners by rank: the k-th event of one kind is the partner of the k-th of another, as a poll is that of a completion. So each takes the first that has no
 * partner yet.
 */
export class Ranks {
  constructor(
    private readonly locals: LocalStates,
    private readonly pairs: Pairs,
    /** The guesses that make partners. */
    readonly guesses: readonly string[],
  ) {}

  /**
   * The partners of the calls of a thread when an event of one of them has taken its own, as bits.
   *
   * @returns undefined if a partner is not there yet, or not that far
   */
  take({ calls }: Control, i: number, event: number): readonly number[] | undefined {
    const partners = calls.map((call) => call.partners);
    const { ranked } = this.locals.own(calls[i].local);
    for (const [g, guess] of this.guesses.entries()) {
      if (ranked.get(guess)?.asking.includes(event) !== true) continue;
      const j = this.partnerOf(calls, i, event, g);
      if (j === undefined) return undefined;
      partners[j] |= 1 << g;
    }
    return partners;
  }

  private partnerOf(
    calls: Control['calls'],
    i: number,
    event: number,
    g: number,
  ): number | undefined {
    const { local } = calls[i];
    const guess = this.guesses[g];
    for (let j = 0; j < i; j++) {
      const { local: other, partners } = calls[j];
      if ((partners & (1 << g)) !== 0) continue;
      const { relations, shift } = this.pairs.inOrder(other, local);
      const to = shift / 2 + event;
      const pair = relations.ranked.get(guess)?.pairs.find((one) => one[1] === to);
      if (pair === undefined) continue;
      const done = other.done | (local.done << shift);
      const isRuledOut = relations.excluded.some(
        ({ from, to: second, guesses }) =>
          from === pair[0] && second === to && guesses?.includes(guess) === true,
      );
      if (isRuledOut) return undefined;
      const isReady = relations.partners.every(
        (p) =>
          p.guess !== guess || p.from !== pair[0] || p.to !== to || (p.needs[2 * to] & ~done) === 0,
      );
      return isReady ? j : undefined;
    }
    return undefined;
  }

  /** The guesses by which a call is the first without a partner, of those that can be partners of the thread's next call. */
  nextPartnerBy({ calls }: Control, i: number, of: ClassId): number {
    const [next] = this.locals.initial(of);
    let found = 0;
    for (const [g, guess] of this.guesses.entries()) {
      const first = calls.findIndex(
        ({ local, partners }) =>
          (partners & (1 << g)) === 0 &&
          (this.pairs.inOrder(local, next).relations.ranked.get(guess)?.pairs.length ?? 0) > 0,
      );
      if (first === i) found |= 1 << g;
    }
    return found;
  }
}
