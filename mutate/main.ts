import { parseArgs } from 'node:util';
import type { Chosen } from './code/index.js';
import {
  chosenMutants,
  isOpen,
  renderCode,
  renderProofs,
  runCodeMutants,
  runProofMutants,
} from './code/index.js';
import { runLibraryMutants } from './libraries/index.js';
import { MODELS, mutantsOf } from './models/index.js';
import { WORKER, runTasks, work } from './run/processes.js';
import { isGood, render, summarize } from './run/report.js';
import type { Outcome, Task } from './run/task.js';

/**
 * Runs the corpus against every mutant of the shipped models, of Remora's own code, and of libraries and their
 * implementations:
 *
 *     npm run mutate [-- [--model NAME] [--only REGEX] [--no-code] [--sample N] [--seed TEXT]]
 *     npm run mutate -- --proofs [--only REGEX] [--sample N] [--seed TEXT]
 *
 * Of the code there are thousands of mutants, and a sample of 200 is run; with `--only src/encode/bounds/`, all that have such a name.
 * Names of libraries' mutants have a slash, too: `--no-code --only /` runs them alone.
 * Fails if a mutant of a model or a library survives that is not listed as equivalent, or if one that is listed is caught, and if a mutant
 * of the code survives that `code/left-out.ts` does not name as open. With `--proofs`, mutants of what decides have to prove what they get
 * wrong: fails if one comes up with a proof that holds.
 */

const PROCESSES = 2;

/** So many mutants a task. */
const PORTION = 40;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      model: { type: 'string' },
      only: { type: 'string' },
      'no-code': { type: 'boolean', default: false },
      proofs: { type: 'boolean', default: false },
      sample: { type: 'string' },
      seed: { type: 'string', default: process.env['REMORA_SEED'] ?? '1' },
    },
  });
  const started = performance.now();
  const only = values.only === undefined ? undefined : new RegExp(values.only);
  const chosen: Chosen = {
    ...(only !== undefined && { only }),
    ...(values.sample !== undefined && { sample: Number(values.sample) }),
    seed: values.seed,
  };
  if (values.proofs) return runProofs(chosen);
  const models = MODELS.filter((m) => values.model === undefined || m === values.model);
  const modelsAreGood = await runModelMutants(models, only);
  const codeIsGood = values['no-code'] || values.model !== undefined || (await runCode(chosen));
  const librariesAreGood = values.model !== undefined || (await runLibraryMutants(only));
  console.log(`\n${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (!modelsAreGood || !codeIsGood || !librariesAreGood) process.exitCode = 1;
}

async function runModelMutants(
  models: readonly string[],
  only: RegExp | undefined,
): Promise<boolean> {
  const tasks = models.flatMap((model): Task[] => {
    const names = mutantsOf(model)
      .map(({ name }) => name)
      .filter((name) => only === undefined || only.test(name));
    // The recursive model's mutants are cheapest when they are run all at once.
    const portion = model === 'rdma-tso-rec' ? names.length : PORTION;
    return Array.from({ length: Math.ceil(names.length / portion) }, (_, i) => ({
      model,
      names: names.slice(i * portion, (i + 1) * portion),
    }));
  });
  const outcomes: Outcome[] = [];
  const total = tasks.reduce((sum, { names }) => sum + names.length, 0);
  await runTasks(process.argv[1], tasks, PROCESSES, (done) => {
    outcomes.push(...done);
    if (process.stderr.isTTY) process.stderr.write(`\r${outcomes.length} of ${total} mutants `);
  });
  if (process.stderr.isTTY) process.stderr.write('\r');
  const summaries = models.map((model) => summarize(model, outcomes));
  console.log(render(summaries));
  return summaries.every(isGood);
}

async function runCode(chosen: Chosen): Promise<boolean> {
  const results = await runCodeMutants({
    mutants: chosenMutants(chosen),
    corpus: 'corpus',
    parallel: PROCESSES,
    report: ({ mutant, outcome }) =>
      process.stderr.isTTY && process.stderr.write(`${outcome} ${mutant.name}\n`),
  });
  console.log(`\n${renderCode(results)}`);
  return results.every(({ mutant, outcome }) => outcome !== 'survived' || isOpen(mutant));
}

async function runProofs(chosen: Chosen): Promise<void> {
  const results = await runProofMutants({
    mutants: chosenMutants(chosen),
    corpus: 'corpus',
    parallel: PROCESSES,
    report: ({ mutant }) => process.stderr.isTTY && process.stderr.write(`${mutant.name}\n`),
  });
  console.log(renderProofs(results));
  if (results.some(({ proved, unheard }) => proved.length > 0 || unheard > 0)) process.exitCode = 1;
}

await (process.argv.includes(WORKER) ? work() : main());
