import type { Event, Path, ValueId } from './structure.js';

/** Which conditions are true, of those that are known. */
export type Decided = ReadonlyMap<ValueId, boolean>;

/** One way to go through some events of a thread: those that are executed, by how the conditions turn out. */
export interface PathThrough {
  readonly events: readonly Event[];
  readonly taken: Decided;
}

/** All ways to go through some events of a thread: a condition that it comes to may turn out either way. */
export function pathsThrough(events: readonly Event[]): readonly PathThrough[] {
  const found: PathThrough[] = [];
  const decide = (index: number, taken: Decided): void => {
    for (let i = index; i < events.length; i++) {
      const open = firstOpen(events[i].path, taken);
      if (open === undefined) continue;
      decide(i, new Map([...taken, [open, true]]));
      decide(i, new Map([...taken, [open, false]]));
      return;
    }
    const executed = events.filter((e) => e.path.every((b) => taken.get(b.condition) === b.taken));
    found.push({ events: executed, taken });
  };
  decide(0, new Map());
  return found;
}

function firstOpen(path: Path, taken: Decided): ValueId | undefined {
  for (const { condition, taken: way } of path) {
    const known = taken.get(condition);
    if (known === undefined) return condition;
    if (known !== way) return undefined;
  }
  return undefined;
}
