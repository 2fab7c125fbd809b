// Where the time goes, with the engine `smt` in one thread.
import { range, runScript, spread } from './process.js';

/** Milliseconds of each stage over the whole corpus under five models, each time in a new process. */
export function measureStages(runs) {
  const results = range(runs).map(() => {
    const { objects, end } = runScript('stages-run.js', {});
    if (end !== undefined) throw new Error(`stages: ${end}`);
    return objects[0];
  });
  const [{ stages, ...counts }] = results;
  const numbers = (of) => spread(results.map((r) => of(r.stages)));
  const sum = (list) => list.reduce((total, s) => total + s.milliseconds, 0);
  const rows = stages.map(({ stage }, i) => ({
    stage,
    milliseconds: numbers((list) => list[i].milliseconds),
  }));
  return { ...counts, rows: [...rows, { stage: 'all', milliseconds: numbers(sum) }] };
}
