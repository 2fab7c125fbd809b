/**
 * What every model can build on, whatever its instructions are: what the core itself knows of events.
 * Labels, tags and guessed relations are declared in model files (instructions/set.ts). Everything else
 * (`ippo`, `ib`, `ob`, …) is defined in cat.
 */

/**
 * - `R`, `W`: events that read, or write; `IW`: initial writes
 * - `CPU`, `NIC`: events whose label says that a CPU, or a NIC, performs them
 * - `shared`, `queued`: see `SHARED` and `QUEUED`
 */
export const BASE_SETS: readonly string[] = ['R', 'W', 'IW', 'CPU', 'NIC', 'shared', 'queued'];

/** A base relation of cat. */
export interface BaseRelation {
  readonly name: string;
  /** A second name, as herd7's users know it. */
  readonly alias?: string;
  /** What an edge means: "a rf b" is read "a …", and "the other" is b. */
  readonly words: string;
  /**
   * What tells which pairs are in it.
   *
   * - `identity`: nothing, it is the same for all events
   * - `events`: the two events of a pair, by the definition in `program/events/relations.ts`
   * - `choice`: nothing: each execution chooses; for what models guess besides, see `chosen.ts`
   */
  readonly by: 'identity' | 'events' | 'choice';
}

/**
 * The base relations: the one place that says which there are. What the rest needs is taken from this
 * table, so that a relation is added here first.
 */
const RELATIONS = [
  { name: 'po', by: 'events', words: 'comes before the other in program order' },
  { name: 'rf', by: 'choice', words: 'is read by the other' },
  { name: 'mo', alias: 'co', by: 'choice', words: 'comes before the other in modification order' },
  { name: 'loc', by: 'events', words: 'is at the location of the other' },
  { name: 'sthd', alias: 'int', by: 'events', words: 'is in the thread of the other' },
  { name: 'ext', by: 'events', words: 'is in another thread than the other' },
  { name: 'obj', by: 'events', words: 'is of a call on the object of the other' },
  { name: 'same', by: 'events', words: 'is of the call of the other' },
  { name: 'sqp', by: 'events', words: 'is on the queue pair of the other' },
  { name: 'scq', by: 'events', words: 'is on the completion queue of the other' },
  { name: 'ends', by: 'events', words: 'is at the other end of the other’s queue pair' },
  { name: 'sn', by: 'events', words: 'is towards the node of the other' },
  { name: 'nloc', by: 'events', words: 'is at a location of the node of the other’s' },
  { name: 'wid', by: 'events', words: 'has the work identifier of the other' },
  { name: 'data', by: 'events', words: 'is in what the other writes or posts' },
  { name: 'addr', by: 'events', words: 'is in the address of the other' },
  { name: 'ctrl', by: 'events', words: 'is in a condition before the other' },
  { name: 'id', by: 'identity', words: 'is the other' },
] as const satisfies readonly BaseRelation[];

/** The names of base relations that have a definition by two events. */
export type ByEvents = Extract<(typeof RELATIONS)[number], { by: 'events' }>['name'];

const listed: readonly BaseRelation[] = RELATIONS;

export const BASE_RELATIONS: readonly string[] = listed.map(({ name }) => name);

/** The base relations that every execution chooses. */
export const CHOSEN_RELATIONS: readonly string[] = listed
  .filter(({ by }) => by === 'choice')
  .map(({ name }) => name);

/** Second names of base relations. */
export const BASE_ALIASES: ReadonlyMap<string, string> = new Map(
  listed.flatMap(({ name, alias }) => (alias === undefined ? [] : [[alias, name]])),
);

/** What an edge of a base relation means, by its name. */
export const BASE_WORDS: ReadonlyMap<string, string> = new Map(
  listed.map(({ name, words }) => [name, words]),
);
