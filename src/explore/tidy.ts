import { isWrite } from '../program/events/structure.js';
import type { Machine, TakenStep } from '../machine/machine.js';
import { codecOf } from './codec.js';
import type { TakenMove } from './retrace.js';
import { movesIn, retraced, signatureOf, firstMove } from './retrace.js';
import type { Run } from './runs.js';
import { stepsIn } from './runs.js';

/**
 * A run of the same steps to the same final state, in an order that is easier to follow. Steps of one thread and its NIC come together as far as
 * possible, and steps of store buffers as early as possible. Two neighbours change places only if the machine can take them in
 * either order, and gets to the same state. So both runs are the same trace (Mazurkiewicz, Trace theory, 1987).
 *
 * @param machine one that takes each step by itself
 * @param run of the same program, on a machine that takes steps at once or does not
 */
export function tidied(machine: Machine, run: Run): Run {
  const start = firstMove(machine);
  if (start === undefined) return run;
  const { told, state } = start;
  const steps = stepsIn(run).slice(told.length);
  const moves = retraced(machine, state, steps, (end) => machine.isFinal(end));
  if (moves === undefined) return run;
  return { beginning: told, moves: new Tidying(machine, state).all(moves) };
}

class Tidying {
  private readonly tidy: TakenMove[] = [];
  private readonly codec;

  constructor(
    private readonly machine: Machine,
    private readonly start: Int32Array,
  ) {
    this.codec = codecOf(machine);
  }

  all(moves: readonly TakenMove[]): readonly (readonly TakenStep[])[] {
    for (const move of moves) this.add(move);
    return this.tidy.map(({ told }) => told);
  }

  private add(next: TakenMove): void {
    const { tidy } = this;
    // What nobody hears of stays where it is.
    if (next.told.length === 0) {
      tidy.push(next);
      return;
    }
    const isBuffer = isOfStoreBuffer(this.machine, next.told);
    const home = tidy.findLastIndex((other) => ownerOf(other) === ownerOf(next)) + 1;
    tidy.push(next);
    const moved = this.movedBack(isBuffer ? 0 : home);
    const { length } = moved;
    if (isBuffer || length === tidy.length - home)
      tidy.splice(tidy.length - length, length, ...moved);
  }

  private stateAfter(count: number): Int32Array {
    return count === 0 ? this.start : this.tidy[count - 1].state;
  }

  /** The last step moved back as far as possible, but not before `to`: this step, and then those that it has moved past. */
  private movedBack(to: number): readonly TakenMove[] {
    const { tidy } = this;
    const passed: TakenMove[] = [];
    let last = tidy[tidy.length - 1];
    for (let at = tidy.length - 2; at >= to; at--) {
      const swapped = this.swap(this.stateAfter(at), tidy[at], last);
      if (swapped === undefined) break;
      last = swapped[0];
      passed.unshift(swapped[1]);
    }
    return [last, ...passed];
  }

  /** Two steps in the other order, if this leads to the same state. */
  private swap(
    before: Int32Array,
    first: TakenMove,
    second: TakenMove,
  ): readonly [TakenMove, TakenMove] | undefined {
    const a = this.like(before, second.told);
    const b = a && this.like(a.state, first.told);
    return b !== undefined && this.keyOf(b.state) === this.keyOf(second.state)
      ? [a!, b]
      : undefined;
  }

  private like(state: Int32Array, told: readonly TakenStep[]): TakenMove | undefined {
    const wanted = signatureOf(told);
    return movesIn(this.machine, state).find((move) => signatureOf(move.told) === wanted);
  }

  private keyOf(state: Int32Array): string {
    return this.codec.bytes.slice(0, this.codec.encode(state)).join();
  }
}

const ownerOf = ({ told }: TakenMove): number | undefined => told[0]?.thread;

/** Does a write of a thread come to memory, that the thread has left to its store buffer? */
function isOfStoreBuffer(machine: Machine, [first]: readonly TakenStep[]): boolean {
  if (first.kind !== 'event' || first.isIssue || !isWrite(first.event)) return false;
  const { labels } = machine.layout.program.instructions;
  return labels.find(({ name }) => name === first.event.label)?.by !== 'nic';
}
