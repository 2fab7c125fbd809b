import { instructionsOf } from '../../model/instructions/union.js';
import { printProgram } from '../../program/print.js';
import type { Engine } from '../../rdma/engines.js';
import type { Pool } from '../workers.js';
import { conditionTold, isAmong, questionLines, statesUnder } from './distinction.js';
import { testOf } from '../by-size/programs.js';
import type { ModelTable, ShownProgram } from './table.js';

/** A program that tells models apart. */
export interface TellingProgram extends ShownProgram {
  /** Printed, without a name and questions. */
  readonly program: string;
  readonly questions: readonly TellingQuestion[];
}

/** A question, and what all models say that know the program. */
export interface TellingQuestion {
  readonly condition: string;
  /** By name. */
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  /** Those under which the program has no execution. */
  readonly vacuous: readonly string[];
}

/**
 * Asks an engine about a program that was found by going through executions.
 *
 * @returns as few questions as tell all pairs apart that the program was found for, or why the engine did not come to an end
 * @throws Error if the engine finds no difference: one of the two is wrong
 */
export async function verdictsOf(
  pool: Pool,
  { models, base }: ModelTable,
  shown: ShownProgram,
  engine: Engine,
): Promise<TellingProgram | { readonly unfinished: string }> {
  const { knowing, shows, litmus } = shown;
  const own = knowing.map((i) => models[i]);
  const test = testOf(litmus, instructionsOf(own, base));
  const found = await Promise.all(knowing.map((i) => statesUnder(pool, test, models[i], engine)));
  const unfinished = found.flatMap(({ incomplete }) => incomplete ?? []).at(0);
  if (unfinished !== undefined) return { unfinished };
  const under = (model: number) => found[knowing.indexOf(model)].states;
  const conditions: { readonly text: string; readonly allowed: ReadonlySet<number> }[] = [];
  for (const { more, less } of shows) {
    if (conditions.some(({ allowed }) => allowed.has(more) && !allowed.has(less))) continue;
    const told = conditionTold(test.program, under(more), under(less));
    if (told === undefined) {
      const names = `${models[more].name} and ${models[less].name}`;
      throw new Error(
        `the engines disagree on whether this program tells ${names} apart:\n${litmus}`,
      );
    }
    const allowed = new Set(knowing.filter((model) => isAmong(told, under(model))));
    conditions.push({ text: told.text, allowed });
  }
  return {
    ...shown,
    program: printProgram(test.program),
    questions: conditions.map(({ text, allowed }) => {
      const named = (isIn: (model: number) => boolean): readonly string[] =>
        knowing.filter(isIn).map((i) => models[i].name);
      return {
        condition: text,
        allowed: named((i) => allowed.has(i)),
        forbidden: named((i) => !allowed.has(i) && under(i).length > 0),
        vacuous: named((i) => under(i).length === 0),
      };
    }),
  };
}

/** A telling program as a litmus file. */
export const tellingLitmus = (
  { program, questions }: Pick<TellingProgram, 'program' | 'questions'>,
  name: string,
): string =>
  [`RDMA ${name}`, '', program, ...questions.flatMap((one) => [...questionLines(one), ''])].join(
    '\n',
  );
