import { applyBinary, applyUnary } from '../arithmetic.js';
import type { Event, Path, Value, ValueId } from './structure.js';

/** The conditions that are known, and whether they are true. */
export type DecidedConditions = ReadonlyMap<ValueId, boolean>;

/** One path through some events of a thread: the executed events, and the conditions on the path. */
export interface PathThrough {
  readonly events: readonly Event[];
  readonly taken: DecidedConditions;
}

/** All paths through some events of a thread: each condition on a path may be true or false. */
export function pathsThrough(events: readonly Event[]): readonly PathThrough[] {
  const found: PathThrough[] = [];
  const decide = (index: number, taken: DecidedConditions): void => {
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

function firstOpen(path: Path, taken: DecidedConditions): ValueId | undefined {
  for (const { condition, taken: way } of path) {
    const known = taken.get(condition);
    if (known === undefined) return condition;
    if (known !== way) return undefined;
  }
  return undefined;
}

/**
 * The number that a value is on one path, if it is known.
 *
 * @param known other known numbers: of values, and of what events read
 */
export function constantOn(
  { values, taken }: { readonly values: readonly Value[]; readonly taken: DecidedConditions },
  known: (id: ValueId, value: Value) => number | undefined = () => undefined,
): (id: ValueId) => number | undefined {
  const valueOf = (id: ValueId): number | undefined =>
    known(id, values[id]) ?? computed(values[id]);
  const computed = (value: Value): number | undefined => {
    switch (value.op) {
      case 'const':
        return value.value;
      case 'choice':
      case 'read':
        return undefined;
      case 'unary':
        return applyUnary(value.fn, valueOf(value.arg));
      case 'binary':
        return applyBinary(value.fn, valueOf(value.left), valueOf(value.right));
      case 'select': {
        const decided = taken.get(value.condition) ?? valueOf(value.condition);
        if (decided === undefined) return undefined;
        return valueOf(decided ? value.then : value.else);
      }
    }
  };
  return valueOf;
}
