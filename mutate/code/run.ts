import pLimit from 'p-limit';
import { withCopy } from './copy.js';
import type { CodeMutant } from './mutant.js';
import { told } from './mutant.js';
import { withPrograms } from './programs.js';
import type { Stage } from './stages.js';
import { allStages, stagesFor } from './stages.js';
import type { Catch } from './verdicts.js';
import { runStage } from './verdicts.js';

export interface RunCodeOptions {
  readonly mutants: readonly CodeMutant[];
  /** The folder of the corpus. */
  readonly corpus: string;
  /** How many mutants to run at a time. */
  readonly parallel: number;
  /** Hears each result as soon as it is there. */
  report(result: CodeResult): void;
}

export interface CodeResult {
  readonly mutant: CodeMutant;
  /** `endless`: with the mistake, a run takes many times as long. */
  readonly outcome: 'caught' | 'survived' | 'endless';
  /** Of a mutant that is caught: who caught it, and where first. */
  readonly by?: Catch;
}

/** A run with a mistake is ended when it has taken so many times as long as one without, and some seconds. */
const [TIMES, SECONDS] = [5, 15];

/**
 * Puts each mistake into a copy of the built Remora and has the copy check the corpus and generated programs, or has
 * test files run over it. The results come in the order of the list.
 *
 * @throws Error if the corpus departs without any mistake
 */
export function runCodeMutants(options: RunCodeOptions): Promise<readonly CodeResult[]> {
  const { mutants, corpus, parallel, report } = options;
  const limitFor = createHealthCheck();
  const limit = pLimit(parallel);
  return withPrograms((programs) => {
    const stages = allStages(corpus, programs);
    const run = async (mutant: CodeMutant): Promise<CodeResult> => {
      const result = await runMutant(mutant, stagesFor(stages, mutant.file), limitFor);
      report(result);
      return result;
    };
    return Promise.all(mutants.map((mutant) => limit(run, mutant)));
  });
}

function runMutant(
  mutant: CodeMutant,
  stages: readonly Stage[],
  limitFor: (stage: Stage) => Promise<number>,
): Promise<CodeResult> {
  return withCopy(mutant, async (folder) => {
    for (const stage of stages) {
      const finding = await runStage(folder, stage, await limitFor(stage), mutant);
      if (finding === 'ended') return { mutant, outcome: 'endless' };
      if (finding !== 'as expected') return { mutant, outcome: 'caught', by: finding };
    }
    return { mutant, outcome: 'survived' };
  });
}

/**
 * Checks, once a stage, that the stage passes without any mistake: else it would tell nothing. Gives the seconds that it may
 * take with one.
 */
function createHealthCheck(): (stage: Stage) => Promise<number> {
  const known = new Map<string, Promise<number>>();
  const check = (stage: Stage): Promise<number> =>
    withCopy(undefined, async (folder) => {
      const started = performance.now();
      const finding = await runStage(folder, stage, 600);
      if (finding === 'as expected') {
        return SECONDS + (TIMES * (performance.now() - started)) / 1000;
      }
      const what = finding === 'ended' ? 'it takes too long' : finding.where;
      throw new Error(`${stage.args.join(' ')} fails without any mistake: ${what}`);
    });
  return (stage) => {
    const key = [stage.command, ...stage.args].join(' ');
    const limit = known.get(key) ?? check(stage);
    known.set(key, limit);
    return limit;
  };
}

/** Counts, and a line for each mutant that is not caught. */
export function renderCode(results: readonly CodeResult[]): string {
  const count = (outcome: string): number => results.filter((r) => r.outcome === outcome).length;
  const counts = ['caught', 'endless', 'survived'].map((one) => `${count(one)} ${one}`).join(', ');
  const open = results
    .filter(({ outcome }) => outcome === 'survived')
    .map(({ mutant }) => `survived: ${told(mutant)}`);
  return [`code: ${results.length} mutants, ${counts}`, ...open].join('\n');
}
