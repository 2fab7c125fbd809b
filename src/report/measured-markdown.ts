/** What cards showed beside what models allow, as Markdown. */
import { isSeen } from '../analyses/measured/beside.js';
import type { ColumnFound } from '../analyses/measured/columns.js';
import { PLAIN } from './colours.js';
import { explanationText } from './explain.js';
import { listInWords } from './explain-words.js';
import type { MeasuredReport } from './measured-words.js';
import {
  NOTHING_CONFIRMED,
  alarmsIn,
  amountText,
  cardName,
  cardText,
  columnText,
  columnsLeave,
  elsewhereText,
  judgedText,
  leftOn,
  leftText,
  seenText,
  standingMark,
  stateText,
  testsOn,
  timesText,
} from './measured-words.js';
import { showState } from './record.js';

export function measuredMarkdown(report: MeasuredReport): string {
  const { cards, tests, columns } = report;
  const parts = [
    ...cards.map((card, i) => {
      const head = `**${cardName(i)}**: ${cardText(card)}: ${amountText(card, testsOn(tests, i))}`;
      return [head, ...card.leftOut.map(({ test, why }) => `- ${test}: left out: ${why}`)];
    }),
    statesTable(report),
    [`● allowed  ○ forbidden  ! forbidden and seen  ^ up to the loop bound`],
    ...cards.flatMap((_, card) => fabricParts(report, card)),
    [NOTHING_CONFIRMED],
    ...columns.flatMap((found, card) =>
      found === undefined ? [] : columnParts(report, card, found),
    ),
    ...alarmsIn(report).flatMap(alarmParts),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const row = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  [head, head.map(() => '---'), ...rows].map(row);

function statesTable({ cards, models, tests }: MeasuredReport): readonly string[] {
  return table(
    ['test', 'final state', ...models, ...cards.map((_, i) => cardName(i))],
    tests.flatMap(({ item, rows }) =>
      rows.map((one, i) => [
        i === 0 ? item.name : '',
        stateText(item, one),
        ...one.standings.map((standing) => standingMark(standing, isSeen(one))),
        ...one.times.map((times, card) => timesText(times, item.on[card]?.rounds)),
      ]),
    ),
  );
}

function fabricParts(report: MeasuredReport, card: number): readonly (readonly string[])[] {
  const { judged, left, refuted } = leftOn(report, card);
  const rows = judged.map((one) => [
    one.model,
    ...[one.allowedSeen, one.allowedNever, one.forbiddenSeen].map(String),
    judgedText(one),
  ]);
  const head = [
    cardName(card),
    'allowed and seen',
    'allowed, never seen',
    'forbidden and seen',
    '',
  ];
  return [table(head, rows), [leftText(left, refuted)]];
}

function columnParts(
  { models }: MeasuredReport,
  card: number,
  columns: readonly ColumnFound[],
): readonly (readonly string[])[] {
  const rows = columns.map((one) => [one.test, columnText(one)]);
  const left = listInWords(columnsLeave(columns, models)) || 'nothing';
  return [
    table([`${cardName(card)}: which column is your NIC?`, ''], rows),
    [`By these questions alone, it can be ${left}.`],
  ];
}

function alarmParts(printed: ReturnType<typeof alarmsIn>[number]): readonly (readonly string[])[] {
  const { item, alarm, explanation } = printed;
  const { row: seen, model } = alarm;
  const what = `${showState(seen.state)}: ${seenText(item, seen)}`;
  const parts = [
    [`**Forbidden and seen: ${item.name} under ${model}**: ${what}`],
    [elsewhereText(printed)],
  ];
  if (explanation === undefined) return parts;
  return [...parts, ['```text', explanationText(explanation, PLAIN).trimEnd(), '```']];
}
