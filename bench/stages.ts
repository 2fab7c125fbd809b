// Where the time goes, with the engine `smt` in one thread.
import type { Spread } from './process.js';
import { range, runScript, spread } from './process.js';
import type { StagesFound } from './stages-run.js';

export interface Stages extends Omit<StagesFound, 'stages'> {
  readonly rows: readonly { readonly stage: string; readonly milliseconds: Spread }[];
}

/** Milliseconds of each stage over the whole corpus under five models, each time in a new process. */
export function measureStages(runs: number): Stages {
  const results = range(runs).map(() => {
    const { objects, end } = runScript<object, StagesFound>('stages-run', {});
    if (end !== undefined) throw new Error(`stages: ${end}`);
    return objects[0];
  });
  const [{ stages, ...counts }] = results;
  const numbers = (of: (list: StagesFound['stages']) => number): Spread =>
    spread(results.map((r) => of(r.stages)));
  const sum = (list: StagesFound['stages']): number =>
    list.reduce((total, s) => total + s.milliseconds, 0);
  const rows = stages.map(({ stage }, i) => ({
    stage,
    milliseconds: numbers((list) => list[i].milliseconds),
  }));
  return { ...counts, rows: [...rows, { stage: 'all', milliseconds: numbers(sum) }] };
}
