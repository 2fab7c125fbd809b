import { readFileSync } from 'node:fs';

/** A mutant that a file of the corpus says it guards: those of corpus/cells/, and a few others. */
export interface Guard {
  readonly mutant: string;
  readonly models: readonly string[];
}

/** The guards in the comments of a litmus file: `# guards ippo-nlW-nF under rdma-sc, rdma-tso`. */
export function guardsOf(file: string): readonly Guard[] {
  const lines = readFileSync(file, 'utf8').matchAll(/^# guards (\S+) under (.+)$/gm);
  return [...lines].map(([, mutant, models]) => ({ mutant, models: models.split(', ') }));
}
