import { dependsOn } from '../model/depends.js';
import type { Model } from '../model/term.js';
import type { Location, LocationId, Program } from '../program/program.js';

/** Other tags for the locations of one declaration: they are registered in another way. */
export interface Retag {
  readonly locations: readonly LocationId[];
  readonly tags: readonly string[];
}

/**
 * The changes of tags that can matter under a model: of those that it declares for locations, and whose set it uses. A
 * location loses one, or gets one in the place of all that it has, as tags may contradict each other.
 */
export function retagsOf(program: Program, model: Model): readonly Retag[] {
  const used = model.instructions.tags
    .filter(({ name, on }) => on === 'location' && dependsOn(model, name))
    .map(({ name }) => name);
  if (used.length === 0) return [];
  return declarationsOf(program).flatMap((locations) => {
    const { tags = [] } = program.locations[locations[0]];
    return used.map((tag) => ({
      locations,
      tags: tags.includes(tag) ? tags.filter((one) => one !== tag) : [tag],
    }));
  });
}

/** The locations that the file declares at nodes. Those of a family have one declaration. */
function declarationsOf({ locations }: Program): readonly (readonly LocationId[])[] {
  const found = new Map<string, LocationId[]>();
  for (const [id, one] of locations.entries()) {
    if (!isDeclared(one)) continue;
    const key = `${one.span!.file} ${one.span!.start}`;
    found.set(key, [...(found.get(key) ?? []), id]);
  }
  return [...found.values()];
}

const isDeclared = ({ owner, object, hidden, span }: Location): boolean =>
  span !== undefined && owner === undefined && object === undefined && hidden !== true;

/** The program with changed tags. What was symmetric may be so no more. */
export function retagged(program: Program, retags: readonly Retag[]): Program {
  if (retags.length === 0) return program;
  const locations = program.locations.map((one, id) => {
    const retag = retags.find((some) => some.locations.includes(id));
    return retag === undefined ? one : { ...one, tags: retag.tags };
  });
  return { ...program, locations, symmetric: undefined };
}
