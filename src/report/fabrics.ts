/** On which fabrics a program is safe: text, JSON and Markdown of `remora fabrics`. */
import type { Fix } from '../analyses/repair/fix.js';
import type { Answer } from '../check/result.js';
import { groupBy } from '../model/relation/groups.js';
import type { SourceFile } from '../parse/diagnostics/index.js';
import { queryText } from '../program/print.js';
import type { Test } from '../program/program.js';
import { COLOURS } from './colours.js';
import { fixJson, fixLines } from './fix.js';
import { jsonLine } from './json.js';
import type { Outcome } from './outcome.js';
import { HAPPENS, LISTED, MARKS, SIGNS, legendFor, painted } from './outcome.js';
import { queriesAsked } from './record.js';
import { padded } from './table.js';
import { limitsOf, queryLine } from './text.js';

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

const outcomeOf = ({ answer }: OnFabric): Outcome => answer?.verdict ?? 'untranslatable';

/** @param all what models stand for in words, by their names */
export function fabricsText(rows: readonly FabricRow[], all: ReadonlyMap<string, string>): string {
  const titles = withoutStart(all);
  const tests = groupBy(rows, ({ test }) => test);
  return [...tests]
    .map(([test, those]) => [
      COLOURS.bold(test.name),
      ...those.flatMap((row) => rowLines(row, titles)),
    ])
    .map((lines) => `${lines.join('\n')}\n`)
    .concat(rows.length === 0 ? [] : [`${legendOf(rows)}\n`])
    .join('\n');
}

/** The marks that are there, in words. */
function legendOf(rows: readonly FabricRow[]): string {
  const seen = new Set(rows.flatMap(({ on }) => on.map(outcomeOf)));
  return LISTED.filter((outcome) => seen.has(outcome))
    .map(legendFor)
    .join('  ');
}

/** Titles without what all of them begin with, up to a comma. */
function withoutStart(titles: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [start = ''] = [...titles.values()].map((title) => title.split(',')[0]);
  const shared = [...titles.values()].every((title) => `${title},`.startsWith(`${start},`));
  if (!shared || titles.size < 2) return titles;
  const rest = (title: string): string => title.slice(start.length).replace(/^, /, '');
  return new Map([...titles].map(([name, title]) => [name, rest(title) || title]));
}

function rowLines(row: FabricRow, titles: ReadonlyMap<string, string>): readonly string[] {
  const width = Math.max(...row.on.map(({ model }) => model.length));
  const lines = row.on.map((one) => {
    const { model, answer, lacking } = one;
    const mark = painted(markOf(one), goesWrong(one));
    const blank = ' '.repeat(Math.max(0, 2 - markOf(one).length));
    const about = lacking ?? answer?.reason ?? titles.get(model) ?? '';
    const said = [about, ...(answer === undefined ? [] : limitsOf(answer))].join('; ');
    return `    ${mark}${blank} ${padded(model, width)}  ${said}`;
  });
  const assumed = new Set(row.on.flatMap(({ answer }) => answer?.assuming ?? []));
  const fixes = fixGroups(row).flatMap(({ models, lines: told }) => [
    '',
    `    To rule it out on ${models.join(', ')}:`,
    ...told.map((line) => (line === '' ? '' : `      ${line}`)),
  ]);
  return [
    queryLine(row.test.queries[row.query]),
    ...lines,
    `    ${inWords(row)}`,
    ...[...assumed].map((line) => `      if ${line}`),
    ...fixes,
  ];
}

/** The mark of a verdict, and of one that is not about all runs. */
const markOf = (one: OnFabric): string =>
  MARKS[outcomeOf(one)] + (isLimited(one) ? SIGNS.bounded : '');

const isLimited = ({ answer }: OnFabric): boolean =>
  answer !== undefined && limitsOf(answer).length > 0;

/** Fixes that are the same for several fabrics are told once. */
function fixGroups({ on, source }: FabricRow): readonly {
  readonly models: readonly string[];
  readonly lines: readonly string[];
}[] {
  const told = on.flatMap(({ model, fix }) =>
    fix === undefined ? [] : [{ model, lines: fixLines(fix, source) }],
  );
  return [...groupBy(told, ({ lines }) => lines.join('\n')).values()].map((same) => ({
    models: same.map(({ model }) => model),
    lines: same[0].lines,
  }));
}

/** `Weakest on which it is safe: rdma-ro-tagged. Strongest on which it can go wrong: rdma-ro.` */
function inWords({ on, safe, wrong }: FabricRow): string {
  const open = on.filter((one) => goesWrong(one) === undefined).map(({ model }) => model);
  const rest = open.length === 0 ? '' : ` Not known: ${open.join(', ')}.`;
  const all = open.length === 0 ? 'all of them' : 'all others';
  const within = on.some((one) => goesWrong(one) === false && isLimited(one))
    ? ', as far as the runs go that are named above'
    : '';
  if (safe.length === 0 && wrong.length === 0) return rest.trim();
  if (wrong.length === 0) return `Safe on ${all}${within}.${rest}`;
  if (safe.length === 0) return `It can go wrong on ${all}.${rest}`;
  return `Weakest on which it is safe: ${safe.join(', ')}${within}. Strongest on which it can go wrong: ${wrong.join(', ')}.${rest}`;
}

export const fabricsJson = (row: FabricRow): string => {
  const { test, source, query, on, safe, wrong } = row;
  return jsonLine({
    file: test.file,
    test: test.name,
    query: queryText(test.queries[query]),
    index: query,
    label: test.queries[query].label,
    fabrics: on.map(({ model, answer, lacking, fix }) => ({
      model,
      verdict: answer?.verdict ?? 'untranslatable',
      reason: lacking ?? answer?.reason,
      upTo: answer?.upTo,
      full: answer?.full,
      room: answer?.room,
      assuming: answer?.assuming,
      fix: fix && fixJson(fix, source),
    })),
    weakestSafe: safe,
    strongestWrong: wrong,
  });
};

/** `all` and `none` are said only where there is an answer for each fabric. */
function weakestCell({ on, safe, wrong }: Pick<FabricRow, 'on' | 'safe' | 'wrong'>): string {
  const isKnown = on.every((one) => goesWrong(one) !== undefined);
  if (isKnown && wrong.length === 0) return 'all';
  return isKnown && safe.length === 0 ? 'none' : safe.join(', ');
}

/** A table with a column for each fabric. */
export function fabricsMarkdown(rows: readonly FabricRow[], models: readonly string[]): string {
  const head = ['test', 'outcome', ...models, 'weakest on which it is safe'];
  const cells = rows.map(({ test, query, on, safe, wrong }) => [
    test.name,
    `\`${queriesAsked(test.queries[query]).replaceAll('|', '\\|')}\``,
    ...models.map((model) => {
      const found = on.find((one) => one.model === model);
      return found === undefined ? '' : markOf(found);
    }),
    weakestCell({ on, safe, wrong }),
  ]);
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  return `${[head, head.map(() => '---'), ...cells].map(line).join('\n')}\n`;
}
