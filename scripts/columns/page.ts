import { readFileSync } from 'node:fs';
import { FABRIC_MODELS } from '../../src/model/fabrics.js';
import type { Column } from './choose.js';

/** docs/columns.md. @param count how many questions there were to choose from */
export function columnsPage(columns: readonly Column[], count: number): string {
  const names = columns.map(({ test }) => `[\`${test}\`](../${fileOf(test, columns)})`);
  const lines = [
    '# Which column is your NIC?',
    '',
    `Of ${count} questions that the corpus asks about final states, these ${columns.length} are the fewest by which each two [fabrics](fabrics.md) can be told apart: for each two there is one whose outcome one of them allows, and the other forbids. ` +
      'Run them on your card. An outcome that is seen refutes all fabrics that forbid it. An outcome that is not seen refutes nothing: a card may order more than any fabric here, or hide what it does well. So no fabric is ever confirmed: what you learn is which ones your card is not.',
    '',
    '(Written by `npm run golden`.)',
    '',
    `| fabric | ${names.join(' | ')} |`,
    `| --- |${columns.map(() => ' --- |').join('')}`,
    ...FABRIC_MODELS.map(
      (name, i) =>
        `| \`${name}\` | ${columns.map(({ verdicts }) => mark(verdicts[i])).join(' | ')} |`,
    ),
    '',
    '● allowed  ○ forbidden  – nothing is known there',
    '',
    ...columns.flatMap((column) => sectionOf(column)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

const fileOf = (test: string, columns: readonly Column[]): string =>
  columns.find((one) => one.test === test)!.file;

const mark = (verdict: boolean | undefined): string =>
  verdict === undefined ? '–' : verdict ? '●' : '○';

function sectionOf({ file, test, query, verdicts }: Column): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const title = /^"(.*)"$/m.exec(text)?.[1];
  // Without what is said about it: the program.
  const start = text.indexOf('\nnode ');
  const program = text.slice(start, text.search(/^(?:exists|forall|~exists|filter)\b/m)).trim();
  const forbidding = FABRIC_MODELS.filter((_, i) => verdicts[i] === false);
  return [
    `## ${test}`,
    '',
    ...(title === undefined ? [] : [`*${title}*`, '']),
    `\`\`\`litmus ${test}.litmus`,
    `RDMA ${test}`,
    '',
    program,
    '',
    query,
    '```',
    '',
    `If it is seen, the card is none of ${forbidding.map((name) => `\`${name}\``).join(', ')}.`,
    '',
  ];
}
