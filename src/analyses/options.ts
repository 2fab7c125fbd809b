/**
 * The values that options may have. The command line and the library both use these rules: one gets values as text, and the
 * other gets whatever a program passes.
 */
import { COMPARISONS } from './robust/result.js';
import type { Engine } from '../rdma/engines.js';
import { ENGINES, isNative, solves } from '../rdma/engines.js';

/** Says what is needed if a value is not allowed; undefined if it is. */
export type Rule = (value: unknown) => string | undefined;

/** A greater number of workers is taken for a typing error. */
const MOST_JOBS = 256;

/** In MiB. Node.js alone takes about a half of it. */
const LEAST_MEMORY = 256;

const needs =
  (what: string, is: (value: unknown) => boolean): Rule =>
  (value) =>
    is(value) ? undefined : what;

const wholeFrom = (least: number): Rule =>
  needs(
    `a whole number from ${least} is needed`,
    (value) => Number.isInteger(value) && (value as number) >= least,
  );

const atMost = (rule: Rule, most: number): Rule => {
  const small = needs(`at most ${most} are possible`, (value) => (value as number) <= most);
  return (value) => rule(value) ?? small(value);
};

const oneOf = (values: readonly string[]): Rule =>
  needs(`Allowed choices are ${values.join(', ')}`, (value) => values.includes(value as string));

const listOf = (what: string, rule: Rule): Rule =>
  needs(
    `a list of ${what} is needed`,
    (value) => Array.isArray(value) && value.every((each) => rule(each) === undefined),
  );

const text = needs('a text is needed', (value) => typeof value === 'string');
const command: Rule = (value) =>
  text(value) ?? ((value as string).trim() === '' ? 'a command is needed' : undefined);
const yesOrNo = needs('true or false is needed', (value) => typeof value === 'boolean');

/** The rule for each option, by the name that the library gives it. */
export const OPTIONS = {
  bound: wholeFrom(1),
  limit: wholeFrom(1),
  buffer: wholeFrom(1),
  counterBound: wholeFrom(1),
  jobs: atMost(wholeFrom(1), MOST_JOBS),
  memory: wholeFrom(LEAST_MEMORY),
  timeLimit: needs('a number of seconds above 0 is needed', (v) => typeof v === 'number' && v > 0),
  engine: oneOf(ENGINES),
  comparison: oneOf(COMPARISONS),
  solver: command,
  all: yesOrNo,
  explore: yesOrNo,
  show: listOf('names', text),
  queries: listOf('whole numbers from 0', wholeFrom(0)),
} as const satisfies Readonly<Record<string, Rule>>;

export type OptionName = keyof typeof OPTIONS;

/**
 * A message if options do not go together: an option has no effect on the engines, or an engine needs an option that is
 * missing.
 *
 * @param mark what stands before the name of an option: `--` on the command line
 */
export function mismatch(
  engines: readonly Engine[],
  { solver, limit }: { readonly solver?: string; readonly limit?: number },
  mark: '' | '--' = '',
): string | undefined {
  if (engines.length === 0) return undefined;
  const asked = engines.join(', ');
  const lacking = engines.find(isNative);
  if (solver !== undefined && lacking === undefined) {
    return `${mark}solver is for the engine native; ${asked} would not ask it`;
  }
  if (solver === undefined && lacking !== undefined) {
    const remedy = mark === '' ? 'name it as `solver`' : 'name it with --solver <command>';
    return `the engine ${lacking} needs a solver of yours: ${remedy}`;
  }
  if (limit !== undefined && engines.every(solves)) {
    const counting = ENGINES.filter((engine) => !solves(engine)).join(', ');
    return `${mark}limit is for the engines ${counting}; ${asked} would not heed it`;
  }
  return undefined;
}
