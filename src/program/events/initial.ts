import { accessedLocations } from '../accessed.js';
import type { LocationId, Program } from '../program.js';
import type { Event } from './structure.js';
import { INITIAL } from './structure.js';

/** The writes with which locations begin that some instruction accesses, in the order of locations; without their values. */
export function initialWrites(
  program: Program,
): readonly (Omit<Event, 'id' | 'path' | 'value'> & { readonly location: LocationId })[] {
  const { locations, instructions } = program;
  const accessed = accessedLocations(program);
  return [...locations.keys()].flatMap((location) => {
    const { empty, tags = [] } = locations[location];
    if (!accessed.has(location) || empty === true) return [];
    return {
      thread: INITIAL,
      label: instructions.initial ?? '',
      location,
      ...(tags.length > 0 && { tags }),
      ...owned(program, location),
    };
  });
}

/** The library and the object of an initial write. */
function owned(
  { locations, objects = [], instructions }: Program,
  location: LocationId,
): Pick<Event, 'library' | 'object'> {
  const { object } = locations[location];
  if (object !== undefined) return { library: objects[object].library, object };
  const library = instructions.libraries.find(({ plain }) => plain)?.name;
  return library === undefined ? {} : { library };
}
