/** The lines of `measured --json` (docs/json.md): one for each card, each test, and each state that was seen and is forbidden. */
import type { Alarm, TestBeside } from '../analyses/measured/ask.js';
import type { Standing } from '../analyses/measured/beside.js';
import { printTest } from '../program/print.js';
import { jsonLine } from './json.js';
import type { MeasuredReport } from './measured-words.js';
import { leftOn, testsOn } from './measured-words.js';

export function measuredJson(report: MeasuredReport): readonly string[] {
  return [
    ...report.cards.map((_, card) => cardLine(report, card)),
    ...report.tests.flatMap((one) => [
      testLine(one),
      ...one.alarms.map((alarm) => alarmLine(one, alarm)),
    ]),
  ];
}

function cardLine(report: MeasuredReport, index: number): string {
  const { card, files, rounds, dropped, leftOut } = report.cards[index];
  const { judged, left, refuted } = leftOn(report, index);
  const columns = report.columns[index]?.map(({ test, found }) => ({ test, ...found }));
  return jsonLine({
    kind: 'card',
    card,
    files,
    tests: testsOn(report.tests, index),
    rounds,
    dropped,
    leftOut,
    models: judged,
    left,
    refuted,
    columns,
  });
}

function testLine({ item, under, rows }: TestBeside): string {
  const lacking = under.flatMap(({ model, lacking: reason }) =>
    reason === undefined ? [] : [{ model, reason }],
  );
  const incomplete = under.flatMap(({ model, outcomes }) =>
    outcomes?.incomplete === undefined ? [] : [{ model, reason: outcomes.incomplete }],
  );
  return jsonLine({
    kind: 'test',
    test: item.name,
    program: printTest(item.test),
    rounds: item.on.map((counts) => counts?.rounds ?? null),
    outcomes: rows.map(({ state, times, standings }) => {
      const those = (standing: Standing): readonly string[] =>
        under.flatMap(({ model }, m) => (standings[m] === standing ? [model] : []));
      return {
        state,
        times: times.map((n) => n ?? null),
        allowed: those('allowed'),
        forbidden: those('forbidden'),
        bounded: those('bounded'),
        unknown: those('unknown'),
      };
    }),
    lacking,
    incomplete,
  });
}

function alarmLine(
  { item }: TestBeside,
  { row, model, allowing, forbidding, open, explanation }: Alarm,
): string {
  return jsonLine({
    kind: 'forbidden',
    test: item.name,
    model,
    state: row.state,
    times: row.times.map((n) => n ?? null),
    allowing,
    forbidding,
    open,
    explanation,
  });
}
