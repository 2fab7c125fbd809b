/** Values of options, parsed from their text, or a complaint about it. */
import { InvalidArgumentError } from 'commander';
import type { Engine } from '../../rdma/engines.js';
import { ENGINES } from '../../rdma/engines.js';
import type { Rule } from '../../analyses/options.js';
import { OPTIONS } from '../../analyses/options.js';
import type { Costs } from '../../rdma/additions.js';
import { DEFAULT_COSTS, REPAIR_KINDS } from '../../rdma/additions.js';
import type { Shard } from '../inputs/shard.js';
import { parseShard } from '../inputs/shard.js';

const MINUTES = 'a number of minutes above 0 is needed';

/** Reads a number that keeps to a rule. */
const number =
  (rule: Rule, read: (text: string) => number = digits) =>
  (text: string): number => {
    const value = read(text);
    const needed = rule(value);
    if (needed !== undefined) throw new InvalidArgumentError(`${needed}.`);
    return value;
  };

/** Reads a number in decimal digits. Other notations of JavaScript, such as `1e3`, are refused. */
function digits(text: string): number {
  return /^[1-9][0-9]*$/.test(text) ? Number(text) : NaN;
}

/** Bounds, limits and numbers of queries, which have the same rule. */
export const positive = number(OPTIONS.bound);
export const workers = number(OPTIONS.jobs);
export const mebibytes = number(OPTIONS.memory);
export const seconds = number(OPTIONS.timeLimit, Number);
export const minutes = number(
  (value) => (OPTIONS.timeLimit(value) === undefined ? undefined : MINUTES),
  Number,
);
export const shard = (text: string): Shard => {
  const value = parseShard(text);
  if (value === undefined) throw new InvalidArgumentError('a part such as 2/3 is needed.');
  return value;
};
/** A regular expression, checked, but kept as it was written: its `source` would escape slashes. */
export const searchPattern = (text: string): string => {
  try {
    new RegExp(text);
    return text;
  } catch (error) {
    const what = (error as Error).message.replace(/^Invalid regular expression: /, '');
    throw new InvalidArgumentError(`a regular expression is needed: ${what}.`);
  }
};
/** `-m a,b -m c` names three models. */
export const names =
  (what: string) =>
  (text: string, earlier: readonly string[] | undefined): readonly string[] => {
    const given = text.split(',').filter((name) => name !== '');
    if (given.length === 0) throw new InvalidArgumentError(`${what} is needed.`);
    return [...(earlier ?? []), ...given];
  };

export const engineNames = (
  text: string,
  earlier: readonly Engine[] | undefined,
): readonly Engine[] => {
  const names = text.split(',').filter((name) => name !== '');
  const engines = ENGINES.filter((engine) => names.includes(engine));
  const needed = (names.length === 0 ? [''] : names).map(OPTIONS.engine).find(Boolean);
  if (needed !== undefined) throw new InvalidArgumentError(`${needed}.`);
  return [...new Set([...(earlier ?? []), ...engines])];
};
/** `rfence=2,poll=1`: costs of additions and tags; the others keep their default costs. */
export const costs = (text: string, earlier: Costs | undefined): Costs => {
  const given = text.split(',').map((part): [string, number] => {
    const [kind, value = ''] = part.split('=');
    return [kind, /^[0-9]+(\.[0-9]+)?$/.test(value) ? Number(value) : 0];
  });
  const known: readonly string[] = REPAIR_KINDS;
  if (given.some(([kind, value]) => !known.includes(kind) || value <= 0)) {
    const example = 'costs such as rfence=1,poll=5 are needed';
    throw new InvalidArgumentError(`${example}, of ${known.join(', ')}, each above 0.`);
  }
  return { ...(earlier ?? DEFAULT_COSTS), ...Object.fromEntries(given) };
};
export const seed = (text: string): number => {
  if (!/^[0-9]{1,9}$/.test(text))
    throw new InvalidArgumentError('a whole number of at most nine digits is needed.');
  return Number(text);
};

/** `S=2`: parameters of implementations. */
export const settings = (
  text: string,
  earlier: Readonly<Record<string, number>> | undefined,
): Readonly<Record<string, number>> => {
  const given = text.split(',').map((part): [string, number] => {
    const [name, value = ''] = part.split('=');
    if (!/^[A-Za-z_]\w*$/.test(name) || !/^[0-9]{1,9}$/.test(value)) {
      throw new InvalidArgumentError('a name and a number are needed, such as S=2.');
    }
    return [name, Number(value)];
  });
  return { ...earlier, ...Object.fromEntries(given) };
};
