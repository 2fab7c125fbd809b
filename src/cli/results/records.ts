/** The results of a job of a command in parts, checked as they are read: a file, or Redis, may have anything. */
import type { AgreeRecord } from '../../report/agree-record.js';
import { ENGINES } from '../../rdma/engines.js';
import {
  fields,
  isBoolean,
  isCount,
  isNumber,
  isPair,
  isString,
  list,
  oneOf,
  optional,
  parseJson,
} from './guards.js';
import type { ClientResult, Implemented } from '../../report/refine.js';
import type { NamedMethod } from '../../analyses/agree/methods.js';
import { isSharesLine, isSizeHeader } from './share-records.js';

/** The commands whose files of results have a line a job. */
export const PARTED_COMMANDS = ['agree', 'refine', 'distinguish', 'synthesise'] as const;
export type PartedCommand = (typeof PARTED_COMMANDS)[number];

/** A part of a run: from `from` up to, but not including, `to`. */
export interface CampaignPart {
  readonly from: number;
  readonly to: number;
}

export interface CampaignJob extends CampaignPart {
  /** A hash of the range and of everything that the results depend on. */
  readonly id: string;
}

/** A line of the file: a job; the other fields are its results. */
export interface JournalLine {
  readonly job: string;
  readonly from: number;
  readonly to: number;
}

/** The results of a range of clients. */
export interface RefineRecord {
  readonly clients: number;
  /** The results of clients that do not simply refine. */
  readonly results: readonly ClientResult[];
  readonly milliseconds: number;
}

export interface AgreeHeader {
  readonly random: number;
  readonly leftOut: readonly { readonly engine: NamedMethod['engine']; readonly model: string }[];
}

export interface RefineHeader {
  readonly implementations: readonly Implemented[];
  readonly clients: number;
  readonly complete: number;
  readonly bounds: string;
}

const isLine = fields<JournalLine>({ job: isString, from: isCount, to: isCount });

type Tally = AgreeRecord['comparisons'][number];

const isWay = fields<Tally['ways'][number]>({ engine: oneOf(ENGINES), model: isString });
const isGap = fields<Tally['undecided'][number]>({
  engine: oneOf(ENGINES),
  model: isString,
  reason: isString,
  programs: list(isString),
});

const isAgree = fields<AgreeRecord>({
  programs: isCount,
  events: list(isPair),
  comparisons: list(
    fields<Tally>({
      models: list(isString),
      ways: list(isWay),
      agreed: isCount,
      states: isCount,
      undecided: list(isGap),
      skipped: list(isGap),
    }),
  ),
  disagreements: list(
    fields<AgreeRecord['disagreements'][number]>({ program: isString, told: optional(isString) }),
  ),
  milliseconds: isNumber,
});

type Client = RefineRecord['results'][number];

const isRefine = fields<RefineRecord>({
  clients: isCount,
  results: list(
    fields<Pick<Client, 'client' | 'libraries' | 'verdict' | 'hangs'>>({
      client: isString,
      libraries: isString,
      verdict: oneOf(['refines', 'does not refine', 'unknown'] as const),
      hangs: isBoolean,
    }),
  ) as never,
  milliseconds: isNumber,
});

/**
 * Why a text is not the results of a range, or undefined.
 *
 * @param job the job that the results have to be about, if it is known
 * @param ways what `agree` compared, if it is known
 */
export function wrongLine(
  command: PartedCommand,
  text: string,
  job?: CampaignJob,
  ways?: string,
): string | undefined {
  const value = parseJson(text);
  if (!isLine(value)) return 'not a line about a job';
  const { from, to } = value;
  const other = job !== undefined && (value.job !== job.id || from !== job.from || to !== job.to);
  if (from >= to || other) return 'it is about another range';
  if (command === 'distinguish' || command === 'synthesise') {
    if (!isSharesLine(command, value)) return `not what ${command} found out about a range`;
    return value.shares.length === to - from ? undefined : 'not all shares of its range are there';
  }
  if (command === 'refine') {
    if (!isRefine(value)) return 'not what refine found out about a range';
    if (value.clients !== to - from) return 'not all clients of its range were decided';
    return value.results.length > value.clients ? 'it has more results than clients' : undefined;
  }
  if (!isAgree(value)) return 'not what agree found out about a range';
  const { programs, events, comparisons, disagreements } = value;
  if (programs !== to - from) return 'not all programs of its range were compared';
  if (ways !== undefined && comparedWays(value) !== ways) return 'it compares other ways';
  const counted = events.reduce((sum, [, n]) => sum + n, 0);
  const more = [counted, disagreements.length, ...comparisons.map(({ agreed }) => agreed)];
  return more.some((n) => n > programs) ? 'it counts more than its programs' : undefined;
}

/** What was compared, as text. It is the same in all lines of a run. */
export const comparedWays = ({ comparisons }: Pick<AgreeRecord, 'comparisons'>): string =>
  JSON.stringify(
    comparisons.map(({ models, ways }) => [
      models,
      ways.map(({ engine, model }) => `${engine} ${model}`),
    ]),
  );

const isAgreeHeader = fields<AgreeHeader>({
  random: isCount,
  leftOut: list(isWay),
});

const isRefineHeader = fields<RefineHeader>({
  implementations: list(
    fields<Implemented>({ name: isString, library: isString, over: list(isString) }),
  ),
  clients: isCount,
  complete: isCount,
  bounds: isString,
});

/** How many programs, clients or shares a run is about; undefined if this is no header of a run. */
export function totalOf(header: unknown): number | undefined {
  if (isAgreeHeader(header)) return header.random;
  if (isRefineHeader(header)) return header.clients;
  return isSizeHeader(header) ? header.shares : undefined;
}

/** The line of a text that `wrongLine` accepts. */
export const lineIn = (text: string): JournalLine => JSON.parse(text) as JournalLine;
