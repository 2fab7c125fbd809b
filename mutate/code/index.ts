/** Mistakes in Remora's own code, and whether the corpus catches them. */
export type { CodeMutant } from './mutant.js';
export { compileMutant } from './mutant.js';
export { codeMutants } from './mutants/index.js';
export type { Catch } from './verdicts.js';
export type { CodeResult, RunCodeOptions } from './run.js';
export { runCodeMutants } from './run.js';
export type { ProofResult } from './wrong-noes.js';
export { renderProofs, runProofMutants } from './wrong-noes.js';
