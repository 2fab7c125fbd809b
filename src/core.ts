/**
 * Remora's core, for wherever JavaScript runs: from texts to verdicts and final states. Explanations, fixes and pictures are
 * apart, as they are larger than all of it. Model files come from whoever has them (`ModelFiles`), and the work is done by
 * whoever is there for it (`Pool`): this thread (`inProcess`), or workers. Nothing here needs Node. Where there is no solver
 * to ask, what the search gives up stays open.
 */
export type { ModelFiles, LoadedModel } from './model/load.js';
export { parseModel } from './model/load.js';
export { deciding, expectedNames, loadModelNamed } from './model/shipped.js';
export type { Model } from './model/term.js';
export type { Diagnostic, Result, SourceFile } from './parse/diagnostics/index.js';
export { renderDiagnostic } from './parse/diagnostics/index.js';
export type { Test } from './program/program.js';
export { readTest, setCReader } from './program/read.js';
export { allSubjects, observedSubjects } from './program/subjects.js';
export type { Engine } from './rdma/engines.js';
export { ENGINES } from './rdma/engines.js';
export { prepare } from './rdma/prepare.js';
export type { Pool } from './analyses/workers.js';
export { GAVE_UP } from './check/stages.js';
export type { Answer } from './check/result.js';
export { inProcess } from './analyses/in-process.js';
export type { Fix } from './analyses/repair/fix.js';
export type { Client } from './program/client.js';
export { setHerdReader } from './parse/litmus.js';
export type { ReadContext } from './program/read.js';
export { readTestOrClient } from './program/read.js';
export { interned, instructionUnion } from './model/instructions/union.js';
export { isStateQuery } from './program/program.js';
export { showQuery } from './program/print.js';
export type { VerdictRecord } from './report/record.js';
export { showState } from './report/record.js';
