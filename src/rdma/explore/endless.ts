import type { Program, RunQuery } from '../../program/program.js';
import type { Found, RunLimits } from './answer.js';
import { DEFAULT_ROOM, inLines, limitsOf, restsOn, runTo, sizeOf } from './answer.js';
import type { Hardware } from './hardware.js';
import type { Asked } from './layout.js';
import { layoutOf } from './layout.js';
import type { Fairness } from './liveness.js';
import { fairSet, firstStuck, roundIn } from './liveness.js';
import { isAtRest } from './op.js';
import { explore } from './search.js';
import { Numbers } from './store.js';

/** Queries about what is put off for ever. */
export type Liveness = Extract<RunQuery, { quantifier: 'progress' | 'deadlock' }>;

/** Steps of the NIC's atomic unit have to be fair in the strong sense, or one queue pair may be passed over for ever. */
const ASSUMED = 'each thread and buffer goes on where it can (weak fairness)';
const STRONG = 'a NIC performs an atomic that it can perform again and again (strong fairness)';

/** Something is put off for ever, but perhaps only because a buffer of the machine is full. */
const cramping = ({ full = [], room, ...about }: ReturnType<typeof restsOn>): Found => ({
  verdict: 'unknown',
  reason: `full was ${full.join(', ')}, with room for ${room}: more may change the answer`,
  ...about,
});

/** How many queries are decided by one exploration: a state has a bit for each. */
const BITS = 30;

export function decideLiveness(
  program: Program,
  hardware: Hardware,
  queries: readonly Liveness[],
  limits: RunLimits,
): readonly Found[] {
  const { room = DEFAULT_ROOM } = limits;
  if (queries.length > BITS) {
    const [some, others] = [queries.slice(0, BITS), queries.slice(BITS)];
    return [some, others].flatMap((part) => decideLiveness(program, hardware, part, limits));
  }
  const waits: Asked['waits'][number][] = [];
  const bits = queries.map((query) =>
    query.quantifier === 'progress' ? waits.push(query) - 1 : -1,
  );
  const asked = {
    room,
    resting: true,
    always: false,
    reduce: limits.reduce,
    registers: new Set<string>(),
    locations: new Set<number>(),
    waits,
  };
  const layout = layoutOf(program, hardware, asked);
  const { codes } = layout;
  // By state: who waits, and which threads may stay where they are for ever. One bit for each.
  const [waiting, resting] = [new Numbers(), new Numbers()];
  // By state: is something only impossible because a buffer is full? Nothing is said to be put off for ever by that.
  const cramped = new Numbers();
  const ofBits = (bits: readonly boolean[]): number =>
    bits.reduce((all, bit, k) => (bit ? all | (1 << k) : all), 0);
  const everybody = ofBits(codes.map(() => true));
  const explored = explore(
    layout,
    {
      state(s) {
        waiting.push(ofBits(layout.waits.map((slot) => s[slot] === 1)));
        resting.push(ofBits(codes.map(({ ops }, t) => isAtRest(ops[s[t]]))));
        return false;
      },
      expanded: (waits) => cramped.push(Number(waits)),
      progress: limits.progress,
      // A round of states that stand for others need not be one of theirs: only what can be reached is the same.
      isSame: waits.length > 0 ? undefined : () => true,
    },
    true,
    limitsOf(limits),
  );
  const about = restsOn(explored, room);
  if (explored.incomplete !== undefined) {
    const { incomplete: reason } = explored;
    return queries.map(() => ({ verdict: 'unknown', reason }));
  }
  const { states, actors } = explored;
  const graph = explored.graph!;
  const isCramped = (s: number): boolean => cramped.get(s) === 1;
  return queries.map((query, i): Found => {
    if (query.quantifier === 'deadlock') {
      const stuckUnless = (isGood: (s: number) => boolean): number | undefined =>
        firstStuck(graph, states, (e) => graph.actor(e) !== actors.idle, {
          state: (s) => resting.get(s) === everybody || isGood(s),
          step: (e) => graph.passes(e),
        });
      const stuck = stuckUnless(isCramped);
      if (stuck !== undefined) {
        const run = inLines(layout, runTo(explored, stuck));
        return { verdict: 'fails', ...run, ...sizeOf(explored) };
      }
      if (about.full !== undefined && stuckUnless(() => false) !== undefined)
        return cramping(about);
      return { verdict: 'holds', ...about };
    }
    const waits = (s: number): boolean => ((waiting.get(s) >>> bits[i]) & 1) === 1;
    const starving = (
      fairness: Fairness,
      isAllowed: (s: number) => boolean,
    ): readonly number[] | undefined =>
      fairSet(graph, states, actors, fairness, (s) => waits(s) && isAllowed(s));
    const strong: Fairness = { strong: (actor) => actors.isPerforming(actor) };
    let set = starving(strong, (s) => !isCramped(s));
    if (set === undefined) {
      if (about.full !== undefined && starving(strong, () => true) !== undefined) {
        return cramping(about);
      }
      const needed = starving({ strong: () => false }, () => true) !== undefined;
      return { verdict: 'holds', ...about, assuming: needed ? [ASSUMED, STRONG] : [ASSUMED] };
    }
    // The fewer threads take part, the better it is understood.
    let rest = 0;
    for (const t of codes.keys()) {
      const wanted = rest | (1 << t);
      const smaller = starving(
        strong,
        (s) => !isCramped(s) && (resting.get(s) & wanted) === wanted,
      );
      if (smaller === undefined) continue;
      rest = wanted;
      set = smaller;
    }
    const steps = roundIn(graph, set, actors, strong);
    const first = steps[0]?.from ?? set.reduce((a, b) => Math.min(a, b));
    const round = steps.flatMap(({ from, to, actor }) =>
      explored.steps(from, (found, by) => found === to && by === actor),
    );
    return { verdict: 'fails', ...inLines(layout, runTo(explored, first), round), states };
  });
}
