import type { Program } from '../program/program.js';

/** All names of a program that a register could be taken for. */
export const namesOf = ({
  threads,
  locations,
  objects = [],
  ghosts = [],
  ...rest
}: Program): Set<string> =>
  new Set([
    ...[...locations, ...objects, ...ghosts, ...(rest.completionQueues ?? [])].map(
      ({ name }) => name,
    ),
    ...threads.flatMap(({ name, registers, queuePairs = [] }) => [
      ...[name, ...registers],
      ...queuePairs.map((one) => one.name),
    ]),
  ]);

/** A name that is not taken: `status`, `status2`, … */
export function fresh(name: string, taken: Set<string>, n = 1): string {
  const one = n === 1 ? name : `${name}${n}`;
  if (taken.has(one)) return fresh(name, taken, n + 1);
  taken.add(one);
  return one;
}
