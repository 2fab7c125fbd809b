import type { Model } from '../../model/term.js';
import { strongestOf, weakestOf } from '../../model/fabrics.js';
import type { FinalState } from '../../program/final.js';
import { stateKey } from '../../program/final.js';
import type { Program, Proposition, Subject, Test } from '../../program/program.js';
import { observedSubjects, subjectName } from '../../program/subjects.js';
import { prepare } from '../../rdma/prepare.js';
import { askWhy } from '../ask/explain.js';
import type { Explanation } from '../explain/explanation.js';
import type { Pool } from '../workers.js';
import type { MeasuredTest } from './add-up.js';
import type { Standing, StateRow, TestRows, UnderModel } from './beside.js';
import { isSeen, rowsOf } from './beside.js';

export interface MeasuredQuestion {
  readonly models: readonly Model[];
  /** Is what one of the models forbids told also if others allow it? */
  readonly areNamed: boolean;
  /** Models that may allow what those forbid. */
  readonly others: readonly Model[];
  /** Overrides the programs' loop bounds. */
  readonly bound?: number;
}

/** What was seen, and what a model forbids. */
export interface Alarm {
  readonly row: StateRow;
  readonly model: string;
  /** The models that allow it, those that forbid it, too, and those of which that is not known. */
  readonly allowing: readonly string[];
  readonly forbidding: readonly string[];
  readonly open: readonly string[];
  /** Why the model forbids it; and if another one allows it, how a run of that one ends so. Of the first `EXPLAINED` of a test. */
  readonly explanation?: Explanation;
}

export interface TestBeside extends TestRows {
  readonly alarms: readonly Alarm[];
}

const ENGINE = 'auto';

/** So many states of one test are explained: of most others the reasons are the same, and a broken harness may show thousands. */
const EXPLAINED = 8;

/**
 * Lists all final states of a program under each model, holds them against what was seen, and explains what a model forbids that
 * was seen: if models are named, all of that; otherwise what each of them forbids. Only then other models are asked.
 */
export async function askMeasured(
  pool: Pool,
  item: MeasuredTest,
  question: MeasuredQuestion,
): Promise<TestBeside> {
  const { models, areNamed, others, bound } = question;
  const list = (some: readonly Model[]): Promise<readonly UnderModel[]> =>
    Promise.all(some.map((model) => statesUnder(pool, item.test, model, bound)));
  const under = await list(models);
  const found = rowsOf(item, under);
  const told = found.rows.filter(isSeen).flatMap((row) => {
    const forbidding = modelsThat(under, row, 'forbidden');
    const isForbidden = row.standings.every((one) => ['forbidden', 'untranslatable'].includes(one));
    const names = areNamed ? forbidding : isForbidden ? weakestOf(forbidding).slice(0, 1) : [];
    return names.map((model) => ({ state: row.state, model }));
  });
  if (told.length === 0) return { ...found, alarms: [] };
  const everywhere = rowsOf(item, [...under, ...(await list(others))]);
  const rowOf = new Map(everywhere.rows.map((row) => [stateKey(row.state), row]));
  const alarms: Alarm[] = [];
  for (const { state, model } of told) {
    const row = rowOf.get(stateKey(state))!;
    const alarm = alarmAt(everywhere.under, row, model);
    const isExplained = alarms.length < EXPLAINED;
    const explanation = isExplained ? await explain(pool, item.test, alarm, question) : undefined;
    alarms.push({ ...alarm, explanation });
  }
  return { ...found, alarms };
}

/** The models under which a state is so. */
const modelsThat = (
  under: readonly UnderModel[],
  row: StateRow,
  ...standings: readonly Standing[]
): readonly string[] =>
  under.flatMap(({ model }, i) => (standings.includes(row.standings[i]) ? [model] : []));

function alarmAt(under: readonly UnderModel[], row: StateRow, model: string): Alarm {
  const others = (...standings: readonly Standing[]): readonly string[] =>
    modelsThat(under, row, ...standings).filter((name) => name !== model);
  return {
    row,
    model,
    allowing: others('allowed'),
    forbidding: others('forbidden'),
    open: others('unknown', 'bounded'),
  };
}

async function statesUnder(
  pool: Pool,
  test: Test,
  model: Model,
  bound: number | undefined,
): Promise<UnderModel> {
  const adapted = prepare(test.program, model, ENGINE);
  if (!adapted.ok) {
    return { model: model.name, lacking: adapted.errors.map((e) => e.message).join('; ') };
  }
  const outcomes = await pool.outcomes({
    kind: 'outcomes',
    counted: false,
    engine: ENGINE,
    models: [model],
    // A card counts all rounds, those that the filter would leave out, too.
    test: { ...test, program: adapted.value.program, filter: undefined },
    subjects: observedSubjects(test),
    bound,
  });
  return { model: model.name, outcomes };
}

/** Why a model forbids a state, beside the strongest that allows it. */
async function explain(
  pool: Pool,
  test: Test,
  { row, model: name, allowing }: Alarm,
  { models, others, bound }: MeasuredQuestion,
): Promise<Explanation> {
  const [nearest] = strongestOf(allowing);
  const told = [...models, ...others].filter((model) => [nearest, name].includes(model.name));
  const why = await askWhy(pool, endingIn(test, row.state), told, 0, { bound });
  // Under both models the program has a meaning.
  if (!why.ok) throw new Error(why.errors[0].message);
  return why.value;
}

/** The test, asking whether it can end in a state. */
function endingIn(test: Test, state: FinalState): Test {
  const { program } = test;
  const subjects = observedSubjects(test);
  const condition = subjects
    .map((subject) => isValue(program, subject, state))
    .reduce<Proposition>(
      (left, right) => (left.kind === 'true' ? right : { kind: 'and', left, right }),
      { kind: 'true' },
    );
  const text = Object.entries(state).map(([name, value]) => `${name} = ${value}`);
  const query = {
    ...{ quantifier: 'exists' as const, condition, text: text.join(' /\\ ') },
    ...{ expectations: [], observations: [], span: { file: test.file, start: 0, end: 0 } },
  };
  return { ...test, filter: undefined, listed: subjects, queries: [query] };
}

const isValue = (program: Program, subject: Subject, state: FinalState): Proposition => ({
  kind: 'atom',
  left: subject,
  equal: true,
  right: { kind: 'int', value: state[subjectName(program, subject)] },
});
