import { instructionsOf } from './instructions.js';
import type {
  Argument,
  Expression,
  Instruction,
  LibraryObject,
  LocationId,
  Program,
  Target,
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
  switch (i.kind) {
    case 'assign':
      return [...locationsOf(i.value), ...locationOf(i.target)];
    case 'call':
      return [
        ...i.arguments.flatMap((given) => argument(given, objects)),
        ...(i.into === undefined ? [] : argument(i.into, objects)),
        ...(i.result === undefined ? [] : locationOf(i.result)),
      ];
    case 'assume':
    case 'if':
      return locationsOf(i.condition);
    case 'loop':
      return i.condition === undefined ? [] : locationsOf(i.condition);
    case 'choose':
      return [];
  }
}

function argument(given: Argument, objects: readonly LibraryObject[]): readonly LocationId[] {
  if (given.kind === 'object') return Object.values(objects[given.object].cells);
  if (given.kind === 'place') return [given.location];
  return given.kind === 'value' ? locationsOf(given.value) : [];
}

const locationOf = (t: Target): readonly LocationId[] =>
  t.kind === 'location' ? [t.location] : [];

/** The distinct locations that an expression reads, from left to right. */
export function locationsOf(e: Expression): readonly LocationId[] {
  const found: LocationId[] = [];
  const visit = (x: Expression): void => {
    if (x.kind === 'location' && !found.includes(x.location)) found.push(x.location);
    if (x.kind === 'unary') visit(x.arg);
    if (x.kind === 'binary') {
      visit(x.left);
      visit(x.right);
    }
  };
  visit(e);
  return found;
}
