/**
 * What a model file may build on: the labels of events and the base relations of executions.
 * Everything else (`R`, `ippo`, `ib`, `ob`, …) is defined in cat.
 */

/** Event labels (the semantics page, "Events"), each a base set of cat. */
export const LABELS = [
  'lR',
  'lW',
  'CAS',
  'F',
  'P',
  'WT',
  'nlR',
  'nrW',
  'nrR',
  'nlW',
  'nF',
] as const;

export type Label = (typeof LABELS)[number];

/** Base sets: one for each label, and the initial writes (which are `lW` too). */
export const BASE_SETS: readonly string[] = [...LABELS, 'IW'];

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
   * - `path`: the executed events
   * - `choice`: nothing: each execution chooses
   */
  readonly by: 'identity' | 'events' | 'path' | 'choice';
  /**
   * How an execution may choose.
   *
   * - `source`: each read has one event before it
   * - `order`: of each two events that it relates at all, one comes before the other
   */
  readonly form?: 'source' | 'order';
}

/**
 * The base relations: the one place that says which there are. What the rest needs is taken from this
 * table, so that a relation is added here first.
 */
const RELATIONS = [
  { name: 'po', by: 'events', words: 'comes before the other in program order' },
  { name: 'rf', by: 'choice', form: 'source', words: 'is read by the other' },
  {
    name: 'mo',
    alias: 'co',
    by: 'choice',
    form: 'order',
    words: 'comes before the other in modification order',
  },
  {
    name: 'nfo',
    by: 'choice',
    form: 'order',
    words: 'comes before the other in NIC flush order',
  },
  { name: 'pf', by: 'path', words: 'is polled by the other' },
  { name: 'wf', by: 'events', words: 'is waited for by the other' },
  { name: 'loc', by: 'events', words: 'is at the location of the other' },
  { name: 'sthd', alias: 'int', by: 'events', words: 'is in the thread of the other' },
  { name: 'ext', by: 'events', words: 'is in another thread than the other' },
  { name: 'sqp', by: 'events', words: 'is on the queue pair of the other' },
  { name: 'id', by: 'identity', words: 'is the other' },
] as const satisfies readonly BaseRelation[];

type Entry = (typeof RELATIONS)[number];

/** The names of base relations that an execution chooses, and of those it chooses as orders. */
export type Chosen = Extract<Entry, { by: 'choice' }>['name'];
export type ChosenOrder = Extract<Entry, { form: 'order' }>['name'];

/** The names of base relations that may differ between executions of the same program. */
export type Varying = Extract<Entry, { by: 'choice' | 'path' }>['name'];

/** The names of base relations that have a definition by two events. */
export type ByEvents = Extract<Entry, { by: 'events' }>['name'];

const listed: readonly BaseRelation[] = RELATIONS;
const namesBy = (...by: readonly BaseRelation['by'][]): readonly string[] =>
  listed.filter((relation) => by.includes(relation.by)).map(({ name }) => name);

export const BASE_RELATIONS: readonly string[] = listed.map(({ name }) => name);
export const CHOSEN = namesBy('choice') as readonly Chosen[];
export const VARYING = namesBy('choice', 'path') as readonly Varying[];

const chosen: ReadonlySet<string> = new Set(CHOSEN);
const varying: ReadonlySet<string> = new Set(VARYING);
const orders: ReadonlySet<string> = new Set(
  listed.filter(({ form }) => form === 'order').map(({ name }) => name),
);

export const isChosen = (name: string): name is Chosen => chosen.has(name);
export const isVarying = (name: string): name is Varying => varying.has(name);
export const isOrder = (name: Chosen): name is ChosenOrder => orders.has(name);

/** Second names of base relations. */
export const BASE_ALIASES: ReadonlyMap<string, string> = new Map(
  listed.flatMap(({ name, alias }) => (alias === undefined ? [] : [[alias, name]])),
);

/** What an edge of a base relation means, by its name. */
export const BASE_WORDS: ReadonlyMap<string, string> = new Map(
  listed.map(({ name, words }) => [name, words]),
);
