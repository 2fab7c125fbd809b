import { leavesIn } from '../parse/fold.js';
import { destinationOf, expressionsOf, instructionsOf } from './instructions.js';
import type {
  Argument,
  Expression,
  Instruction,
  LibraryObject,
  LocationId,
  Program,
  RegisterId,
} from './program.js';

/** The locations that some instruction of a program reads or writes; of an object, all its cells. */
export function accessedLocations({
  threads,
  objects = [],
}: Pick<Program, 'threads' | 'objects'>): ReadonlySet<LocationId> {
  const found = new Set<LocationId>();
  for (const { body } of threads) {
    for (const i of instructionsOf(body)) for (const l of accessedBy(i, objects)) found.add(l);
  }
  return found;
}

/** The locations that an instruction accesses itself, without the instructions inside of it. */
function accessedBy(i: Instruction, objects: readonly LibraryObject[]): readonly LocationId[] {
  const to = destinationOf(i);
  return [
    ...expressionsOf(i).flatMap(locationsOf),
    ...placesOf(i).flatMap((given) => cellsOf(given, objects)),
    ...(to?.kind === 'location' ? [to.location] : []),
  ];
}

/** The places in memory among the arguments of a call. */
function placesOf(i: Instruction): readonly Argument[] {
  if (i.kind !== 'call') return [];
  return i.into === undefined ? i.arguments : [...i.arguments, i.into];
}

function cellsOf(given: Argument, objects: readonly LibraryObject[]): readonly LocationId[] {
  if (given.kind === 'object') return Object.values(objects[given.object].cells);
  return given.kind === 'place' ? [given.location] : [];
}

/** The distinct locations that an expression reads, from left to right. */
export function locationsOf(e: Expression): readonly LocationId[] {
  const read = leavesIn(e).flatMap((leaf) => (leaf.kind === 'location' ? [leaf.location] : []));
  return [...new Set(read)];
}

/** The registers that an expression reads, from left to right. */
export const registersOf = (e: Expression): readonly RegisterId[] =>
  leavesIn(e).flatMap((leaf) => (leaf.kind === 'register' ? [leaf.register] : []));
