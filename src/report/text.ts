import { createColors } from 'picocolors';
import { dirname } from 'node:path';
import { departs, expectedOf, lostQueries } from '../check/expectation.js';
import type { Answer, Outcomes } from '../check/result.js';
import type { Subject, Test } from '../program/program.js';
import { holds } from '../witness/witness.js';
import type { Record } from './record.js';
import { byTest, finalsOf, showQuery, showState } from './record.js';
import type { Row } from './table.js';
import { tableText } from './table.js';

/** Colours where people watch or ask for them, and never with NO_COLOR. */
const { NO_COLOR, FORCE_COLOR } = process.env;
const pc = createColors(!NO_COLOR && (Boolean(FORCE_COLOR) || process.stdout.isTTY === true));

/** What `check` prints for one record. */
export function checkText(record: Record): string {
  const { test, model, answers, note } = record;
  const lines = [`${pc.bold(test.name)} under ${model}${note === undefined ? '' : `  (${note})`}`];
  if (test.queries.length === 0) lines.push('  this file asks nothing; see `remora outcomes`');
  for (const answer of answers) {
    const query = test.queries[answer.query];
    const label = query.label === undefined ? '' : `  ${pc.dim(`"${query.label}"`)}`;
    lines.push(`  ${showQuery(query)}${label}`, `    ${verdictText(record, answer)}`);
    for (const line of answer.run ?? []) lines.push(`      ${line}`);
  }
  return `${lines.join('\n')}\n`;
}

function verdictText({ test, model }: Record, answer: Answer): string {
  const query = test.queries[answer.query];
  const parts = [paint(answer.verdict)];
  if (answer.state !== undefined) parts[0] += `: ${showState(answer.state)}`;
  if (answer.reason !== undefined) parts[0] += `: ${answer.reason}`;
  if (answer.upTo !== undefined) {
    parts.push(`for runs with at most ${answer.upTo} iterations of each loop`);
  }
  if (answer.executions !== undefined) {
    const { positive, negative } = answer.executions;
    parts.push(`${positive} of ${plural(positive + negative, 'execution')} satisfy it`);
  }
  if (answer.flags.length > 0) parts.push(`flags: ${answer.flags.join(', ')}`);
  const expected = expectedOf(query, model);
  if (expected !== undefined && answer.verdict !== 'unknown') {
    const source = {
      published: `published: ${expected.verdict}`,
      computed: `the file expects ${expected.verdict}`,
      claim: `the file claims ${expected.verdict}`,
    }[expected.authority];
    const agreed = { published: 'as published', computed: 'as expected', claim: 'as claimed' };
    parts.push(departs(query, model, answer) ? pc.red(source) : agreed[expected.authority]);
  }
  return parts.join('; ');
}

function paint(verdict: Answer['verdict']): string {
  const bold = pc.bold(verdict);
  if (verdict === 'allowed' || verdict === 'fails') return pc.yellow(bold);
  if (verdict === 'forbidden' || verdict === 'holds') return pc.green(bold);
  return pc.red(bold);
}

const MARKS: { readonly [verdict in Answer['verdict']]: string } = {
  allowed: '✓',
  forbidden: '✗',
  holds: '∀',
  fails: '∄',
  unknown: '?',
  vacuous: '∅',
};

const LEGEND =
  '✓ allowed  ✗ forbidden  ∀ holds  ∄ fails  ? unknown  ∅ no execution  – no translation\n' +
  '* as published  ! departs from what the file expects  ^ up to the loop bound';

/** The outcome table of `test`: a row a query, a column a model, then what needs attention. */
export function testText(records: readonly Record[], models: readonly string[]): string {
  const head = models.map((m) => m.replace(/-(?=[^-]*$)/, '-\n'));
  const table: Row[] = [['test', 'outcome', ...head, 'seen']];
  let folder: string | undefined;
  for (const group of byTest(records)) {
    const [{ test }] = group;
    if (dirname(test.file) !== folder) {
      folder = dirname(test.file);
      table.push(pc.bold(`${folder}/`));
    }
    test.queries.forEach((query, index) => {
      const cells = models.map((model) => {
        const record = group.find((r) => r.model === model);
        return record === undefined ? '' : cell(record, index);
      });
      const seen = query.observations.map((o) => (o.seen ? 'yes' : 'no'));
      const text = query.quantifier === 'exists' ? query.text : `${query.quantifier} ${query.text}`;
      const name = index === 0 ? test.name : '';
      table.push([
        fold(name, '-', 24),
        fold(text, ' ', 26),
        ...cells,
        [...new Set(seen)].join(', '),
      ]);
    });
  }
  return `${tableText(table)}\n\n${LEGEND}\n`;
}

function cell({ test, model, answers, untranslatable }: Record, index: number): string {
  if (untranslatable !== undefined) return '–';
  const answer = answers.find((a) => a.query === index);
  if (answer === undefined) return '';
  const query = test.queries[index];
  const mark = MARKS[answer.verdict] + (answer.upTo === undefined ? '' : '^');
  if (departs(query, model, answer)) return pc.red(`${mark}!`);
  const published = expectedOf(query, model)?.authority === 'published';
  return published && answer.verdict !== 'unknown' ? `${mark}*` : mark;
}

/** What a run of `test` has to say beyond its table, and its one-line summary. */
export function testSummary(records: readonly Record[], milliseconds: number): string {
  const lines: string[] = [];
  let [published, departing, unknown, total] = [0, 0, 0, 0];
  const counted = new Set<Test>();
  for (const record of records) {
    const { test, model, answers, untranslatable } = record;
    counted.add(test);
    if (untranslatable !== undefined) {
      for (const query of lostQueries(test.queries, model)) {
        departing += 1;
        const what = `${test.file}: ${showQuery(query)} under ${model}`;
        const expected = expectedOf(query, model)!.verdict;
        lines.push(pc.red(`${what}: no translation, expected ${expected} (${untranslatable})`));
      }
    }
    for (const answer of answers) {
      total += 1;
      const query = test.queries[answer.query];
      const what = `${test.file}: ${showQuery(query)} under ${model}`;
      if (departs(query, model, answer)) {
        departing += 1;
        const expected = expectedOf(query, model)!;
        const authority = expected.authority === 'published' ? 'published as' : 'expected';
        const reason = answer.reason === undefined ? '' : ` (${answer.reason})`;
        lines.push(pc.red(`${what}: ${answer.verdict}${reason}, ${authority} ${expected.verdict}`));
      } else if (answer.verdict === 'unknown' || answer.verdict === 'vacuous') {
        lines.push(`${what}: ${answer.verdict}: ${answer.reason}`);
      } else if (expectedOf(query, model)?.authority === 'published') published += 1;
      if (answer.verdict === 'unknown') unknown += 1;
    }
  }
  const unlucky = records.filter((r) => r.untranslatable !== undefined);
  if (unlucky.length > 0) {
    const names = [...new Set(unlucky.map((r) => r.test.name))].join(', ');
    lines.push(`– ${names}: the waits have no translation to polls (\`remora check\` says why)`);
  }
  const verdict = departing === 0 ? pc.green('0 depart') : pc.red(`${departing} depart`);
  lines.push(
    `${plural(counted.size, 'test')}, ${plural(total, 'verdict')}: ${published} as published, ${verdict}, ` +
      `${unknown} unknown; ${(milliseconds / 1000).toFixed(1)} s`,
  );
  return `${lines.join('\n')}\n`;
}

/** What `outcomes` prints: every final state, marked where it satisfies a query's condition. */
export function outcomesText(
  test: Test,
  model: string,
  outcomes: Outcomes,
  subjects: readonly Subject[],
  note?: string,
): string {
  const { states, incomplete, upTo, flags } = outcomes;
  const head = `${pc.bold(test.name)} under ${model}: ${plural(states.length, 'final state')}`;
  const lines = [`${head}${note === undefined ? '' : `  (${note})`}`];
  states.forEach((state) => {
    const final = finalsOf(test, subjects, state);
    const marks = test.queries.flatMap((query, q) =>
      holds(query.condition, final) ? [`(${q + 1})`] : [],
    );
    lines.push(`  ${showState(state, '  ')}${marks.length === 0 ? '' : `   ${marks.join(' ')}`}`);
  });
  test.queries.forEach((query, q) => lines.push(pc.dim(`  (${q + 1}) satisfies ${query.text}`)));
  if (upTo !== undefined) lines.push(`  for runs with at most ${upTo} iterations of each loop`);
  if (flags.length > 0) lines.push(`  flags: ${flags.join(', ')}`);
  if (incomplete !== undefined) lines.push(pc.red(`  incomplete: ${incomplete}`));
  return `${lines.join('\n')}\n`;
}

/** The verdicts of two models where they differ. */
export function compareText(records: readonly Record[], models: readonly [string, string]): string {
  const table: Row[] = [['test', 'outcome', ...models]];
  let [differing, total] = [0, 0];
  for (const group of byTest(records)) {
    const [first, second] = models.map((m) => group.find((r) => r.model === m)!);
    first.test.queries.forEach((query, index) => {
      const [a, b] = [first, second].map((r) => verdictOf(r, index));
      total += 1;
      if (a === b) return;
      differing += 1;
      table.push([fold(first.test.name, '-', 28), fold(showQuery(query), ' ', 40), a, b]);
    });
  }
  const summary = `${differing} of ${total} verdicts differ between ${models.join(' and ')}\n`;
  return differing === 0 ? summary : `${tableText(table)}\n\n${summary}`;
}

function verdictOf(record: Record, index: number): string {
  if (record.untranslatable !== undefined) return 'no translation';
  return record.answers.find((a) => a.query === index)?.verdict ?? '';
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Breaks a text into lines of at most a width, where it can, behind a sign. */
function fold(text: string, sign: string, width: number): string {
  const lines = [''];
  for (const part of text.split(new RegExp(`(?<=${sign})`))) {
    const last = lines.length - 1;
    if (lines[last].length + part.trimEnd().length <= width) lines[last] += part;
    else lines.push(part);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}
