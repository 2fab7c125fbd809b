/** `check` and `test`: they decide every query, and compare the verdicts with the expectations of files. */
import { loadModelNamed } from '../../../node/models.js';
import { CPU_MODEL, MAIN_MODELS } from '../../../model/shipped.js';
import type { Model } from '../../../model/term.js';
import { isRemote } from '../../../program/instructions.js';
import type { Test } from '../../../program/program.js';
import type { Engine } from '../../../rdma/engines.js';
import { refusal, takesAll } from '../../../rdma/prepare.js';
import { plural } from '../../../report/explain-style.js';
import { findingsOf } from '../../../report/finding.js';
import { UsageError } from '../../command/usage.js';
import { isClient, modelsOf } from '../../inputs/clients.js';
import type { CorpusTest } from '../../inputs/corpus.js';
import { corpusPaths, unusableOf } from '../../inputs/corpus.js';
import { STDIN } from '../../inputs/reader.js';
import type { FormatName } from '../../print/formats.js';
import { formatNamed, spelling } from '../../print/formats.js';
import { formatsOf, verdictReport } from '../../print/reports.js';
import { proofsIn } from '../../proofs/write.js';
import type { CommandWork } from '../../run/answer.js';
import { answer } from '../../run/answer.js';
import type { Work } from '../../run/begin.js';
import { begin } from '../../run/begin.js';
import type { VerdictRow } from '../../run/decide.js';
import { decideTask } from '../../run/decide.js';
import { DEFAULT_MODEL } from '../../run/options.js';
import { outcomes } from '../outcomes.js';
import type { Judging, VerdictOptions } from './judging.js';
import type { Updated } from './update.js';

/** `remora check`: every query of the files under the models. */
export const check = (paths: readonly string[], options: VerdictOptions): Promise<number> =>
  decideAll(judgingOf('check', options), paths, options);

/** `remora test`: a corpus under many models, as a table, and the verdicts that depart. */
export const test = (paths: readonly string[], options: VerdictOptions): Promise<number> =>
  decideAll(judgingOf('test', options), paths, options);

/** The models of such a command, and the tests that each is asked about. */
export function judgingOf(command: Judging['command'], options: VerdictOptions) {
  if (command === 'check') {
    return { command, models: options.model ?? DEFAULT_MODEL, concerns: () => true };
  }
  const models = options.model ?? defaultModels(options.engine);
  // By default a CPU model is only asked about CPU programs, since others have no execution under it.
  const concerns = (t: Test, m: Model) =>
    options.model !== undefined || m.name !== CPU_MODEL || !isRemote(t.program);
  return { command, models, concerns };
}

/** The default models of `test`: the main models that the engine takes. */
function defaultModels(engine: Engine): readonly string[] {
  return [...MAIN_MODELS, CPU_MODEL].filter((name) => {
    if (takesAll(engine)) return true;
    const { model } = loadModelNamed(name);
    return !model.ok || refusal(engine, model.value) === undefined;
  });
}

/** Decides the queries, and reports in the format that is asked for. */
async function decideAll(
  what: Pick<Judging, 'command' | 'models' | 'concerns'>,
  paths: readonly string[],
  options: VerdictOptions,
): Promise<number> {
  const { command, models: names } = what;
  const format = options.reporter ?? formatsOf(command)[0];
  const problem = misuse(options, format, [...names, ...paths]);
  if (problem !== undefined) throw new UsageError(problem);
  if (format === 'herd') return outcomes(paths, { ...options, reporter: format }, names);
  const judging = { ...what, format, options };
  if (options.watch === true) {
    const { watch } = await import('./watch.js');
    return watch(judging, corpusPaths(paths, options.shipped));
  }
  const started = performance.now();
  const work = await begin(command, names, paths, options);
  return answer(work.run, 'refused' in work ? work : questionsAbout(judging, work, started));
}

/** The tasks for workers, and how their results are reported. */
function questionsAbout(
  { command, concerns, format, options }: Judging,
  { models, corpus, files, store, bad }: Work,
  started: number,
): CommandWork<readonly VerdictRow[]> {
  const { quiet = false } = options;
  const rule = { inputs: files, force: options.force };
  const proofs =
    options.proof === undefined
      ? undefined
      : proofsIn(options.proof, corpus, models.items, options.proofFormat ?? 'tree', options, rule);
  const tasks = corpus.tests.map((item) => {
    const concerned = models.items.filter((m) => concerns(item.test, m));
    const task = decideTask(item, modelsOf(item, concerned), options, store);
    return proofs?.proving(task, item) ?? task;
  });
  return {
    ...{ bad, tasks, store },
    last: options.bail === true ? departing : undefined,
    async report(results, interrupted) {
      const details = {
        models: models.items.map((m) => m.name),
        unusable: unusableOf(models, corpus),
        milliseconds: performance.now() - started,
        quiet,
      };
      const proven = proofs?.report() ?? { said: [], bad: false };
      const updated = await updatedRows(results.flat(), options, interrupted);
      const report = verdictReport(updated.rows, format, command === 'check', details);
      return {
        ...report,
        said: [
          ...proven.said,
          ...stopped(results.length, tasks.length),
          ...updated.problems,
          ...(command === 'test' && options.model === undefined && takesAll(options.engine)
            ? unasked(corpus.tests, models.items)
            : []),
          ...(report.said ?? []),
        ],
        bad: proven.bad || updated.problems.length > 0 || report.bad === true,
        text: updated.differences + report.text,
      };
    },
  };
}

/** With `--update`, the files are rewritten. */
async function updatedRows(
  rows: readonly VerdictRow[],
  { update: isAsked, library }: VerdictOptions,
  interrupted: boolean,
): Promise<Updated> {
  if (isAsked !== true || interrupted) return { rows, differences: '', problems: [] };
  const { update } = await import('./update.js');
  return update(rows, library);
}

const stopped = (decided: number, tests: number): readonly string[] =>
  decided === tests
    ? []
    : [`stopped at the first departure: ${tests - decided} of ${tests} tests are not decided`];

/** Says how many expectations hold or fail unseen, as nobody named models, and they are about others than the main ones. */
function unasked(tests: readonly CorpusTest[], asked: readonly Model[]): readonly string[] {
  const known = new Set(asked.map(({ name }) => name));
  const others = tests.flatMap(({ test }) =>
    (isClient(test) ? [] : test.queries).flatMap(({ expectations }) =>
      expectations.flatMap(({ models }) => models.filter(({ text }) => !known.has(text))),
    ),
  );
  if (others.length === 0) return [];
  const names = [...new Set(others.map(({ text }) => text))].sort();
  const some = names.length <= MOST_NAMES ? names : [...names.slice(0, MOST_NAMES), '…'];
  return [
    `not asked: ${plural(others.length, 'expectation')} under ${some.join(', ')}; with -m, any models are asked`,
  ];
}

/** Of more models than these, some are named. */
const MOST_NAMES = 4;

const departing = (rows: readonly VerdictRow[]): boolean =>
  rows.some(({ record }) => findingsOf(record).some(({ kind }) => kind === 'departs'));

/** Why these options cannot be meant together, or undefined. */
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
