import { folderOf } from './record.js';
import { departs, expectedOf } from '../check/expectation.js';
import { COLOURS } from './colours.js';
import { legend, modelTable } from './model-table.js';
import type { Outcome } from './outcome.js';
import { MARKS, SIGNS, wordFor } from './outcome.js';
import type { VerdictRecord } from './record.js';
import { byTest } from './record.js';
import type { TableRow } from './table.js';

/** Outcomes that the legend has, in its order. */
const LISTED: readonly Outcome[] = [
  'allowed',
  'forbidden',
  'holds',
  'fails',
  'unknown',
  'vacuous',
  'untranslatable',
];

const LEGEND: readonly (readonly string[])[] = [
  LISTED.map((outcome) => `${MARKS[outcome]} ${wordFor(outcome)}`),
  [
    `${SIGNS.published} as published`,
    `${SIGNS.departs} departs from what the file expects`,
    `${SIGNS.bounded} up to the loop bound`,
  ],
];

/**
 * The outcome table of `test`: a row a query, a column a model.
 *
 * @param columns of the terminal that the table has to fit
 */
export function testTable(
  records: readonly VerdictRecord[],
  models: readonly string[],
  columns: number,
): string {
  const rows: TableRow[] = [];
  let folder: string | undefined;
  for (const group of byTest(records)) {
    const [{ test }] = group;
    if (folderOf(test.file) !== folder) {
      folder = folderOf(test.file);
      rows.push(COLOURS.bold(`${folder}/`));
    }
    test.queries.forEach((query, index) => {
      const cells = models.map((model) => {
        const record = group.find((r) => r.model === model);
        return record === undefined ? '' : cell(record, index);
      });
      const seen = query.observations.map((o) => (o.seen ? 'yes' : 'no'));
      const text =
        query.quantifier === 'exists' ? query.text : `${query.quantifier} ${query.text}`.trim();
      const name = index === 0 ? test.name : '';
      rows.push([name, text, ...cells, [...new Set(seen)].join(', ')]);
    });
  }
  const heads = models.map((model) => model.replace(/-(?=[^-]*$)/, '-\n'));
  const table = modelTable({ models, heads, rest: ['seen'], rows }, columns);
  const signs = LEGEND.map((entries) => legend(entries, columns)).join('\n');
  return `${table}\n\n${signs}\n`;
}

function cell({ test, model, answers, untranslatable }: VerdictRecord, index: number): string {
  if (untranslatable !== undefined) return MARKS.untranslatable;
  const answer = answers.find((a) => a.query === index);
  // A query about runs, and a model without a machine.
  if (answer === undefined) return MARKS.untranslatable;
  const query = test.queries[index];
  const mark = MARKS[answer.verdict] + (answer.upTo === undefined ? '' : SIGNS.bounded);
  if (departs(query, model, answer)) return COLOURS.red(mark + SIGNS.departs);
  const published = expectedOf(query, model)?.authority === 'published';
  return published && answer.verdict !== 'unknown' ? mark + SIGNS.published : mark;
}
