/** The lines of a file of results, checked as they are read: a file may have anything. */
import type { Answer, Outcomes, RunStep, Verdict } from '../../check/result.js';
import type { Witness } from '../../check/witness/witness.js';
import type { SourceFile } from '../../parse/diagnostics/index.js';
import type { JsonValue } from '../../parse/values.js';
import { valueIn } from '../../parse/values.js';
import type { FinalState } from '../../program/final.js';
import type { TypeGuard } from './guards.js';
import {
  fields,
  isCount,
  isNumber,
  isObject,
  isPair,
  isString,
  isLiteralTrue,
  list,
  oneOf,
  optional,
} from './guards.js';
import type { AskedModel, FileEntry, Header, RunModel } from './format.js';
import { CORPUS_COMMANDS } from './format.js';

/** A final state in JSON. */
type StateInJson = { readonly [name: string]: JsonValue };
const isState: TypeGuard<StateInJson> = (v): v is StateInJson =>
  isObject(v) && Object.values(v).every((value) => valueIn(value) !== undefined);
const stateIn = (json: StateInJson): FinalState =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name, valueIn(value)!]));

const VERDICTS: readonly Verdict[] = [
  'allowed',
  'forbidden',
  'holds',
  'fails',
  'unknown',
  'vacuous',
];

const isSource = fields<SourceFile>({ path: isString, text: isString });

export const isRunModel = fields<RunModel>({
  model: isString,
  content: isString,
  sources: optional(list(isSource)),
});

export const isHeader: TypeGuard<Header> = fields<Header>({
  remora: isString,
  format: optional(isNumber),
  command: oneOf(CORPUS_COMMANDS),
  models: list(isRunModel),
  engine: isString,
  solver: optional(isString),
  bound: optional(isNumber),
  limit: optional(isNumber),
  timeLimit: isNumber,
  all: optional(isLiteralTrue),
  library: optional(list(isString)),
  shard: isString,
  files: isCount,
  corpus: fields<Header['corpus']>({
    files: isCount,
    content: isString,
    grep: optional(isString),
  }),
  errors: list(isString),
});

const isAsked = fields<AskedModel>({
  model: isString,
  note: optional(isString),
  withoutMachine: optional(isCount),
  untranslatable: optional(isString),
  error: optional(isString),
});

/** The first line of a block; `results` lines follow. */
export const isEntry = fields<FileEntry & { readonly results: number }>({
  file: isString,
  position: isCount,
  content: isString,
  libraries: optional(list(isSource)),
  queries: isCount,
  models: list(isAsked),
  source: isString,
  error: optional(isString),
  results: isCount,
});

interface OfModel {
  readonly model: string;
}

const isStep = fields<RunStep>({
  text: isString,
  brief: isString,
  actor: isString,
  lane: fields<RunStep['lane']>({
    kind: oneOf(['thread', 'network', 'memory'] as const),
    name: isString,
  }),
  kind: isString,
  mark: optional(isString),
  location: optional(isString),
  register: optional(isString),
  ghost: optional(isString),
  found: optional(isNumber),
  value: optional(isNumber),
  operation: optional(isString),
  from: optional(isCount),
  pending: optional(isLiteralTrue),
});

const isInteger: TypeGuard<number> = (v): v is number => Number.isSafeInteger(v);
const isRead: TypeGuard<Witness['reads'][number]> = (v): v is Witness['reads'][number] =>
  Array.isArray(v) && v.length === 2 && isCount(v[0]) && isInteger(v[1]);

const isWitness = fields<Witness>({
  choices: list(oneOf([0, 1])),
  rf: list(isPair),
  mo: list(isPair),
  guessed: (v): v is Witness['guessed'] => isObject(v) && Object.values(v).every(list(isPair)),
  reads: list(isRead),
});

type VerdictLine = OfModel &
  Omit<Answer, 'query' | 'state'> & {
    readonly index: number;
    readonly state?: StateInJson;
  };

const isVerdict = fields<VerdictLine>({
  model: isString,
  index: isCount,
  verdict: oneOf(VERDICTS),
  reason: optional(isString),
  upTo: optional(isCount),
  state: optional(isState),
  witness: optional(isWitness),
  executions: optional(
    fields<NonNullable<Answer['executions']>>({ positive: isCount, negative: isCount }),
  ),
  run: optional(list(isString)),
  round: optional(list(isString)),
  steps: optional(list(isStep)),
  assuming: optional(list(isString)),
  states: optional(isCount),
  symmetry: optional(isCount),
  full: optional(list(isString)),
  room: optional(isCount),
  flags: list(isString),
  milliseconds: isNumber,
});

const isOutcomes = fields<
  OfModel & Omit<Outcomes, 'states'> & { readonly states: readonly StateInJson[] }
>({
  model: isString,
  states: list(isState),
  executions: optional(list(isCount)),
  flags: list(isString),
  incomplete: optional(isString),
  upTo: optional(isCount),
  milliseconds: isNumber,
});

const isUntranslatable = fields<OfModel & { readonly verdict: 'untranslatable' }>({
  model: isString,
  verdict: oneOf(['untranslatable'] as const),
});

/** What a line of `--json` says about a file. */
export type ResultLine =
  | { readonly kind: 'answer'; readonly model: string; readonly answer: Answer }
  | { readonly kind: 'outcomes'; readonly model: string; readonly outcomes: Outcomes }
  | { readonly kind: 'untranslatable' };

/** Reads a line that `--json` prints; undefined if it is not one. */
export function resultOf(line: unknown): ResultLine | undefined {
  if (isUntranslatable(line)) return { kind: 'untranslatable' };
  if (isVerdict(line)) {
    const { model, index: query, verdict } = line;
    const rest = pick(
      line,
      'reason',
      'upTo',
      'witness',
      'executions',
      'run',
      'round',
      'steps',
      'assuming',
      'states',
      'symmetry',
      'full',
      'room',
    );
    const { flags, milliseconds } = line;
    const state = line.state && { state: stateIn(line.state) };
    const answer = { query, verdict, ...rest, ...state, flags, milliseconds };
    return { kind: 'answer', model, answer };
  }
  if (!isOutcomes(line)) return undefined;
  const { model, flags, milliseconds } = line;
  const states = line.states.map(stateIn);
  const rest = pick(line, 'executions', 'incomplete', 'upTo');
  return { kind: 'outcomes', model, outcomes: { states, flags, milliseconds, ...rest } };
}

/** Some fields of an object, as far as it has them. */
function pick<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  const there = names.filter((name) => name in from);
  return Object.fromEntries(there.map((name) => [name, from[name]])) as Pick<T, K>;
}
