/** On which fabrics a program is safe: text, JSON and Markdown of `remora fabrics`. */
import { cpuOf } from '../model/cpus.js';
import { groupBy } from '../model/relation/groups.js';
import { queryText } from '../program/print.js';
import { COLOURS } from './colours.js';
import type { FabricRow } from './fabric-rows.js';
import {
  assumedFor,
  fixGroups,
  goesWrong,
  inWords,
  onFabricMark,
  outcomeOn,
  saidOf,
  weakestCell,
  withoutStart,
} from './fabric-rows.js';
import { fixJson } from './fix.js';
import { jsonLine } from './json.js';
import { LISTED, legendFor, painted } from './outcome.js';
import { queriesAsked } from './record.js';
import { padded } from './table.js';
import { queryLine } from './text.js';

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
  const seen = new Set(rows.flatMap(({ on }) => on.map(outcomeOn)));
  return LISTED.filter((outcome) => seen.has(outcome))
    .map(legendFor)
    .join('  ');
}

/** A line for each fabric, with a mark for each CPU. */
function fabricLines({ on }: FabricRow, titles: ReadonlyMap<string, string>): readonly string[] {
  const cpus = [...new Set(on.map(({ model }) => cpuOf(model).cpu))];
  const fabrics = groupBy(on, ({ model }) => (cpus.length === 1 ? model : cpuOf(model).fabric));
  const width = Math.max(...[...fabrics.keys()].map((name) => name.length));
  const column = Math.max(2, ...(cpus.length === 1 ? [] : cpus.map((name) => name.length)));
  const lines = [...fabrics].map(([fabric, those]) => {
    // Models may be named of which not all have the same CPUs.
    const marks = cpus.map((cpu) => {
      const one = those.find(({ model }) => cpuOf(model).cpu === cpu);
      if (one === undefined) return ' '.repeat(column);
      const mark = onFabricMark(one);
      return painted(mark, goesWrong(one)) + ' '.repeat(Math.max(0, column - mark.length));
    });
    const said = those.map((one) => saidOf(one, titles));
    const told = said.every((text) => text === said[0])
      ? said[0]
      : said.map((text, i) => `${cpuOf(those[i].model).cpu}: ${text}`).join('; ');
    return `    ${marks.join(' ')} ${padded(fabric, width)}  ${told}`;
  });
  return cpus.length === 1
    ? lines
    : [`    ${cpus.map((name) => padded(name, column)).join(' ')}`.trimEnd(), ...lines];
}

function rowLines(row: FabricRow, titles: ReadonlyMap<string, string>): readonly string[] {
  const fixes = fixGroups(row).flatMap(({ models, lines: told, patch }) => [
    '',
    `    To rule it out on ${models.join(', ')}:`,
    ...told.map((line) => (line === '' ? '' : `      ${line}`)),
    ...(patch.length === 0 ? [] : ['', ...patch]),
  ]);
  return [
    queryLine(row.test.queries[row.query]),
    ...fabricLines(row, titles),
    `    ${inWords(row)}`,
    ...assumedFor(row).map((line) => `      if ${line}`),
    ...fixes,
  ];
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

/** A table with a column for each fabric. */
export function fabricsMarkdown(rows: readonly FabricRow[], models: readonly string[]): string {
  const head = ['test', 'outcome', ...models, 'weakest on which it is safe'];
  const cells = rows.map(({ test, query, on, safe, wrong }) => [
    test.name,
    `\`${queriesAsked(test.queries[query]).replaceAll('|', '\\|')}\``,
    ...models.map((model) => {
      const found = on.find((one) => one.model === model);
      return found === undefined ? '' : onFabricMark(found);
    }),
    weakestCell({ on, safe, wrong }),
  ]);
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  return `${[head, head.map(() => '---'), ...cells].map(line).join('\n')}\n`;
}
