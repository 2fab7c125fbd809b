/** The operational engine: a second way from a program to its final states (docs/operational.md). */
export { OPERATIONAL_MODELS } from './hardware.js';
export type { Hardware } from './hardware.js';
export { byMachine, machineFor } from './explorer.js';
export { unsupported } from './supported.js';
export { exploreOutcomes, findRun } from './explore.js';
export type { OperationalOutcomes, MachineRun, RunSearch } from './explore.js';
export type { ExploreOptions } from './search.js';
export { finalValue } from './machine.js';
export { describeRun } from './describe.js';
