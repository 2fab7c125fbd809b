/** Mistakes in Remora's own code, and whether the corpus catches them. */
export type { CodeMutant } from './mutant.js';
export { mutantsOfFile, mutantsOfSource, mutatedText, told } from './mutant.js';
export { PURE, runInProcess } from './in-process.js';
export { LEFT_OUT, OPEN } from './left-out.js';
export type { Chosen } from './sources.js';
export { chosenMutants, codeMutants, isMeant, isOpen, sampleOf, sourceFiles } from './sources.js';
export type { Catch } from './verdicts.js';
export type { CodeResult, RunCodeOptions } from './run.js';
export { renderCode, runCodeMutants } from './run.js';
export type { ProofResult } from './wrong-noes.js';
export { renderProofs, runProofMutants } from './wrong-noes.js';
