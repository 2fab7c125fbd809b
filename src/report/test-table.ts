import { folderOf } from './record.js';
import { departs, expectedOf } from '../check/expectation.js';
import { COLOURS } from './colours.js';
import { tableLegend, modelTable } from './model-table.js';
import { LISTED, MARKS, SIGNS, legendFor } from './outcome.js';
import type { VerdictRecord } from './record.js';
import { apart, queriesAsked, byTest } from './record.js';
import type { TableRow } from './table.js';
import { padded } from './table.js';

const LEGEND: readonly (readonly string[])[] = [
  LISTED.map(legendFor),
  [
    `${SIGNS.published} as published`,
    `${SIGNS.departs} departs from what the file expects`,
    `${SIGNS.bounded} up to the loop bound`,
  ],
];

/**
 * The table of `test`: a row for each query, a column for each model. Clients have a table of their own after it,
 * because their libraries decide them, which are different for each.
 *
 * @param columns how wide the terminal is, which the table has to fit
 */
export function testTable(
  records: readonly VerdictRecord[],
  models: readonly string[],
  columns: number,
): string {
  const { plain, clients } = apart(byTest(records));
  const tables = [
    ...(plain.length > 0 ? [plainTable(plain, models, columns)] : []),
    ...(clients.length > 0 ? [clientTable(clients, columns)] : []),
  ];
  const signs = LEGEND.map((entries) => tableLegend(entries, columns)).join('\n');
  return `${[...tables, signs].join('\n\n')}\n`;
}

type Groups = ReturnType<typeof byTest>;

function plainTable(groups: Groups, models: readonly string[], columns: number): string {
  const rows = rowsOf(groups, (group, index) => {
    const { observations } = group[0].test.queries[index];
    const cells = models.map((model) => {
      const record = group.find((r) => r.model === model);
      return record === undefined ? '' : cell(record, index);
    });
    const seen = observations.map((o) => (o.seen ? 'yes' : 'no'));
    return [...cells, [...new Set(seen)].join(', ')];
  });
  const heads = models.map((model) => model.replace(/-(?=[^-]*$)/, '-\n'));
  return modelTable({ models, heads, rest: ['seen'], rows }, columns);
}

/** The table of clients. Beside the sign of a verdict are the libraries that decide it. */
function clientTable(groups: Groups, columns: number): string {
  const rows = rowsOf(groups, (group, index) => [
    group.map((record) => `${padded(cell(record, index), MARK)} ${record.model}`).join('\n'),
  ]);
  return modelTable({ models: [''], heads: ['libraries'], rest: [], rows }, columns);
}

/** How wide the sign of a verdict is, with the marks that may follow it. */
const MARK = 3;

/** The rows of tests. A line with its name comes before each folder. */
function rowsOf(
  groups: Groups,
  cellsOf: (group: Groups[number], query: number) => readonly string[],
): readonly TableRow[] {
  const rows: TableRow[] = [];
  let folder: string | undefined;
  for (const group of groups) {
    const [{ test }] = group;
    if (folderOf(test.file) !== folder) {
      folder = folderOf(test.file);
      rows.push(COLOURS.bold(`${folder}/`));
    }
    test.queries.forEach((query, index) => {
      rows.push([index === 0 ? test.name : '', queriesAsked(query), ...cellsOf(group, index)]);
    });
  }
  return rows;
}

function cell({ test, model, answers, untranslatable }: VerdictRecord, index: number): string {
  if (untranslatable !== undefined) return MARKS.untranslatable;
  const answer = answers.find((a) => a.query === index);
  // There is no answer if the query is about runs and the model has no machine.
  if (answer === undefined) return MARKS.untranslatable;
  const query = test.queries[index];
  const mark = MARKS[answer.verdict] + (answer.upTo === undefined ? '' : SIGNS.bounded);
  if (departs(query, model, answer)) return COLOURS.red(mark + SIGNS.departs);
  const published = expectedOf(query, model)?.authority === 'published';
  return published && answer.verdict !== 'unknown' ? mark + SIGNS.published : mark;
}
