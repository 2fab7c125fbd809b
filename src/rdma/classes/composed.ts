import type { InstructionSet } from '../../model/instructions/set.js';
import { constantLocation } from '../../program/constant-location.js';
import { programSet } from '../../program/occasions.js';
import type { Location, LocationId, Program, Thread } from '../../program/program.js';
import { wiresOf } from '../../program/wires.js';
import type { Alphabet } from './alphabet.js';
import type { Draft, DraftCall, DraftThread } from './draft.js';
import { declared, renamed } from './renamed.js';
import { FIRST_VALUE, registersOf, skeletonKey, skeletonOf } from './skeleton.js';

/**
 * Makes programs of calls, of which each kind is read as text once. The same as if a whole program were read, but for places in
 * the text.
 */
export class Composer {
  /** Programs of one call. */
  private readonly alone = new Map<string, Program>();

  /** @param read reads a program from its text */
  constructor(
    private readonly marks: Alphabet['marks'],
    private readonly instructions: InstructionSet,
    private readonly read: (draft: Draft) => Program,
  ) {}

  program(draft: Draft): Program {
    const { instructions, marks } = this;
    const nodes = Array.from({ length: draft.nodes }, (_, node) => `${node + 1}`);
    const { made: locations, at } = declared(draft, nodes, marks);
    const threads = draft.threads.map((thread, t): Thread => {
      const parts = thread.calls.map((call) => this.part(draft, thread, call));
      const registers = registersOf(thread.calls);
      const body = parts.flatMap((part, i) => {
        const to = renaming(part, t, draft, thread.calls[i], locations, at);
        return part.threads[0].body.map((one) =>
          renamed(one, { ...to, register: () => registers.indexOf(thread.calls[i].register) }),
        );
      });
      const pairs = parts.flatMap((part) => part.threads[0].queuePairs ?? []);
      const isFirst = (one: (typeof pairs)[number], i: number): boolean =>
        pairs.findIndex(({ name }) => name === one.name) === i;
      return {
        ...{ name: `T${t + 1}`, node: nodes[thread.node], registers, body },
        ...(pairs.length > 0 && { queuePairs: pairs.filter(isFirst) }),
      };
    });
    const program = { instructions, nodes, locations, threads, ghosts: [] };
    locations.push(...wiresOf(program, wrong, () => {}));
    return { ...program, instructions: programSet(program, instructions) };
  }

  private part({ nodes, locations }: Draft, { node }: DraftThread, call: DraftCall): Program {
    const one = { nodes, locations, threads: [{ node, calls: [call] }] };
    const key = skeletonKey(one);
    const part = this.alone.get(key) ?? this.read(skeletonOf(one));
    this.alone.set(key, part);
    return part;
  }
}

/** What stands in a program for what a program of one of its calls is about. */
function renaming(
  part: Program,
  thread: number,
  draft: Draft,
  { places, numbers }: DraftCall,
  locations: Location[],
  at: readonly LocationId[],
) {
  const values = [...places.map((place) => draft.locations[place].initial), ...numbers];
  const number = (value: number): number =>
    value < FIRST_VALUE ? value : values[value - FIRST_VALUE];
  return {
    number,
    location(id: LocationId): LocationId {
      const { owner, node, initial } = part.locations[id];
      if (owner === undefined) return at[places[initial - FIRST_VALUE]];
      return constantLocation(locations, thread, node, number(initial));
    },
  };
}

function wrong(_: unknown, message: string): never {
  throw new Error(`a program that was made is wrong: ${message}`);
}
