import type { Model } from '../../model/term.js';
import { strongestOf, weakestOf } from '../../model/fabrics.js';
import type { FinalState } from '../../program/final.js';
import type { Program, Proposition, Subject, Test } from '../../program/program.js';
import { observedSubjects, subjectName } from '../../program/subjects.js';
import { prepare } from '../../rdma/prepare.js';
import { askWhy } from '../ask/explain.js';
import type { Explanation } from '../explain/explanation.js';
import type { Pool } from '../workers.js';
import type { MeasuredTest } from './add-up.js';
import type { StateRow, TestRows, UnderModel } from './beside.js';
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
  /** Why the model forbids it; and if another one allows it, how a run of that one ends so. */
  readonly explanation: Explanation;
}

export interface TestBeside extends TestRows {
  readonly alarms: readonly Alarm[];
}

const ENGINE = 'auto';

/**
 * Lists all final states of a program under each model, holds them against what was seen, and explains what a model forbids that
 * was seen: if models are named, all of that; otherwise what each of them forbids.
 */
export async function askMeasured(
  pool: Pool,
  item: MeasuredTest,
  question: MeasuredQuestion,
): Promise<TestBeside> {
  const { models, areNamed, bound } = question;
  const under = await Promise.all(
    models.map((model) => statesUnder(pool, item.test, model, bound)),
  );
  const rows = rowsOf(item, under);
  const alarms: Alarm[] = [];
  for (const row of rows.rows.filter(isSeen)) {
    const names = (standing: string): readonly string[] =>
      models.filter((_, i) => row.standings[i] === standing).map(({ name }) => name);
    const forbidding = names('forbidden');
    const isForbidden = row.standings.every((one) => ['forbidden', 'untranslatable'].includes(one));
    const told = areNamed ? forbidding : isForbidden ? weakestOf(forbidding).slice(0, 1) : [];
    for (const name of told) alarms.push(await alarm(pool, item.test, row, name, question));
  }
  return { ...rows, alarms };
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

async function alarm(
  pool: Pool,
  test: Test,
  row: StateRow,
  name: string,
  { models, others, bound }: MeasuredQuestion,
): Promise<Alarm> {
  const asked = endingIn(test, row.state);
  const found = new Map(models.map((model, i) => [model.name, row.standings[i] as string]));
  const able = others.flatMap((model) => {
    const adapted = prepare(test.program, model, ENGINE);
    return adapted.ok ? [{ model, test: { ...asked, program: adapted.value.program } }] : [];
  });
  if (able.length > 0) {
    const answers = await pool.decide({
      kind: 'decide',
      engine: ENGINE,
      models: able.map(({ model }) => model),
      tests: able.map((one) => one.test),
      queries: [0],
      bound,
    });
    able.forEach(({ model }, i) => {
      const { verdict, upTo } = answers[i][0];
      found.set(model.name, upTo === undefined ? verdict : 'bounded');
    });
  }
  const withStanding = (...standings: readonly string[]): readonly string[] =>
    [...found].flatMap(([one, standing]) =>
      one !== name && standings.includes(standing) ? [one] : [],
    );
  const allowing = withStanding('allowed');
  const [nearest] = strongestOf(allowing);
  const told = [...models, ...others].filter((model) => [nearest, name].includes(model.name));
  const why = await askWhy(pool, asked, told, 0, { bound });
  // Under both models the program has a meaning.
  if (!why.ok) throw new Error(why.errors[0].message);
  return {
    row,
    model: name,
    allowing,
    forbidding: withStanding('forbidden', 'vacuous'),
    open: withStanding('unknown', 'bounded'),
    explanation: why.value,
  };
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
