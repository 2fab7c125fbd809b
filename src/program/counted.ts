import { numberOf } from '../parse/fold.js';
import { bodiesOf, instructionsOf, registerSet } from './instructions.js';
import type { Expression, Instruction, Thread } from './program.js';

type Loop = Extract<Instruction, { kind: 'loop' }>;

/** What is known of registers, by their indices; undefined: any value. */
type Known = readonly (number | undefined)[];

/** No larger number of iterations is computed: unrolling would give up anyway (`check/structure.ts`). */
const MOST = 10_000;

const counts = new WeakMap<Thread, ReadonlyMap<Loop, number>>();

/**
 * The largest number of iterations of each loop of a thread, if it follows from the thread's constants:
 * `i := 0; while (i < 12) { …; i := i + 1 }`. Such a loop ends by itself and needs no bound. One that has a bound
 * of its own keeps it.
 *
 * Cost: the instructions of all these iterations, at most 10,000 of them.
 */
function countedLoops(thread: Thread): ReadonlyMap<Loop, number> {
  const before = counts.get(thread);
  if (before !== undefined) return before;
  const counting = new Counting();
  counting.body(
    thread.body,
    thread.registers.map(() => 0),
  );
  const found = new Map([...counting.counts].filter(([, count]) => count < Infinity));
  counts.set(thread, found);
  return found;
}

/**
 * How often a loop is unrolled at most: as often as it runs, if this is known, otherwise up to its own bound, or the
 * bound of all loops.
 */
export const limitOf = (loop: Loop, thread: Thread, bound: number): number =>
  countedLoops(thread).get(loop) ?? loop.bound ?? bound;

/** Goes through a thread, on all paths at once, with what is known of its registers. */
class Counting {
  /** The counts of loops; Infinity if no count is known on some path to the loop. */
  readonly counts = new Map<Loop, number>();
  private iterations = 0;

  /** What is known after some instructions. */
  body(body: readonly Instruction[], before: Known): Known {
    return body.reduce((known, i) => this.instruction(i, known), before);
  }

  private instruction(i: Instruction, known: Known): Known {
    if (i.kind === 'loop') return this.loop(i, known);
    const set = registerSet(i);
    if (set !== undefined) {
      return known.with(set, i.kind === 'assign' ? valueOf(i.value, known) : undefined);
    }
    const ways = takenOf(i, known);
    return ways.length === 0 ? known : common(ways.map((body) => this.body(body, known)));
  }

  private loop(i: Loop, before: Known): Known {
    const { iterations } = this;
    const counts = new Map(this.counts);
    let known = before;
    for (let done = 0; this.iterations < MOST; done++) {
      const condition = i.bound === undefined && i.condition && valueOf(i.condition, known);
      if (condition === 0) {
        this.counts.set(i, Math.max(done, this.counts.get(i) ?? 0));
        return known;
      }
      if (typeof condition !== 'number') break;
      this.iterations += 1;
      const next = this.body(i.body, known);
      // The loop never ends.
      if (next.every((value, r) => value === known[r])) break;
      known = next;
    }
    // The loops inside of it are counted from what is known in all of its iterations.
    this.iterations = iterations;
    this.counts.clear();
    for (const [loop, count] of counts) this.counts.set(loop, count);
    this.counts.set(i, Infinity);
    const set = [...instructionsOf([i])].map(registerSet);
    const kept = before.map((value, r) => (set.includes(r) ? undefined : value));
    this.body(i.body, kept);
    return kept;
  }
}

/** The bodies that may be taken: only one if the condition is known. */
function takenOf(i: Instruction, known: Known): readonly (readonly Instruction[])[] {
  if (i.kind !== 'if') return bodiesOf(i);
  const condition = i.inlined === undefined ? valueOf(i.condition, known) : 1;
  if (condition === undefined) return bodiesOf(i);
  return [condition !== 0 ? i.then : i.else];
}

/** What is known after all of some paths. */
const common = (ways: readonly Known[]): Known =>
  ways[0].map((value, r) => (ways.every((known) => known[r] === value) ? value : undefined));

/** The value of an expression, if constants determine it. */
const valueOf = (e: Expression, known: Known): number | undefined =>
  numberOf(e, (leaf) => (leaf.kind === 'register' ? known[leaf.register] : undefined));
