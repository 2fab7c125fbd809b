import { guessesAmong, guessesIn, partnersByRank } from '../../program/events/guesses.js';
import type { Event, EventStructure, Path, ValueId } from '../../program/events/structure.js';
import { further } from '../../program/events/structure.js';

/** One path through the branches of one thread, whatever its reads read. */
export interface ThreadPath {
  readonly events: readonly Event[];
  /** The truth values of the conditions on the path. */
  readonly taken: ReadonlyMap<ValueId, boolean>;
  /** The values that must not be 0 on it. */
  readonly required: readonly ValueId[];
}

/**
 * All paths through a thread, without those that leave the loop bound, or poll more than they have issued. Whether its
 * reads can have values for which a path is taken is not decided here.
 *
 * @param goOn called before each path, also one that leaves the bound (`isCut`); after false, the others are left out
 */
export function pathsOf(
  structure: EventStructure,
  thread: number,
  goOn: (isCut: boolean) => boolean,
): readonly ThreadPath[] {
  const of = <T extends { readonly thread: number }>(list: readonly T[]): readonly T[] =>
    list.filter((x) => x.thread === thread);
  const events = of(structure.events);
  const required = of([...structure.constraints, ...structure.divisions]);
  const cuts = of(structure.cuts);
  const waits = of(structure.waits ?? []);
  const staying = waits.map((wait) => ({ ...wait, path: further(wait.path, wait.stays, true) }));
  const lacking = staying.filter(({ repeats }) => !repeats);
  const pathOf = new Map(waits.map(({ stays, path }) => [stays, path]));
  const asked = [...staying, ...cuts, ...events, ...required].map((x) => x.path);
  const untilCuts = staying.length + cuts.length;
  const { hasPartners, isAll } = partnersIn(structure);
  const found: ThreadPath[] = [];
  let stopped = false;
  decide(0, new Map());
  return found;

  /** Decides the first condition that matters and is open, from the given path on. */
  function decide(index: number, taken: ReadonlyMap<ValueId, boolean>): void {
    for (let i = index; i < asked.length; i++) {
      const open = firstOpen(asked[i], taken);
      if (open === undefined) {
        if (i >= staying.length && i < untilCuts && isTaken(asked[i], taken)) {
          stopped ||= !goOn(true);
          return;
        }
        continue;
      }
      // Nobody waits where he does not come.
      const isThere = isTaken(pathOf.get(open) ?? [], taken);
      for (const truth of isThere ? [true, false] : [false]) {
        if (!stopped) decide(i, new Map([...taken, [open, truth]]));
      }
      return;
    }
    stopped ||= !goOn(false);
    if (stopped) return;
    const executed = events.filter((e) => isTaken(e.path, taken));
    if (!hasPartners(executed)) return;
    // Nobody waits for a partner that is there.
    const next = lacking.filter(({ path }) => isTaken(path, taken)).flatMap((w) => w.events);
    const more = events.filter((e) => next.includes(e.id) || executed.includes(e));
    if (isAll && more.length > executed.length && hasPartners(more)) return;
    const conditions = required.filter((r) => isTaken(r.path, taken)).map((r) => r.condition);
    found.push({ events: executed, taken, required: [...new Set(conditions)] });
  }
}

function firstOpen(path: Path, taken: ReadonlyMap<ValueId, boolean>): ValueId | undefined {
  for (const branch of path) {
    const truth = taken.get(branch.condition);
    if (truth === undefined) return branch.condition;
    if (truth !== branch.taken) return undefined;
  }
  return undefined;
}

export const isTaken = (path: Path, taken: ReadonlyMap<ValueId, boolean>): boolean =>
  path.every((branch) => taken.get(branch.condition) === branch.taken);

/**
 * Tests whether all events of a path have the partners by rank that they need, if this depends on the thread alone:
 * each class must be within one thread.
 */
function partnersIn(structure: EventStructure): {
  readonly hasPartners: (executed: readonly Event[]) => boolean;
  /** Does this depend on the thread alone for all events that need partners? */
  readonly isAll: boolean;
} {
  const guesses = guessesIn(structure);
  const own = new Set(
    guesses.flatMap((guess) => {
      if (guess.ranked.length === 0) return [];
      const single = guess.ranked.every(({ from, to }) => {
        const [first, ...rest] = [...from, ...to].map((id) => structure.events[id].thread);
        return rest.every((thread) => thread === first);
      });
      return single ? [guess.name] : [];
    }),
  );
  const isAll = guesses.every(
    ({ name, ranked, counted }) => counted.length === 0 && (ranked.length === 0 || own.has(name)),
  );
  if (own.size === 0) return { isAll, hasPartners: () => true };
  const hasPartners = (executed: readonly Event[]): boolean =>
    guessesAmong(structure, executed).every(
      (guess) => !own.has(guess.name) || partnersByRank(guess, executed) !== undefined,
    );
  return { isAll, hasPartners };
}

/** All combinations of a path through each thread. */
export function* combinations(
  paths: readonly (readonly ThreadPath[])[],
  chosen: readonly ThreadPath[] = [],
): Generator<readonly ThreadPath[]> {
  if (chosen.length === paths.length) yield chosen;
  else for (const path of paths[chosen.length]) yield* combinations(paths, [...chosen, path]);
}
