import type { Pool } from '../check/pool.js';
import { departs, lostQueries } from '../check/expectation.js';
import type { Outcomes } from '../check/result.js';
import { CPU_MODEL, MAIN_MODELS } from '../model/shipped.js';
import type { Model } from '../model/term.js';
import { isRemote } from '../program/instructions.js';
import type { Test } from '../program/program.js';
import { allSubjects, observedSubjects } from '../program/subjects.js';
import { adapt } from '../program/translate.js';
import { goldenTable } from '../report/golden.js';
import { herdLog } from '../report/herd.js';
import { jsonLines, jsonOutcomes } from '../report/json.js';
import type { Record } from '../report/record.js';
import { checkText, compareText, outcomesText, testSummary, testText } from '../report/text.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS, INTERRUPTED, UNDECIDED } from './exit.js';
import { isFolder, readModels, readTests, renderFor } from './inputs.js';
import type { Run, RunOptions } from './run.js';
import { startRun } from './run.js';

/** Options that all commands share. */
export interface CommonOptions extends RunOptions {
  readonly bound?: number;
  readonly json?: boolean;
}

const print = (text: string): void => void process.stdout.write(text);
const complain = (errors: readonly string[]): void => {
  for (const error of errors) process.stderr.write(`${error}\n`);
};

/** One test under some models: what to run, and the records that it gives, one a model. */
function task(test: Test, models: readonly Model[], { bound }: CommonOptions) {
  return async (pool: Pool): Promise<readonly Record[]> => {
    const cases = models.map((model) => ({ model, adapted: adapt(test.program, model) }));
    const ready = cases.flatMap(({ model, adapted }) =>
      adapted.ok ? [{ model, test: { ...test, program: adapted.value.program } }] : [],
    );
    const answers = await pool.decide({
      kind: 'decide',
      models: ready.map((c) => c.model),
      tests: ready.map((c) => c.test),
      queries: test.queries.map((_, i) => i),
      ...(bound !== undefined && { bound }),
    });
    return cases.map(({ model, adapted }): Record => {
      const head = { test, model: model.name };
      if (!adapted.ok) {
        const reasons = adapted.errors.map((e) => e.message);
        return { ...head, answers: [], untranslatable: reasons.join('; ') };
      }
      const { note } = adapted.value;
      const found = answers[ready.findIndex((c) => c.model === model)];
      return { ...head, answers: found, ...(note !== undefined && { note }) };
    });
  };
}

/** Runs tasks and puts their records in one list. */
async function allRecords(
  run: Run,
  tasks: readonly ((pool: Pool) => Promise<readonly Record[]>)[],
): Promise<{ readonly results: readonly Record[]; readonly interrupted: boolean }> {
  const { results, interrupted } = await run.all(tasks);
  return { results: results.flat(), interrupted };
}

function exitCode(records: readonly Record[], badInput: boolean, interrupted: boolean): number {
  if (interrupted) return INTERRUPTED;
  if (badInput) return BAD_INPUT;
  const answers = records.flatMap((r) => r.answers.map((a) => ({ ...r, answer: a })));
  const contradicted = answers.some((a) =>
    departs(a.test.queries[a.answer.query], a.model, a.answer),
  );
  const lost = records.some(
    (r) => r.untranslatable !== undefined && lostQueries(r.test.queries, r.model).length > 0,
  );
  if (contradicted || lost) return DEPARTS;
  return answers.some((a) => a.answer.verdict === 'unknown') ? UNDECIDED : AS_EXPECTED;
}

/** `remora check`: every query of the files under the models. */
export async function check(
  paths: readonly string[],
  options: CommonOptions & { readonly model: readonly string[]; readonly herd?: boolean },
): Promise<number> {
  if (options.herd === true) return herd(paths, options);
  const run = startRun(options, paths.some(isFolder));
  const models = readModels(options.model);
  const tests = readTests(paths);
  complain([...models.errors, ...tests.errors]);
  const tasks = tests.items.map((test) => task(test, models.items, options));
  const { results, interrupted } = await allRecords(run, tasks);
  let badInput = models.errors.length + tests.errors.length > 0;
  for (const record of results) {
    if (record.untranslatable !== undefined) {
      badInput = true;
      const model = models.items.find((m) => m.name === record.model)!;
      const adapted = adapt(record.test.program, model);
      if (!adapted.ok) complain(renderFor(record.test, adapted.errors));
      if (options.json !== true) continue;
    }
    print(options.json === true ? lines(jsonLines(record)) : `${checkText(record)}\n`);
  }
  return exitCode(results, badInput, interrupted);
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

/** `remora test`: a corpus under many models, as a table, and what departs from the files. */
export async function test(
  paths: readonly string[],
  options: CommonOptions & { readonly model?: readonly string[]; readonly markdown?: boolean },
): Promise<number> {
  const started = performance.now();
  const run = startRun(options, paths.some(isFolder));
  const names = options.model ?? [...MAIN_MODELS, CPU_MODEL];
  const models = readModels(names);
  const tests = readTests(paths);
  complain([...models.errors, ...tests.errors]);
  // By default a CPU model is asked about CPU programs only: of others it has nothing to say.
  const concerns = (t: Test, m: Model) =>
    options.model !== undefined || m.name !== CPU_MODEL || !isRemote(t.program);
  const tasks = tests.items.map((t) => {
    const concerned = models.items.filter((m) => concerns(t, m));
    return task(t, concerned, options);
  });
  const { results, interrupted } = await allRecords(run, tasks);
  const columns = models.items.map((m) => m.name);
  if (options.json === true) for (const record of results) print(lines(jsonLines(record)));
  else if (options.markdown === true) print(goldenTable(results, columns));
  else if (results.length > 0) {
    print(`${testText(results, columns)}\n${testSummary(results, performance.now() - started)}`);
  }
  return exitCode(results, models.errors.length + tests.errors.length > 0, interrupted);
}

/** `remora compare`: which verdicts differ between two models. */
export async function compare(
  first: string,
  second: string,
  paths: readonly string[],
  options: CommonOptions,
): Promise<number> {
  const run = startRun(options, paths.some(isFolder));
  const models = readModels([first, second]);
  const tests = readTests(paths);
  const errors = [...models.errors, ...tests.errors];
  if (errors.length === 0 && models.items.length < 2) errors.push('compare needs two models');
  complain(errors);
  const tasks =
    models.items.length < 2 ? [] : tests.items.map((t) => task(t, models.items, options));
  const { results, interrupted } = await allRecords(run, tasks);
  if (options.json === true) for (const record of results) print(lines(jsonLines(record)));
  else if (results.length > 0) {
    print(compareText(results, [models.items[0].name, models.items[1].name]));
  }
  if (interrupted) return INTERRUPTED;
  if (errors.length > 0) return BAD_INPUT;
  const undecided = results.some((r) => r.answers.some((a) => a.verdict === 'unknown'));
  return undecided ? UNDECIDED : AS_EXPECTED;
}

interface Listing {
  readonly test: Test;
  readonly model: Model;
  readonly outcomes: Outcomes;
  readonly note?: string;
  readonly errors: readonly string[];
}

/** The final states of every test under every model. */
async function listings(
  paths: readonly string[],
  options: CommonOptions & { readonly model: readonly string[]; readonly all?: boolean },
): Promise<{ readonly listings: readonly Listing[]; readonly code: number }> {
  const run = startRun(options, paths.some(isFolder));
  const models = readModels(options.model);
  const tests = readTests(paths);
  complain([...models.errors, ...tests.errors]);
  const list =
    (t: Test, model: Model) =>
    async (workers: Pool): Promise<Listing> => {
      const adapted = adapt(t.program, model);
      const head = { test: t, model };
      const nothing = { states: [], flags: [], milliseconds: 0 };
      if (!adapted.ok) return { ...head, outcomes: nothing, errors: renderFor(t, adapted.errors) };
      const { program, note } = adapted.value;
      const outcomes = await workers.enumerate({
        kind: 'enumerate',
        models: [model],
        test: { ...t, program },
        subjects: subjectsOf(t, options.all),
        ...(options.bound !== undefined && { bound: options.bound }),
      });
      return { ...head, outcomes, errors: [], ...(note !== undefined && { note }) };
    };
  const tasks = tests.items.flatMap((t) => models.items.map((m) => list(t, m)));
  const { results, interrupted } = await run.all(tasks);
  for (const { errors } of results) complain(errors);
  const bad =
    models.errors.length + tests.errors.length > 0 || results.some((r) => r.errors.length > 0);
  const undecided = results.some((r) => r.outcomes.incomplete !== undefined);
  const code = interrupted ? INTERRUPTED : bad ? BAD_INPUT : undecided ? UNDECIDED : AS_EXPECTED;
  return { listings: results.filter((r) => r.errors.length === 0), code };
}

const subjectsOf = (t: Test, all?: boolean) =>
  all === true ? allSubjects(t.program) : observedSubjects(t.program, t.queries);

/** `remora outcomes`: every final state. */
export async function outcomes(
  paths: readonly string[],
  options: CommonOptions & {
    readonly model: readonly string[];
    readonly all?: boolean;
    readonly herd?: boolean;
  },
): Promise<number> {
  if (options.herd === true) return herd(paths, options);
  const { listings: all, code } = await listings(paths, options);
  for (const { test: t, model, outcomes: found, note } of all) {
    print(
      options.json === true
        ? lines([jsonOutcomes(t, model.name, found, note)])
        : `${outcomesText(t, model.name, found, subjectsOf(t, options.all), note)}\n`,
    );
  }
  return code;
}

/** `--herd`: the log of one model, which lists states whatever the command. */
async function herd(
  paths: readonly string[],
  options: CommonOptions & { readonly model: readonly string[]; readonly all?: boolean },
): Promise<number> {
  if (options.model.length !== 1) {
    complain(['--herd prints the log of one model: give just one']);
    return BAD_INPUT;
  }
  const { listings: all, code } = await listings(paths, options);
  for (const { test: t, outcomes: found } of all) {
    if (found.incomplete !== undefined) complain([`${t.file}: left out: ${found.incomplete}`]);
    else print(herdLog(t, subjectsOf(t, options.all), found));
  }
  return code;
}
