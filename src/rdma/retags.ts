import type { Exchange } from './hosts.js';
import { orderedAccesses } from './hosts.js';
import { isAbout } from '../model/depends.js';
import type { Model } from '../model/term.js';
import { instructionsOf, mapBodies, mapInstructions } from '../program/instructions.js';
import { programSet } from '../program/occasions.js';
import type { Call, Instruction, Location, LocationId, Program } from '../program/program.js';

/**
 * Other tags for the locations of one declaration, which are registered in another way; or for the instructions of one text, others in
 * their place: calls with other tags, and accesses with more order.
 */
export type Retag = (
  | { readonly locations: readonly LocationId[] }
  | { readonly calls: readonly Exchange[] }
) & { readonly kind: 'tag' | 'acquire'; readonly tags: readonly string[] };

/** The tags of locations that say in which memory of its node a location is. Where data is does not change. */
const MEMORIES: readonly string[] = ['gpu'];

/** Those that matter under a model. */
export const memoriesOf = (model: Model): readonly string[] =>
  MEMORIES.filter((tag) => isAbout(model, tag));

/**
 * The changes of tags that can matter under a model: of those that it declares, and whose set it uses. A location loses one, or
 * gets one in the place of all others of its kind, as tags may contradict each other. A call loses one that chooses no form, as
 * unsignalled work is signalled. Where the CPU orders little, an access gets more order.
 */
export function retagsOf(program: Program, model: Model): readonly Retag[] {
  return [
    ...retagsOfLocations(program, model),
    ...retagsOfCalls(program, model),
    ...orderedAccesses(program, model).map((calls): Retag => ({
      kind: 'acquire',
      calls,
      tags: [],
    })),
  ];
}

function retagsOfLocations(program: Program, model: Model): readonly Retag[] {
  const used = model.instructions.tags
    .filter(({ name, on }) => on === 'location' && isAbout(model, name))
    .map(({ name }) => name)
    .filter((name) => !MEMORIES.includes(name));
  if (used.length === 0) return [];
  return declarationsOf(program).flatMap((locations) => {
    const { tags = [] } = program.locations[locations[0]];
    const memories = tags.filter((tag) => MEMORIES.includes(tag));
    return used.map((tag) => ({
      kind: 'tag',
      locations,
      tags: tags.includes(tag) ? tags.filter((one) => one !== tag) : [...memories, tag],
    }));
  });
}

/** The calls of the members of a family have one text. */
function retagsOfCalls(program: Program, model: Model): readonly Retag[] {
  const { operations, tags: declared } = program.instructions;
  const isLeftOut = ({ operation }: Call, tag: string): boolean =>
    declared.some(({ name, on }) => name === tag && on === 'operation') &&
    !operations.some((one) => one.name === operation && one.tag === tag) &&
    isAbout(model, tag);
  const found = new Map<string, { thread: number; call: Call }[]>();
  for (const [thread, { body }] of program.threads.entries()) {
    for (const call of instructionsOf(body)) {
      if (call.kind !== 'call' || call.tags === undefined) continue;
      const key = `${call.span.file} ${call.span.start}`;
      found.set(key, [...(found.get(key) ?? []), { thread, call }]);
    }
  }
  return [...found.values()].flatMap((calls) => {
    const [{ call }] = calls;
    const { tags = [] } = call;
    return tags
      .filter((tag) => isLeftOut(call, tag))
      .map((tag) => {
        const left = tags.filter((one) => one !== tag);
        const changes = calls.map(({ thread, call: from }) => {
          return { thread, from, to: [{ ...from, tags: left.length === 0 ? undefined : left }] };
        });
        return { kind: 'tag', calls: changes, tags: left };
      });
  });
}

/** Are two changes of one thing? */
export const sameThing = (a: Retag, b: Retag): boolean =>
  'calls' in a
    ? 'calls' in b && a.calls[0].from === b.calls[0].from
    : 'locations' in b && a.locations[0] === b.locations[0];

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
    const retag = retags.find((some) => 'locations' in some && some.locations.includes(id));
    return retag === undefined ? one : { ...one, tags: retag.tags };
  });
  const exchanges = retags.flatMap((retag) => ('calls' in retag ? retag.calls : []));
  const instead = new Map(exchanges.map(({ from, to }) => [from, to] as const));
  const exchanged = (body: readonly Instruction[]): readonly Instruction[] =>
    mapInstructions(body, (i) => instead.get(i)?.map((one) => mapBodies(one, exchanged)));
  const threads = program.threads.map((t, thread) => {
    const more = exchanges.find((one) => one.thread === thread && one.register !== undefined);
    const registers = more === undefined ? t.registers : [...t.registers, more.register!];
    return { ...t, registers, body: exchanged(t.body) };
  });
  const changed = { ...program, locations, threads, symmetric: undefined };
  return { ...changed, instructions: programSet(changed, program.instructions) };
}
