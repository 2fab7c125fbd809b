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

/**
 * Base relations. `mo`/`co` and `sthd`/`int` are two names of one relation each.
 *
 * - `po`: program order, initial writes before everything else
 * - `rf`: reads-from; `mo` (`co`): modification order
 * - `nfo`: NIC flush order; `pf`: polls-from; `wf`: waits-for
 * - `loc`: same location; `sthd` (`int`): same thread; `ext`: different threads
 * - `sqp`: same queue pair; `id`: identity
 */
export const BASE_RELATIONS: readonly string[] = [
  'po',
  'rf',
  'mo',
  'nfo',
  'pf',
  'wf',
  'loc',
  'sthd',
  'ext',
  'sqp',
  'id',
];

/** Second names of base relations, as herd7's users know them. */
export const BASE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['co', 'mo'],
  ['int', 'sthd'],
]);

/** What an edge of a base relation means, in words: "a rf b" is read "a …", and "the other" is b. */
export const BASE_WORDS: ReadonlyMap<string, string> = new Map([
  ['po', 'comes before the other in program order'],
  ['rf', 'is read by the other'],
  ['mo', 'comes before the other in modification order'],
  ['nfo', 'comes before the other in NIC flush order'],
  ['pf', 'is polled by the other'],
  ['wf', 'is waited for by the other'],
  ['loc', 'is at the location of the other'],
  ['sthd', 'is in the thread of the other'],
  ['ext', 'is in another thread than the other'],
  ['sqp', 'is on the queue pair of the other'],
  ['id', 'is the other'],
]);
