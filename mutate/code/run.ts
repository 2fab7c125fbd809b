import pLimit from 'p-limit';
import { withCopy } from './copy.js';
import type { CodeMutant } from './mutant.js';
import { codeMutants } from './mutants/index.js';
import { withPrograms } from './programs.js';
import type { Stage } from './stages.js';
import { allStages } from './stages.js';
import type { Catch } from './verdicts.js';
import { runStage } from './verdicts.js';

export interface RunCodeOptions {
  /** The folder of the corpus. */
  readonly corpus: string;
  /** How many mutants to run at a time. */
  readonly parallel: number;
  /** Only mutants with names that match; all without it. */
  readonly only?: RegExp;
  /** Hears each result as soon as it is there. */
  report(result: CodeResult): void;
}

export interface CodeResult {
  readonly mutant: CodeMutant;
  /** `invalid`: with the mistake nothing works, so that it shows nothing about the corpus. */
  readonly outcome: 'caught' | 'survived' | 'invalid';
  /** Of a mutant that is caught: who caught it, and where first. */
  readonly by?: Catch;
  /** Of an invalid mutant: what is wrong. */
  readonly why?: string;
  readonly milliseconds: number;
}

/**
 * Puts each mistake into a copy of the built Remora and has the copy check the corpus and generated programs, or has
 * test files run over it. The results come in the order of the list.
 *
 * @throws Error if the corpus departs without any mistake, or if a mutant does not fit the code
 */
export function runCodeMutants(options: RunCodeOptions): Promise<readonly CodeResult[]> {
  const { corpus, parallel, only, report } = options;
  const healthy = createHealthCheck();
  const limit = pLimit(parallel);
  const chosen = codeMutants.filter(({ name }) => only === undefined || only.test(name));
  return withPrograms((programs) => {
    const { of, rest } = allStages(corpus, programs);
    const stagesFor = ({ file }: CodeMutant) =>
      of.find(([folder]) => file.startsWith(folder))?.[1] ?? rest;
    const run = async (mutant: CodeMutant): Promise<CodeResult> => {
      const result = await runMutant(mutant, stagesFor(mutant), healthy);
      report(result);
      return result;
    };
    return Promise.all(chosen.map((mutant) => limit(run, mutant)));
  });
}

async function runMutant(
  mutant: CodeMutant,
  stages: readonly Stage[],
  healthy: (stage: Stage) => Promise<void>,
): Promise<CodeResult> {
  const started = performance.now();
  const result = (rest: Pick<CodeResult, 'outcome' | 'by' | 'why'>): CodeResult => ({
    mutant,
    ...rest,
    milliseconds: performance.now() - started,
  });
  return withCopy(mutant, async (folder) => {
    for (const stage of stages) {
      await healthy(stage);
      const finding = await runStage(folder, stage, mutant);
      if (finding.kind === 'caught') return result({ outcome: 'caught', by: finding.by });
      if (finding.kind === 'broken') return result({ outcome: 'invalid', why: finding.why });
    }
    return result({ outcome: 'survived' });
  });
}

/** Checks, once a stage, that the stage passes without any mistake: else it would tell nothing. */
function createHealthCheck(): (stage: Stage) => Promise<void> {
  const known = new Map<Stage, Promise<void>>();
  return (stage) => {
    const checked =
      known.get(stage) ??
      withCopy(undefined, async (folder) => {
        const finding = await runStage(folder, stage);
        if (finding.kind === 'as expected') return;
        const args = stage.args.join(' ');
        if (finding.kind === 'ended') throw new Error(`without any mistake, too slow: ${args}`);
        const what = finding.kind === 'caught' ? finding.by.where : finding.why;
        throw new Error(`the corpus departs without any mistake: ${what}`);
      });
    known.set(stage, checked);
    return checked;
  };
}
