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
