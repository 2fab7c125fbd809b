import type { Actor } from '../machine/actors.js';
import type { Machine } from '../machine/machine.js';
import { codecOf } from './codec.js';

/** Looking along a run gives up after so many states, and where it would have to leave the run so many times. */
const [STATES, DETOURS] = [500, 6];

/** A state, and how it was reached. */
interface Reached {
  /** Its bytes. */
  readonly state: Uint8Array;
  /** How many steps of the guide are behind it. */
  readonly at: number;
  /** Whose step led to it; nobody's, if a step of the guide was passed over. */
  readonly actor?: Actor;
  readonly before?: Reached;
}

/**
 * Looks for a run to a bad state near a known one, which may be of another program with the same threads and queue
 * pairs: it takes steps of the same actors one after the other, but for a few that it takes beside them or passes over. That
 * is much faster than to go through all states, and finds less.
 *
 * @param guide names of those whose steps the known run takes, in order
 * @param isBad whether the step that the machine has just taken led to a bad state
 * @returns the same of the run that was found; undefined if there is none nearby
 */
export function follow(
  machine: Machine,
  guide: readonly string[],
  isBad: (machine: Machine) => boolean,
): readonly string[] | undefined {
  const codec = codecOf(machine);
  const seen = new Set<string>();
  const from = new Int32Array(machine.layout.size);
  const encoded = (): Uint8Array => codec.bytes.slice(0, codec.encode(machine.s));
  machine.reset();
  if (isBad(machine)) return [];
  // By detours: those with the fewest come first, and of these the one that was found last.
  const open: Reached[][] = Array.from({ length: DETOURS + 1 }, () => []);
  // Constants are in no state's bytes.
  from.set(machine.s);
  open[0].push({ state: encoded(), at: 0 });
  const next = (): [Reached, number] | undefined => {
    const detours = open.findIndex((some) => some.length > 0);
    return detours < 0 ? undefined : [open[detours].pop()!, detours];
  };
  let left = STATES;
  for (let now = next(); now !== undefined && left > 0; now = next()) {
    const [here, detours] = now;
    const key = String.fromCharCode(here.at, ...here.state);
    if (seen.has(key)) continue;
    seen.add(key);
    left -= 1;
    if (detours < DETOURS && here.at < guide.length) {
      open[detours + 1].push({ state: here.state, at: here.at + 1, before: here });
    }
    let found: Reached | undefined;
    codec.decode(here.state, 0, from);
    machine.successors(from, (actor) => {
      if (found !== undefined) return;
      const follows = machine.actors.name(actor) === guide[here.at];
      const to = detours + (follows ? 0 : 1);
      const at = here.at + (follows ? 1 : 0);
      const reached = { state: encoded(), at, actor, before: here };
      if (isBad(machine)) found = reached;
      else if (to <= DETOURS) open[to].push(reached);
    });
    if (found !== undefined) return wayTo(found, machine);
  }
  return undefined;
}

function wayTo(last: Reached, { actors }: Machine): readonly string[] {
  const way: string[] = [];
  for (let r: Reached | undefined = last; r !== undefined; r = r.before) {
    if (r.actor !== undefined) way.push(actors.name(r.actor));
  }
  return way.reverse();
}
