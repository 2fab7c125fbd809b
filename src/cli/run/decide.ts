/** The tasks for one litmus file. Results in a file of results are not computed again. */
import { prepare } from '../../rdma/prepare.js';
import type { Pool } from '../../analyses/workers.js';
import { INTERRUPTION } from '../../check/result.js';
import type { Answer, Outcomes } from '../../check/result.js';
import type { Result } from '../../parse/diagnostics/index.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import { allSubjects, observedSubjects } from '../../program/subjects.js';
import { isC } from '../../program/read.js';
import { hasMachine } from '../../machine/layers.js';
import type { Adapted } from '../../rdma/translate.js';
import { jsonLines, jsonOutcomes } from '../../report/json.js';
import type { VerdictRecord } from '../../report/record.js';
import { testUnder } from '../inputs/clients.js';
import type { Corpus, CorpusFile, CorpusTest } from '../inputs/corpus.js';
import { render, renderFor } from '../inputs/messages.js';
import type { CommonOptions } from './options.js';
import type { AskedModel, FileEntry } from '../results/format.js';
import { asCompiled } from './compiled.js';
import { withLines } from './in-c.js';
import type { CommandTask } from './tasks.js';
import { savedAnswers, isComplete, isDecided } from '../results/read.js';
import { shardKey } from '../inputs/shard.js';
import type { ResultStore } from '../results/store.js';

/** A test under a model; `error`: why it is not translated, with the place. */
export interface VerdictRow {
  readonly record: VerdictRecord;
  readonly error?: string;
}

/** The final states of a test under a model; none with an `error`. */
export interface OutcomesRecord {
  readonly test: Test;
  readonly model: string;
  readonly outcomes: Outcomes;
  readonly note?: string;
  readonly error?: string;
}

type Options = CommonOptions & {
  readonly all?: boolean;
  /** Which queries are asked, by index; all without it. */
  readonly asked?: readonly number[];
  /** How many calls of a thread can be unfinished on one queue pair, in an exploration without a bound of loops. */
  readonly room?: number;
};

/** A test translated for a model, or why it cannot be. */
interface FittedTest {
  readonly model: Model;
  readonly test: Test;
  readonly adapted: Result<Adapted>;
  readonly asked: AskedModel;
}

/**
 * Decides every query of a test under some models: one row a model.
 *
 * @param asked the models of plain programs: a client brings its own
 */
export function decideTask(
  item: CorpusTest,
  models: readonly Model[],
  options: Options,
  store: ResultStore | undefined,
): CommandTask<readonly VerdictRow[]> {
  const decide = async (pool: Pool): Promise<readonly VerdictRow[]> => {
    const { source } = item;
    // Answers about runs show runs.
    const asksOfRuns = !item.test.queries.every(isStateQuery);
    const test = asksOfRuns ? await withLines(item.test, source, models) : item.test;
    const cases = casesOf({ ...item, test }, models, options);
    const known = cases.map(({ model }) =>
      savedAnswers(store?.results, test, shardKey(source), model.name),
    );
    const decided = await decideRest(pool, test, cases, known, options);
    const found = isC(source.path)
      ? await Promise.all(
          decided.map((answers, i) =>
            asCompiled(
              pool,
              adaptedTest(cases[i]),
              cases[i].model,
              answers,
              searchOptions(options),
            ),
          ),
        )
      : decided;
    const rows = cases.map(({ asked: { error, ...head } }, i): VerdictRow => {
      const all = new Map([...known[i], ...found[i]].map((answer) => [answer.query, answer]));
      const answers = [...all.values()].sort((a, b) => a.query - b.query);
      const untranslatable = head.untranslatable !== undefined;
      const { asked } = options;
      const record = { test, source, asked, ...head, answers: untranslatable ? [] : answers };
      return { record, error };
    });
    if (store !== undefined) {
      const entry = entryOf(item, cases);
      const old = store.has(entry);
      const lines = rows.flatMap(({ record }, i) =>
        record.untranslatable === undefined
          ? jsonLines(withAnswers(record, found[i].filter(isFinal)), true)
          : old
            ? []
            : jsonLines(record),
      );
      const all = found.every((answers) => answers.every(isFinal));
      if (lines.length > 0 || (all && !old)) store.add(entry, lines);
    }
    return rows;
  };
  return { name: item.test.name, do: decide };
}

/** A record with these answers only. */
const withAnswers = (record: VerdictRecord, answers: readonly Answer[]): VerdictRecord => ({
  ...record,
  asked: answers.map(({ query }) => query),
  answers,
});

const isFinal = (answer: Answer): boolean => isDecided(answer) || answer.reason !== INTERRUPTION;

/** Decides the queries that have no verdict yet. Models that lack the same queries are tried together. */
async function decideRest(
  pool: Pool,
  test: Test,
  cases: readonly FittedTest[],
  known: readonly (readonly Answer[])[],
  options: Options,
): Promise<readonly (readonly Answer[])[]> {
  const found: (readonly Answer[])[] = cases.map(() => []);
  const groups = new Map<string, number[]>();
  const lacking = known.map((answers) => {
    const decided = new Set(answers.filter(isDecided).map((a) => a.query));
    return (options.asked ?? [...test.queries.keys()]).filter((q) => !decided.has(q));
  });
  cases.forEach(({ adapted }, i) => {
    if (!adapted.ok || lacking[i].length === 0) return;
    const key = lacking[i].join();
    groups.set(key, [...(groups.get(key) ?? []), i]);
  });
  for (const group of groups.values()) {
    const answers = await pool.decide({
      kind: 'decide',
      models: group.map((i) => cases[i].model),
      tests: group.map((i) => adaptedTest(cases[i])),
      queries: lacking[group[0]],
      ...searchOptions(options),
    });
    group.forEach((i, k) => (found[i] = answers[k]));
  }
  return found;
}

/** Lists the final states of a test under some models: one task a model. */
export function outcomesTasks(
  item: CorpusTest,
  models: readonly Model[],
  options: Options,
  store: ResultStore | undefined,
): readonly CommandTask<OutcomesRecord>[] {
  const { source } = item;
  const cases = casesOf(item, models, options);
  const entry = entryOf(item, cases);
  const list = async (one: FittedTest, pool: Pool): Promise<OutcomesRecord> => {
    const { test } = one;
    const { model, note, error } = one.asked;
    const head = { test, model, note };
    if (error !== undefined) {
      if (store?.has(entry) === false) store.add(entry, []);
      return { ...head, outcomes: NO_STATES, error };
    }
    const known = store?.results?.outcomes(shardKey(source), model);
    if (known !== undefined && isComplete(known)) {
      if (store?.has(entry) === false) store.add(entry, []);
      return { ...head, outcomes: known };
    }
    const outcomes = await pool.outcomes({
      kind: 'outcomes',
      counted: true,
      models: [one.model],
      test: adaptedTest(one),
      subjects: subjectsOf(test, options.all),
      ...searchOptions(options),
    });
    if (outcomes.incomplete !== INTERRUPTION) {
      store?.add(entry, [jsonOutcomes(test, model, outcomes, note)]);
    }
    return { ...head, outcomes };
  };
  return cases.map((one) => ({ name: one.test.name, do: (pool) => list(one, pool) }));
}

export const NO_STATES: Outcomes = { states: [], flags: [], milliseconds: 0 };

/** The names whose final values are listed. */
export const subjectsOf = (test: Test, all?: boolean) =>
  all === true ? allSubjects(test.program) : observedSubjects(test);

function casesOf(item: CorpusTest, models: readonly Model[], { engine }: Options) {
  const { source } = item;
  return models.map((model): FittedTest => {
    const test = testUnder(item, model);
    const adapted = prepare(test.program, model, engine);
    const { name } = model;
    if (adapted.ok) {
      const { note } = adapted.value;
      const withoutMachine = !hasMachine(model) ? countRunQueries(test) : 0;
      const asked = { model: name, note, ...(withoutMachine > 0 && { withoutMachine }) };
      return { model, test, adapted, asked };
    }
    const untranslatable = adapted.errors.map((e) => e.message).join('; ');
    const error = renderFor(source, adapted.errors);
    return { model, test, adapted, asked: { model: name, untranslatable, error } };
  });
}

/** How many queries of a test are about runs. */
const countRunQueries = ({ queries }: Test): number =>
  queries.filter((query) => !isStateQuery(query)).length;

/** The test with its program translated for a model. */
function adaptedTest({ test, adapted }: FittedTest): Test {
  return adapted.ok ? { ...test, program: adapted.value.program } : test;
}

/** The line about a file in a file of results, for a file that is asked under these models. */
export const entryFor = (item: CorpusTest, models: readonly Model[], options: Options): FileEntry =>
  entryOf(item, casesOf(item, models, options));

function entryOf({ source, test }: CorpusTest, cases: readonly FittedTest[]): FileEntry {
  return {
    ...placeOf(source),
    queries: test.queries.length,
    models: cases.map((c) => c.asked),
    source: source.text,
  };
}

/** The line about a file that does not parse, in a file of results. */
export function brokenEntry({ source, sources, errors }: Corpus['broken'][number]): FileEntry {
  const error = render(errors, sources).join('\n');
  return { ...placeOf(source), queries: 0, models: [], error, source: source.text };
}

const placeOf = ({ path, position, content, libraries }: CorpusFile) => ({
  file: path,
  position,
  content,
  ...(libraries && { libraries }),
});

/** The options that are passed on to a job. */
function searchOptions({ engine, bound, limit, room }: Options) {
  return { engine, bound, limit, room };
}
