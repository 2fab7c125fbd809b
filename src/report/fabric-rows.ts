/** What is found of a program on fabrics, as data and in words: texts, tables and pages say it from here. */
import type { Fix } from '../analyses/repair/fix.js';
import type { Answer } from '../check/result.js';
import { strongestOf, weakestOf } from '../model/fabrics.js';
import { groupBy } from '../model/relation/groups.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import type { Test } from '../program/program.js';
import { unanswered } from './finding.js';
import { fixLines, fixPatchLines } from './fix.js';
import type { Outcome } from './outcome.js';
import { HAPPENS, MARKS, SIGNS } from './outcome.js';
import type { VerdictRecord } from './record.js';
import { limitsOf } from './text.js';

/** What is found of a query on one fabric: an answer, or why there is none. */
export interface OnFabric {
  readonly model: string;
  readonly answer?: Answer;
  readonly lacking?: string;
  /** What would rule it out there, if that was asked for and it can go wrong. */
  readonly fix?: Fix;
}

/** A query on all fabrics. */
export interface FabricRow {
  readonly test: Test;
  readonly source: SourceFile;
  readonly query: number;
  readonly on: readonly OnFabric[];
  /** Where it is safe, those that order least; and where it goes wrong, those that order most. */
  readonly safe: readonly string[];
  readonly wrong: readonly string[];
}

/** Can what the query asks about happen there? Undefined if that is not known. */
export const goesWrong = ({ answer }: OnFabric): boolean | undefined =>
  answer && HAPPENS[answer.verdict];

export const outcomeOn = ({ answer }: OnFabric): Outcome => answer?.verdict ?? 'untranslatable';

/** A query on all fabrics, from what is found on each. */
export function fabricRow(
  { test, source }: Pick<FabricRow, 'test' | 'source'>,
  query: number,
  on: readonly OnFabric[],
): FabricRow {
  const named = (wrong: boolean): readonly string[] =>
    on.filter((one) => goesWrong(one) === wrong).map(({ model }) => model);
  return {
    test,
    source,
    query,
    on,
    safe: weakestOf(named(false)),
    wrong: strongestOf(named(true)),
  };
}

/** What a record says of a query. */
export function onFabric(record: VerdictRecord, query: number): OnFabric {
  const { model, answers } = record;
  const answer = answers.find((one) => one.query === query);
  return answer === undefined
    ? { model, lacking: unanswered(record).get(query) }
    : { model, answer };
}

/** Titles without what all of them begin with, up to a comma. */
export function withoutStart(titles: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [start = ''] = [...titles.values()].map((title) => title.split(',')[0]);
  const shared = [...titles.values()].every((title) => `${title},`.startsWith(`${start},`));
  if (!shared || titles.size < 2) return titles;
  const rest = (title: string): string => title.slice(start.length).replace(/^, /, '');
  return new Map([...titles].map(([name, title]) => [name, rest(title) || title]));
}

/** The mark of a verdict, and of one that is not about all runs. */
export const onFabricMark = (one: OnFabric): string =>
  MARKS[outcomeOn(one)] + (isOnFabricLimited(one) ? SIGNS.bounded : '');

/** Is an answer about some runs only? */
export const isOnFabricLimited = ({ answer }: OnFabric): boolean =>
  answer !== undefined && limitsOf(answer).length > 0;

/** Beside a fabric: why there is no answer, or else its title; and for which runs the answer is. */
export const saidOf = (
  { model, answer, lacking }: OnFabric,
  titles: ReadonlyMap<string, string>,
): string =>
  [
    lacking ?? answer?.reason ?? titles.get(model) ?? '',
    ...(answer === undefined ? [] : limitsOf(answer)),
  ].join('; ');

/** What answers rest on, each once. */
export const assumedFor = ({ on }: FabricRow): readonly string[] => [
  ...new Set(on.flatMap(({ answer }) => answer?.assuming ?? [])),
];

/** Fixes that are the same for several fabrics are told once. */
export function fixGroups({ on, source }: FabricRow): readonly {
  readonly models: readonly string[];
  readonly lines: readonly string[];
  /** Of a C file; none of others. */
  readonly patch: readonly string[];
}[] {
  const told = on.flatMap(({ model, fix }) =>
    fix === undefined ? [] : [{ model, lines: fixLines(fix, source), patch: fixPatchLines(fix) }],
  );
  const same = groupBy(told, ({ lines, patch }) => [...lines, ...patch].join('\n'));
  return [...same.values()].map((all) => ({ ...all[0], models: all.map(({ model }) => model) }));
}

/** `Weakest on which it is safe: rdma-ro-tagged. Strongest on which it can go wrong: rdma-ro.` */
export function inWords({ on, safe, wrong }: FabricRow): string {
  const open = on.filter((one) => goesWrong(one) === undefined).map(({ model }) => model);
  const rest = open.length === 0 ? '' : ` Not known: ${open.join(', ')}.`;
  const all = open.length === 0 ? 'all of them' : 'all others';
  const within = on.some((one) => goesWrong(one) === false && isOnFabricLimited(one))
    ? ', as far as the runs go that are named above'
    : '';
  if (safe.length === 0 && wrong.length === 0) return rest.trim();
  if (wrong.length === 0) return `Safe on ${all}${within}.${rest}`;
  if (safe.length === 0) return `It can go wrong on ${all}.${rest}`;
  return `Weakest on which it is safe: ${safe.join(', ')}${within}. Strongest on which it can go wrong: ${wrong.join(', ')}.${rest}`;
}

/** `all` and `none` are said only where there is an answer for each fabric. */
export function weakestCell({ on, safe, wrong }: Pick<FabricRow, 'on' | 'safe' | 'wrong'>): string {
  const isKnown = on.every((one) => goesWrong(one) !== undefined);
  if (isKnown && wrong.length === 0) return 'all';
  return isKnown && safe.length === 0 ? 'none' : safe.join(', ');
}
