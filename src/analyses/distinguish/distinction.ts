import type { Outcomes } from '../../check/result.js';
import type { Model } from '../../model/term.js';
import type { FinalState } from '../../program/final.js';
import { valueText } from '../../parse/values.js';
import { printProgram } from '../../program/print.js';
import type { Program, Test } from '../../program/program.js';
import { allSubjects, subjectName } from '../../program/subjects.js';
import type { Engine } from '../../rdma/engines.js';
import { prepare } from '../../rdma/prepare.js';
import { askWhy } from '../ask/explain.js';
import type { Explanation } from '../explain/explanation.js';
import type { Pool } from '../workers.js';

/** A program that tells two models apart, and why. */
export interface Distinction {
  /** A litmus file with a question for each direction in which the models differ. */
  readonly litmus: string;
  readonly test: Test;
  readonly directions: readonly Direction[];
}

/** An outcome that one of the models allows and the other does not. */
export interface Direction {
  /** By name. */
  readonly allowed: string;
  readonly forbidden: string;
  /** The query of the test, counted from 0. */
  readonly query: number;
  readonly explanation: Explanation;
}

/**
 * Asks an engine about a program that was found to tell two models apart by going through executions, and explains the
 * difference.
 *
 * @param litmus the program, without a question
 * @param read reads it, and the same with questions that expect something of the models
 * @returns the difference, or why the engine did not come to an end
 * @throws Error if the engine finds no difference: one of the two is wrong
 */
export async function distinctionOf(
  pool: Pool,
  models: readonly [Model, Model],
  litmus: string,
  read: (litmus: string) => Test,
  engine: Engine,
): Promise<Distinction | { readonly unfinished: string }> {
  const bare = read(litmus);
  const { program, name } = bare;
  const found = await Promise.all(models.map((model) => statesUnder(pool, bare, model, engine)));
  const unfinished = found.flatMap(({ incomplete }) => incomplete ?? []).at(0);
  if (unfinished !== undefined) return { unfinished };
  const states = found.map((one) => one.states);
  const conditions = [0, 1].flatMap((allowed) => {
    const told = conditionTold(program, states[allowed], states[1 - allowed]);
    return told === undefined ? [] : [{ allowed, condition: told.text }];
  });
  if (conditions.length === 0) {
    throw new Error(
      `the engines disagree on whether this program tells the models apart:\n${litmus}`,
    );
  }
  const queries = conditions.map(({ allowed, condition }) => {
    const other = [models[1 - allowed].name];
    const isVacuous = states[1 - allowed].length === 0;
    const [forbidden, vacuous] = isVacuous ? [[], other] : [other, []];
    const lines = questionLines({ condition, allowed: [models[allowed].name], forbidden, vacuous });
    return `${lines.join('\n')}\n`;
  });
  const text = `RDMA ${name}\n\n${printProgram(program)}\n${queries.join('\n')}`;
  const test = read(text);
  const directions: Direction[] = [];
  for (const [query, { allowed }] of conditions.entries()) {
    const why = await askWhy(pool, test, models, query, { engine });
    if (!why.ok) throw new Error(why.errors[0].message);
    directions.push({
      allowed: models[allowed].name,
      forbidden: models[1 - allowed].name,
      query,
      explanation: why.value,
    });
  }
  return { litmus: text, test, directions };
}

/**
 * A question of a litmus file with what models say, by name. A program without executions has no verdict that a file
 * could expect.
 */
export const questionLines = ({
  condition,
  allowed,
  forbidden,
  vacuous,
}: {
  readonly condition: string;
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  readonly vacuous: readonly string[];
}): readonly string[] => [
  `exists (${condition})`,
  `  expect allowed under ${allowed.join(', ')}`,
  ...(forbidden.length === 0 ? [] : [`  expect forbidden under ${forbidden.join(', ')}`]),
  ...(vacuous.length === 0 ? [] : [`# no execution under ${vacuous.join(', ')}`]),
];

/** The final states of a program that an engine finds. */
export function statesUnder(
  pool: Pool,
  test: Test,
  model: Model,
  engine: Engine,
): Promise<Outcomes> {
  const prepared = prepare(test.program, model, engine);
  if (!prepared.ok) throw new Error(prepared.errors[0].message);
  return pool.outcomes({
    ...{ kind: 'outcomes', counted: false, engine, models: [model] },
    test: { ...test, program: prepared.value.program },
    subjects: allSubjects(test.program),
  });
}

/** A part of a final state: the values of some subjects. */
export interface Told {
  readonly state: FinalState;
  /** The names of the subjects. */
  readonly by: readonly string[];
  /** As the condition of a question. */
  readonly text: string;
}

/** The shortest part of a state that no state of the others has; undefined if all states are among the others. */
export function conditionTold(
  program: Program,
  some: readonly FinalState[],
  others: readonly FinalState[],
): Told | undefined {
  const names = allSubjects(program).map((subject) => subjectName(program, subject));
  const own = some.filter((state) => !isAmong({ state, by: names }, others));
  if (own.length === 0) return undefined;
  const [{ state, by }] = own
    .map((state) => {
      let left: readonly string[] = names;
      for (const name of names) {
        const less = left.filter((one) => one !== name);
        if (!isAmong({ state, by: less }, others)) left = less;
      }
      return { state, by: left };
    })
    .sort((x, y) => x.by.length - y.by.length);
  const atoms = by.map((name) => `${name} = ${valueText(state[name])}`);
  // Where the other model has no execution, there is nothing to be said of the state.
  return { state, by, text: atoms.length === 0 ? 'true' : atoms.join(' /\\ ') };
}

/** Has one of some states this part? */
export const isAmong = (
  { state, by }: Pick<Told, 'state' | 'by'>,
  states: readonly FinalState[],
): boolean => states.some((other) => by.every((name) => other[name] === state[name]));
