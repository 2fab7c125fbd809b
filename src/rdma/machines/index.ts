/** The operational engine: a second way from a program to its final states (docs/operational.md). */
export { OPERATIONAL_MODELS, machineFor } from './hardware.js';
export type { Hardware } from './hardware.js';
export { unsupported } from './supported.js';
export { exploreOutcomes, findRun } from './explore.js';
export type { OperationalOutcomes, MachineRun, RunSearch } from './explore.js';
export type { ExploreOptions } from './search.js';
export { finalValue } from './machine.js';
export { describeRun } from './describe.js';
