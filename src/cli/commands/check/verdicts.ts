import type { Engine } from '../../../rdma/engines.js';
import { refusal, takesAll } from '../../../rdma/prepare.js';
import { loadModelNamed } from '../../../node/models.js';
import { CPU_MODEL, MAIN_MODELS } from '../../../model/shipped.js';
import type { Model } from '../../../model/term.js';
import { isRemote } from '../../../program/instructions.js';
import type { Test } from '../../../program/program.js';
import { findingsOf } from '../../../report/finding.js';
import { modelsOf } from '../../inputs/clients.js';
import { begin, finish, outcomes } from '../../run/begin.js';
import { BAD_INPUT } from '../../command/exit.js';
import type { FormatName } from '../../print/formats.js';
import { chosen, formatNamed, spelling } from '../../print/formats.js';
import { corpusPaths, unusableOf } from '../../inputs/corpus.js';
import { complain, reportVerdicts } from '../../print/print.js';
import { STDIN } from '../../inputs/reader.js';
import { proofsIn } from '../../proofs/write.js';
import type { VerdictRow } from '../../run/decide.js';
import { decideTask } from '../../run/decide.js';
import type { Judging, VerdictOptions } from './judging.js';
import { DEFAULT_MODEL } from '../../run/options.js';
import { UsageError } from '../../command/usage.js';

/** `remora check`: every query of the files under the models. */
export const check = (paths: readonly string[], options: VerdictOptions): Promise<number> =>
  judge(judgingOf('check', options), paths, options);

/** `remora test`: a corpus under many models, as a table, and what departs from the files. */
export const test = (paths: readonly string[], options: VerdictOptions): Promise<number> =>
  judge(judgingOf('test', options), paths, options);

/** Which models such a command asks, and about which tests. */
export function judgingOf(command: Judging['command'], options: VerdictOptions) {
  if (command === 'check') {
    return { command, models: options.model ?? DEFAULT_MODEL, concerns: () => true };
  }
  const models = options.model ?? defaultModels(options.engine);
  // By default a CPU model is asked about CPU programs only: of others it has nothing to say.
  const concerns = (t: Test, m: Model) =>
    options.model !== undefined || m.name !== CPU_MODEL || !isRemote(t.program);
  return { command, models, concerns };
}

/** The models of `test` where none are named: the main ones that the engine can treat. */
function defaultModels(engine: Engine): readonly string[] {
  return [...MAIN_MODELS, CPU_MODEL].filter((name) => {
    if (takesAll(engine)) return true;
    const { model } = loadModelNamed(name);
    return !model.ok || refusal(engine, model.value) === undefined;
  });
}

/** Decides the queries, and reports in the format that is asked for. */
async function judge(
  what: Pick<Judging, 'command' | 'models' | 'concerns'>,
  paths: readonly string[],
  options: VerdictOptions,
): Promise<number> {
  const { command, models: names, concerns } = what;
  const { quiet = false } = options;
  const format = options.reporter === 'herd' ? 'herd' : chosen(command, options.reporter);
  const problem = misuse(options, format, [...names, ...paths]);
  if (problem !== undefined) throw new UsageError(problem);
  if (format === 'herd') return outcomes(paths, { ...options, reporter: format }, names);
  if (options.watch === true) {
    const { watch } = await import('./watch.js');
    return watch({ ...what, format, options }, corpusPaths(paths, options.shipped));
  }
  const started = performance.now();
  const work = await begin(command, names, paths, options);
  if (work === undefined) return BAD_INPUT;
  const { models, corpus, store } = work;
  const rule = { inputs: work.inputs, force: options.force };
  const proofs =
    options.proof === undefined
      ? undefined
      : proofsIn(options.proof, corpus, models.items, options.proofFormat ?? 'tree', options, rule);
  const tasks = corpus.tests.map((item) => {
    const concerned = models.items.filter((m) => concerns(item.test, m));
    const task = decideTask(item, modelsOf(item, concerned), options, store);
    return proofs?.proving(task, item) ?? task;
  });
  const finished = await finish(work, tasks, options.bail === true ? departing : undefined);
  const { results } = finished;
  const proven = proofs?.report() ?? true;
  const how = { ...finished.how, bad: finished.how.bad || !proven };
  const left = tasks.length - results.length;
  if (left > 0)
    complain([`stopped at the first departure: ${left} of ${tasks.length} tests are not decided`]);
  const columns = models.items.map((m) => m.name);
  const unusable = unusableOf(models, corpus);
  const milliseconds = performance.now() - started;
  const details = { models: columns, unusable, milliseconds, quiet };
  const rows = results.flat();
  if (options.update !== true || how.interrupted) {
    return reportVerdicts(rows, format, command === 'check', details, how);
  }
  const { update } = await import('./update.js');
  const updated = update(rows, options.library);
  const bad = how.bad || !updated.good;
  return reportVerdicts(updated.rows, format, command === 'check', details, { ...how, bad });
}

const departing = (rows: readonly VerdictRow[]): boolean =>
  rows.some(({ record }) => findingsOf(record).some(({ kind }) => kind === 'departs'));

/** What cannot be meant by these options, if anything. */
function misuse(
  options: VerdictOptions,
  format: FormatName,
  inputs: readonly string[],
): string | undefined {
  const { quiet, bail, watch, update } = options;
  const asked = spelling(format);
  const { partial, repeatable } = formatNamed(format);
  if (quiet === true && !partial) {
    return `--quiet leaves parts out, and ${asked} has to be whole`;
  }
  if (bail === true && format === 'herd') return '--bail is about verdicts, and --herd shows none';
  if (update === true && format !== 'table') {
    return `--update prints what it changes: it does not go with ${asked}`;
  }
  const fixed = inputs.includes(STDIN);
  if (update === true && fixed) return '--update writes files: it does not go with standard input';
  if (update === true && bail === true) return '--update does not go with --bail';
  if (options.proofFormat !== undefined && options.proof === undefined) {
    return '--proof-format is about proofs, which --proof asks for';
  }
  if (watch !== true) return undefined;
  if (!repeatable) return `--watch prints many reports: ${asked} is one`;
  if (fixed) return '--watch is about files: it does not go with standard input';
  for (const name of ['bail', 'update', 'shard', 'out', 'resume', 'proof'] as const) {
    if (options[name] !== undefined) return `--watch does not go with --${name}`;
  }
  return undefined;
}
