/** What `measured` prints: what cards showed beside what models allow. */
import { isSeen } from '../analyses/measured/beside.js';
import type { ColumnFound } from '../analyses/measured/columns.js';
import { COLOURS } from './colours.js';
import { explanationText } from './explain.js';
import { WIDTH, plural, wrapSentence } from './explain-style.js';
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
import { modelTable, tableLegend } from './model-table.js';
import { SIGNS, legendFor } from './outcome.js';
import { showState } from './record.js';
import type { TableRow } from './table.js';
import { tableText } from './table.js';

/** @param width how wide the terminal is, which the table has to fit */
export function measuredText(report: MeasuredReport, width: number): string {
  const { cards, tests, columns } = report;
  const parts = [
    cards.flatMap((_, card) => cardLines(report, card)),
    ...(tests.length === 0 ? [] : [[statesTable(report, width), '', legend(width)]]),
    ...cards.map((_, card) => fabricLines(report, card)),
    ...(tests.length === 0 ? [] : [wrapSentence(NOTHING_CONFIRMED, WIDTH)]),
    ...columns.flatMap((found, card) =>
      found === undefined ? [] : [columnLines(report, card, found)],
    ),
    ...alarmsIn(report).map(alarmLines),
    [summary(report)],
  ];
  return parts.map((lines) => `${lines.join('\n').trimEnd()}\n`).join('\n');
}

function cardLines({ cards, tests }: MeasuredReport, card: number): readonly string[] {
  const { leftOut } = cards[card];
  return [
    `${COLOURS.bold(cardName(card))}: ${cardText(cards[card])}: ${amountText(cards[card], testsOn(tests, card))}`,
    ...leftOut.map(({ test, why }) => `  ${test}: left out: ${why}`),
  ];
}

/** A row for each state: how often each card showed it, and which models allow it. */
function statesTable({ cards, models, tests }: MeasuredReport, columns: number): string {
  const rows = tests.flatMap(({ item, rows: states }): readonly TableRow[] =>
    states.map((row, i) => [
      i === 0 ? item.name : '',
      stateText(item, row),
      ...row.standings.map((standing) => painted(standingMark(standing, isSeen(row)))),
      ...row.times.map((times, card) => timesText(times, item.on[card]?.rounds)),
    ]),
  );
  const heads = models.map((model) => model.replace(/-(?=[^-]*$)/, '-\n'));
  return modelTable({ models, heads, rest: cards.map((_, i) => cardName(i)), rows }, columns);
}

const painted = (mark: string): string => (mark.endsWith(SIGNS.departs) ? COLOURS.red(mark) : mark);

const legend = (columns: number): string =>
  tableLegend(
    [
      ...(['allowed', 'forbidden', 'unknown', 'untranslatable'] as const).map(legendFor),
      `${SIGNS.departs} forbidden and seen`,
      `${SIGNS.bounded} up to the loop bound`,
      '(1) satisfies the first question of the test',
    ],
    columns,
  );

/** What a card says of each model. */
function fabricLines(report: MeasuredReport, card: number): readonly string[] {
  const { judged, left, refuted } = leftOn(report, card);
  const rows = judged.map((one) => [
    `  ${one.model}`,
    ...[one.allowedSeen, one.allowedNever, one.forbiddenSeen].map(String),
    one.refutedBy === undefined ? judgedText(one) : COLOURS.red(judgedText(one)),
  ]);
  const heads = ['', 'allowed\nand seen', 'allowed,\nnever seen', 'forbidden\nand seen', ''];
  return [
    COLOURS.bold(cardName(card)),
    tableText([heads, ...rows]),
    ...wrapSentence(`  ${leftText(left, refuted)}`, WIDTH, '  '),
  ];
}

/** Which column of docs/columns.md a card can be. */
function columnLines(
  { models }: MeasuredReport,
  card: number,
  columns: readonly ColumnFound[],
): readonly string[] {
  const rows = columns.map((one) => [`  ${one.test}`, columnText(one)]);
  const left = listInWords(columnsLeave(columns, models)) || 'nothing';
  return [
    `${COLOURS.bold(cardName(card))}: which column is your NIC? (docs/columns.md)`,
    tableText(rows),
    ...wrapSentence(`  By these questions alone, it can be ${left}.`, WIDTH, '  '),
  ];
}

function alarmLines(printed: ReturnType<typeof alarmsIn>[number]): readonly string[] {
  const { item, alarm, explanation } = printed;
  const { row, model } = alarm;
  const head = `FORBIDDEN AND SEEN: ${item.name} under ${model}: ${showState(row.state)}: ${seenText(item, row)}`;
  const lines = explanation === undefined ? [] : explanationText(explanation).trimEnd().split('\n');
  return [
    COLOURS.red(COLOURS.bold(head)),
    ...wrapSentence(`  ${elsewhereText(printed)}`, WIDTH, '  '),
    '',
    ...lines.map((line) => (line === '' ? '' : `  ${line}`)),
  ];
}

function summary({ cards, tests, models }: MeasuredReport): string {
  const rows = tests.flatMap((one) => one.rows);
  const wrong = rows.filter((row) => isSeen(row) && row.standings.includes('forbidden')).length;
  return (
    `${plural(tests.length, 'test')}, ${plural(rows.length, 'final state')}, ${plural(cards.length, 'card')}, ` +
    `${plural(models.length, 'model')}; ${wrong} seen that ${models.length === 1 ? 'it' : 'some model'} forbids`
  );
}
