import { leftAfter } from '../../src/analyses/measured/columns.js';
import { FABRIC_MODELS } from '../../src/model/fabrics.js';
import type { Column } from './choose.js';
import { FOLDER, fileOf, forbidding, partsOf } from './file.js';

/** docs/columns.md. @param all the questions that there were to choose from */
export function columnsPage(columns: readonly Column[], all: readonly Column[]): string {
  const names = columns.map((column) => `[\`${column.test}\`](../${fileOf(column)})`);
  const lines = [
    '# Which column is your NIC?',
    '',
    `Of ${all.length} questions that the corpus asks about final states, these ${columns.length} are the fewest that tell apart each two [fabrics](fabrics.md) that any of the questions tells apart: one of the two allows its outcome, and the other forbids it. ` +
      `They are in [\`${FOLDER}\`](../${FOLDER}). Run them on your card ([how](cards.md#tests-on-a-card)); \`remora measured\` [says](cards.md#what-was-measured) what follows. An outcome that is seen refutes all fabrics that forbid it. An outcome that is not seen refutes nothing: a card may order more than any fabric here, or hide what it does well. So no fabric is ever confirmed: what you learn is which ones your card is not.`,
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
    ...untoldSection(all),
    ...mostSection(columns),
    ...columns.flatMap((column) => sectionOf(column)),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

const mark = (verdict: boolean | undefined): string =>
  verdict === undefined ? '–' : verdict ? '●' : '○';

/** The fabrics that no question tells apart. */
function untoldSection(all: readonly Column[]): readonly string[] {
  const pairs = FABRIC_MODELS.flatMap((first, i) =>
    FABRIC_MODELS.flatMap((second, j) => {
      const isTold = all.some(
        ({ verdicts: { [i]: a, [j]: b } }) => a !== undefined && b !== undefined && a !== b,
      );
      return i < j && !isTold ? [`\`${first}\` and \`${second}\``] : [];
    }),
  );
  return pairs.length === 0
    ? ['Each two fabrics are told apart by some question.', '']
    : [`None of the questions tells these apart: ${pairs.join('; ')}.`, ''];
}

/** What can be learned at most: a card that is a fabric may show all that the fabric allows, and no more. */
function mostSection(columns: readonly Column[]): readonly string[] {
  const rows = FABRIC_MODELS.map((name, i) => {
    const seen = columns.filter(({ verdicts }) => verdicts[i] === true);
    const left = leftAfter(seen.map(forbidding), FABRIC_MODELS);
    const others = left.filter((one) => one !== name);
    return `| \`${name}\` | ${listed(seen.map(({ test }) => test))} | ${others.length === FABRIC_MODELS.length - 1 ? 'all' : listed(others)} |`;
  });
  return [
    '## What can be learned',
    '',
    'If your card is one of the fabrics, it shows at most what that fabric allows. If all of that is seen, these are left besides it: a fabric that allows as much, or more, is never refuted.',
    '',
    '| if the card is | it may show | left besides it |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ];
}

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ');

function sectionOf(column: Column): readonly string[] {
  const { test, query } = column;
  const { title, program } = partsOf(column);
  return [
    `## ${test}`,
    '',
    ...(title === undefined ? [] : [`*${title.slice(1, -1)}*`, '']),
    `\`\`\`litmus ${test}.litmus`,
    `RDMA ${test}`,
    '',
    program,
    '',
    query,
    '```',
    '',
    `If it is seen, the card is none of ${listed(forbidding(column))}.`,
    '',
  ];
}
