/** What is reported of a command in parts, from the lines of its jobs. */
import { agreeText } from '../../../report/agree.js';
import type { AgreeRecord } from '../../../report/agree-record.js';
import { surveyOf } from '../../../report/agree-record.js';
import { refineText } from '../../../report/refine.js';
import { searchBySize } from '../../../analyses/by-size/search.js';
import { AS_EXPECTED, DEPARTS, UNDECIDED } from '../../command/exit.js';
import type { Journal } from '../../results/journal.js';
import { sharesIn } from '../../results/kept-shares.js';
import { modelsOf } from '../../results/saved-models.js';
import type { SharesRecord, SizeHeader } from '../../results/share-records.js';
import { isSizeHeader } from '../../results/share-records.js';
import type { SizeCommand } from '../../run/by-size.js';
import { poolFor } from '../../run/tasks.js';
import { distinguishCommandOf } from '../distinguish/question.js';
import { synthesisCommand } from '../synthesise/tests.js';
import type {
  AgreeHeader,
  JournalLine,
  RefineHeader,
  RefineRecord,
} from '../../results/records.js';

/** A report, and the exit code that goes with it. */
export interface CampaignReport {
  readonly text: string;
  readonly code: number;
}

/** Why there is no report. */
export interface CampaignProblem {
  readonly errors: readonly string[];
}

/** The report that one run of the command would print; for a campaign that is not done, about the jobs that are. */
export async function campaignReport({
  header,
  jobs,
}: Pick<Journal, 'header' | 'jobs'>): Promise<CampaignReport | CampaignProblem> {
  if (isSizeHeader(header)) return sizeReport(header, jobs);
  const lines = [...jobs.values()].sort((a, b) => a.from - b.from);
  return header['command'] === 'agree'
    ? agreeReport(header as unknown as AgreeHeader, lines as (JournalLine & AgreeRecord)[])
    : refineReport(header as unknown as RefineHeader, lines as (JournalLine & RefineRecord)[]);
}

function agreeReport(
  { random, leftOut }: AgreeHeader,
  lines: readonly (JournalLine & AgreeRecord)[],
): CampaignReport {
  const survey = surveyOf(lines, random);
  const text = agreeText({
    survey,
    leftOut: leftOut.map(({ engine, model }) => ({ engine, model: { name: model } })),
    named: false,
    milliseconds: sum(lines),
  });
  const all = lines.flatMap(({ disagreements }) => disagreements);
  const told = all.map(({ program, told }) => `\n${told ?? `${program} is another one\n`}`);
  const undecided = survey.tallies.some(({ agreed }) => agreed === 0);
  const code = all.length > 0 ? DEPARTS : undecided || survey.interrupted ? UNDECIDED : AS_EXPECTED;
  return { text: `${text}${told.join('')}`, code };
}

function refineReport(
  { implementations, clients, complete, bounds }: RefineHeader,
  lines: readonly (JournalLine & RefineRecord)[],
): CampaignReport {
  const done = lines.reduce((total, line) => total + line.clients, 0);
  const results = lines.flatMap((line) => line.results);
  const text = refineText({
    implemented: implementations,
    named: [],
    generated: results,
    tried: {
      clients: done,
      ...(done < clients && { of: clients }),
      complete: done < clients ? 0 : complete,
      bounds,
    },
    seconds: sum(lines) / 1000,
  });
  const departs = results.some(({ verdict, hangs }) => verdict === 'does not refine' || hangs);
  const open = done < clients || results.some(({ verdict }) => verdict === 'unknown');
  return { text, code: departs ? DEPARTS : open ? UNDECIDED : AS_EXPECTED };
}

/** Asks an engine about what was found, and makes the report. A share that is not there is one that was given up. */
async function sizeReport(
  header: SizeHeader,
  jobs: Journal['jobs'],
): Promise<CampaignReport | CampaignProblem> {
  const models = modelsOf(header.models);
  if ('errors' in models) return models;
  const { items } = models;
  const command: SizeCommand =
    header.command === 'synthesise'
      ? synthesisCommand(items[0], header)
      : distinguishCommandOf(items, header, { engine: 'auto' });
  const known = sharesIn(jobs);
  const pool = poolFor({ engine: 'auto' }, false);
  try {
    const { search, report } = command.begin(pool);
    const find = () => Promise.resolve({ unfinished: 'some shares are not gone through yet' });
    const store = { get: (share: number) => known.get(share), add: () => {} };
    const shares = await searchBySize({ ...search, find }, pool, { lanes: 1, store });
    const lines = [...jobs.values()] as (JournalLine & SharesRecord)[];
    const seconds = sum(lines) / 1000;
    const { text, code } = (await report(shares))({ interrupted: false, seconds });
    return { text, code };
  } finally {
    await pool.close();
  }
}

/** Milliseconds of all jobs together. */
const sum = (lines: readonly { readonly milliseconds: number }[]): number =>
  lines.reduce((total, { milliseconds }) => total + milliseconds, 0);

/** Has a job found something that is wrong? */
export const isWrong = (line: JournalLine): boolean =>
  ((line as Partial<AgreeRecord>).disagreements ?? []).length > 0 ||
  ((line as Partial<RefineRecord>).results ?? []).some(
    ({ verdict, hangs }) => hangs || verdict === 'does not refine',
  );
