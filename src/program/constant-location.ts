import type { Location, LocationId } from './program.js';

/**
 * The hidden location that holds a constant for the puts of a thread. It is appended unless it is there already: a thread has one for
 * each constant.
 */
export function constantLocation(
  locations: Location[],
  owner: number,
  node: string,
  initial: number,
): LocationId {
  const known = locations.findIndex(
    (l) => l.hidden === true && l.owner === owner && l.initial === initial,
  );
  if (known >= 0) return known;
  const name = `constant ${initial}`;
  return locations.push({ name, node, initial, owner, hidden: true }) - 1;
}
