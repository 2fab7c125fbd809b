/** Which questions of files are minimal tests: text and JSON of `remora synthesise --of`. */
import type { JudgedQuery } from '../analyses/synthesise/judge.js';
import { queryText, showQuery } from '../program/print.js';
import type { Test } from '../program/program.js';
import { COLOURS } from './colours.js';
import { WIDTH, plural, wrapSentence } from './explain-style.js';
import { jsonLine } from './json.js';

export interface JudgedRecord {
  readonly test: Test;
  readonly model: string;
  readonly judged: readonly JudgedQuery[];
}

/** What is told of queries that the model does not forbid: only how many there are. */
const UNTOLD: readonly JudgedQuery['verdict'][] = ['allowed', 'impossible'];

export function judgedText(model: string, records: readonly JudgedRecord[]): string {
  const all = records.flatMap(({ judged }) => judged);
  const count = (verdict: JudgedQuery['verdict']): number =>
    all.filter((one) => one.verdict === verdict).length;
  const asked = all.length - count('allowed') - count('impossible');
  const lines = [
    `${COLOURS.bold(model)} forbids ${asked} of ${plural(all.length, 'outcome')}: ${count('minimal')} minimal, ${count('not minimal')} not minimal, ${count('not compared')} not compared`,
    ...records.flatMap(recordLines),
  ];
  return `${lines.join('\n')}\n`;
}

function recordLines({ test, judged }: JudgedRecord): readonly string[] {
  const told = judged.filter(({ verdict }) => !UNTOLD.includes(verdict));
  if (told.length === 0) return [];
  return [
    '',
    COLOURS.bold(test.name),
    ...told.flatMap((one) => {
      const colour = one.verdict === 'minimal' ? COLOURS.green : COLOURS.yellow;
      return [
        `  ${showQuery(test.queries[one.query])}`,
        `    ${colour(one.verdict)}${one.reason === undefined ? '' : `: ${one.reason}`}`,
        ...whyLines(one).flatMap((why) =>
          wrapSentence(why, WIDTH - 6, '  ').map((line) => `      ${line}`),
        ),
      ];
    }),
  ];
}

const whyLines = ({ needless, weaker, about }: JudgedQuery): readonly string[] => [
  ...needless.map((name) => `forbidden without what it asks of ${name}, too`),
  ...weaker.map((how) => `forbidden where ${how}, too`),
  ...(about.length === 0 ? [] : [`needs ${about.map(({ name }) => name).join(', ')}`]),
];

/** A line for each query. */
export const judgedJson = (records: readonly JudgedRecord[]): string =>
  records
    .flatMap(({ test, model, judged }) =>
      judged.map(({ query, ...rest }) =>
        jsonLine({
          ...{ file: test.file, test: test.name, query: queryText(test.queries[query]) },
          ...{ index: query, model, ...rest },
        }),
      ),
    )
    .map((line) => `${line}\n`)
    .join('');
