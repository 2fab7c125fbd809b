/**
 * What the functions of the library are given, checked at the border: types are not there any more when a
 * program runs. Each check gives what is wrong, for people, or nothing.
 */
import type { OptionName } from '../../analyses/options.js';
import { OPTIONS, mismatch } from '../../analyses/options.js';
import type { Diagnostic, Result } from '../../parse/diagnostics/index.js';
import { didYouMean, fail } from '../../parse/diagnostics/index.js';
import type { Engine } from '../../rdma/engines.js';
import { ENGINES } from '../../rdma/engines.js';

export type Problem = string | undefined;

/** A failed result that has all problems of a call, if there are any. */
export function failOnProblems(
  call: string,
  problems: readonly Problem[],
): Result<never> | undefined {
  const span = { file: call, start: 0, end: 0 };
  const errors = problems.flatMap((p): Diagnostic[] =>
    p === undefined ? [] : [{ span, message: p }],
  );
  return errors.length === 0 ? undefined : fail(errors);
}

/** A value as messages show it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return value.length > LONGEST ? 'a long text' : JSON.stringify(value);
  }
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Uint8Array) return 'bytes';
  if (typeof value === 'function') return 'a function';
  return isObject(value) ? 'an object' : String(value);
}

/** The longest text of an option's value that messages show. */
const LONGEST = 60;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Do the fields of a value have these types? */
const has = (value: unknown, kinds: Readonly<Record<string, 'text' | 'list'>>): boolean =>
  isObject(value) &&
  Object.entries(kinds).every(([name, kind]) =>
    kind === 'list' ? Array.isArray(value[name]) : typeof value[name] === 'string',
  );

/** Is this a whole `Result`, where its value was to be given? */
const isResult = (value: unknown): boolean => isObject(value) && typeof value['ok'] === 'boolean';

export function textProblem(name: string, value: unknown): Problem {
  if (typeof value === 'string') return undefined;
  const hint = value instanceof Uint8Array ? ': read the file with the encoding utf8' : '';
  return `${name}: ${shown(value)} is no text${hint}`;
}

export function namesProblem(name: string, value: unknown): Problem {
  if (!Array.isArray(value)) return `${name}: ${shown(value)} is no list of names`;
  return value.map((one) => textProblem(name, one)).find(Boolean);
}

export function testProblem(value: unknown): Problem {
  const isTest =
    has(value, { name: 'text', file: 'text', queries: 'list', notes: 'list' }) &&
    has((value as { program: unknown }).program, {
      nodes: 'list',
      locations: 'list',
      threads: 'list',
    });
  if (isTest) return undefined;
  return isResult(value)
    ? 'test: this is a Result: where it is ok, give its value'
    : `test: ${shown(value)} is no test; parseLitmus makes one`;
}

const MODEL = { name: 'text', file: 'text', terms: 'list', axioms: 'list' } as const;
const MODEL_LISTS = { groups: 'list', definitions: 'list', bases: 'list', shown: 'list' } as const;

export function modelProblem(value: unknown): Problem {
  if (has(value, MODEL) && has(value, MODEL_LISTS)) return undefined;
  if (isResult(value)) return 'model: this is a Result: where it is ok, give its value';
  if (isObject(value) && isResult(value['model'])) {
    return 'model: this is what loadModel returns: where its model is ok, give the value of that';
  }
  return `model: ${shown(value)} is no model; loadModel makes one`;
}

export function modelsProblem(value: unknown): Problem {
  if (!Array.isArray(value)) return `models: ${shown(value)} is no list of models`;
  return value.length === 0 ? 'models: one is needed' : value.map(modelProblem).find(Boolean);
}

/** What is wrong with those options that are given: `names`, and the pool. */
export function optionProblems(options: unknown, names: readonly OptionName[]): readonly Problem[] {
  if (!isObject(options)) return [`options: ${shown(options)} is no object`];
  const known: readonly string[] = [...names, 'pool'];
  const others = Object.keys(options).filter(
    (name) => options[name] !== undefined && !known.includes(name),
  );
  return [
    ...others.map((name) => {
      const guess = didYouMean(name, known);
      return `option '${name}': there is no such option${guess === undefined ? '' : `; ${guess}`}`;
    }),
    ...names.map((name) => {
      const value = options[name];
      const needed = value === undefined ? undefined : OPTIONS[name](value);
      return needed && `option '${name}': ${shown(value)} is invalid. ${needed}.`;
    }),
  ];
}

/** What is wrong with the options of a question together; a pool may have a solver of its own. */
export function togetherProblem(options: unknown): Problem {
  if (!isObject(options) || options['pool'] !== undefined) return undefined;
  const { engine, solver, limit } = options as Parameters<typeof mismatch>[1] & {
    readonly engine?: Engine;
  };
  const asked = engine ?? (solver === undefined ? 'auto' : 'native');
  return ENGINES.includes(asked) ? mismatch([asked], { solver, limit }) : undefined;
}

/** What is wrong with the option `pool`, if it is given. */
export function poolProblem(options: unknown): Problem {
  const pool = isObject(options) ? options['pool'] : undefined;
  if (pool === undefined) return undefined;
  if (!isObject(pool) || typeof pool['decide'] !== 'function') {
    return `option 'pool': ${shown(pool)} is no pool; createPool makes one`;
  }
  const { problem } = pool;
  return typeof problem === 'string' ? `option 'pool': ${problem}` : undefined;
}
