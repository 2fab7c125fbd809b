/** What a campaign is, and its jobs. */
import {
  fields,
  isCount,
  isObject,
  isString,
  list,
  oneOf,
  parseJson,
} from '../../results/guards.js';
import { contentOf } from '../../inputs/shard.js';
import type { CampaignJob, CampaignPart } from '../../results/records.js';

/** What is counted. */
export type Unit = 'program' | 'client' | 'share' | 'litmus file';

/** A file that a campaign brings to its workers. */
export interface CarriedFile {
  /** The path on the command line, relative to the folder in which the command runs. */
  readonly path: string;
  readonly text: string;
}

/** A command line that can be done in parts: everything that a worker needs, as plain data. */
export interface Plan {
  /** The version of Remora, and its build. */
  readonly remora: string;
  readonly build: string;
  /** The words of the command line. */
  readonly words: readonly string[];
  /** The litmus files, in their order. */
  readonly paths: readonly string[];
  readonly files: readonly CarriedFile[];
  /** The first line of the file of results: models, options, version. */
  readonly header: Readonly<Record<string, unknown>>;
  readonly unit: Unit;
  /** How many programs, clients or files there are in all jobs. */
  readonly count: number;
  /** How many a job has; the last may have fewer. */
  readonly size: number;
}

/** Nobody would wait for more jobs, and Redis would not hold them. */
export const MOST_JOBS = 100_000;

const UNITS: readonly Unit[] = ['program', 'client', 'share', 'litmus file'];

const isPlan = fields<Plan>({
  remora: isString,
  build: isString,
  words: list(isString),
  paths: list(isString),
  files: list(fields<CarriedFile>({ path: isString, text: isString })),
  header: isObject,
  unit: oneOf(UNITS),
  count: isCount,
  size: isCount,
});

/** Reads a plan, which anybody may have written; undefined if it is not one. `readWords` checks its words. */
export function planIn(text: string): Plan | undefined {
  const value = parseJson(text);
  if (!isPlan(value)) return undefined;
  const { count, size } = value;
  return count > 0 && size > 0 && count / size <= MOST_JOBS ? value : undefined;
}

/** The hash of everything that the results depend on. The header has models, options, texts and the version. */
export const planContent = ({ build, words, header, unit, count, size }: Plan): string =>
  contentOf(JSON.stringify([build, words, header, unit, count, size]));

/** The jobs of a plan. Equal plans have equal jobs, whoever makes them. */
export function jobsOf(plan: Plan): readonly CampaignJob[] {
  const content = planContent(plan);
  const { count, size } = plan;
  return Array.from({ length: Math.ceil(count / size) }, (_, i) => {
    const range: CampaignPart = { from: i * size, to: Math.min(count, (i + 1) * size) };
    return { id: contentOf(`${content} ${range.from} ${range.to}`), ...range };
  });
}

/** `programs 101 to 200`, as people count them. */
export const rangeText = ({ from, to }: CampaignPart, unit: Unit): string =>
  to - from === 1 ? `${unit} ${to}` : `${unit}s ${from + 1} to ${to}`;
