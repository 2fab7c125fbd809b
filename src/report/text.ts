import { departs, expectedOf, lostQueries } from '../check/expectation.js';
import type { Answer, Outcomes } from '../check/result.js';
import { INTERRUPTION } from '../check/result.js';
import { finalsOf } from '../program/final.js';
import type { Subject, Test } from '../program/program.js';
import { holds } from '../witness/witness.js';
import { COLOURS, plural } from './explain-style.js';
import { interruptedRecords, reachedRecords } from './interruption.js';
import type { Record } from './record.js';
import { showQuery, showState } from './record.js';

/** What `check` prints for one record. */
export function checkText(record: Record): string {
  const { test, model, answers, note } = record;
  const lines = [
    `${COLOURS.bold(test.name)} under ${model}${note === undefined ? '' : `  (${note})`}`,
  ];
  if (test.queries.length === 0) lines.push('  this file asks nothing; see `remora outcomes`');
  for (const answer of answers) {
    const query = test.queries[answer.query];
    const label = query.label === undefined ? '' : `  ${COLOURS.dim(`"${query.label}"`)}`;
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
    parts.push(departs(query, model, answer) ? COLOURS.red(source) : agreed[expected.authority]);
  }
  return parts.join('; ');
}

function paint(verdict: Answer['verdict']): string {
  const bold = COLOURS.bold(verdict);
  if (verdict === 'allowed' || verdict === 'fails') return COLOURS.yellow(bold);
  if (verdict === 'forbidden' || verdict === 'holds') return COLOURS.green(bold);
  return COLOURS.red(bold);
}

/** What a run of `test` has to say beyond its table, and its summary in one line. */
export function testSummary(records: readonly Record[], milliseconds: number): string {
  const lines: string[] = [];
  let [published, departing, unknown, total] = [0, 0, 0, 0];
  const counted = new Set<Test>();
  const reached = reachedRecords(records);
  for (const record of reached) {
    const { test, model, answers, untranslatable } = record;
    counted.add(test);
    if (untranslatable !== undefined) {
      for (const query of lostQueries(test.queries, model)) {
        departing += 1;
        const what = `${test.file}: ${showQuery(query)} under ${model}`;
        const expected = expectedOf(query, model)!.verdict;
        lines.push(
          COLOURS.red(`${what}: no translation, expected ${expected} (${untranslatable})`),
        );
      }
    }
    for (const answer of answers) {
      if (answer.reason === INTERRUPTION) continue;
      total += 1;
      const query = test.queries[answer.query];
      const what = `${test.file}: ${showQuery(query)} under ${model}`;
      if (departs(query, model, answer)) {
        departing += 1;
        const expected = expectedOf(query, model)!;
        const authority = expected.authority === 'published' ? 'published as' : 'expected';
        const reason = answer.reason === undefined ? '' : ` (${answer.reason})`;
        lines.push(
          COLOURS.red(`${what}: ${answer.verdict}${reason}, ${authority} ${expected.verdict}`),
        );
      } else if (answer.verdict === 'unknown' || answer.verdict === 'vacuous') {
        lines.push(`${what}: ${answer.verdict}: ${answer.reason}`);
      } else if (expectedOf(query, model)?.authority === 'published') published += 1;
      if (answer.verdict === 'unknown') unknown += 1;
    }
  }
  const unlucky = reached.filter((r) => r.untranslatable !== undefined);
  if (unlucky.length > 0) {
    const names = [...new Set(unlucky.map((r) => r.test.name))].join(', ');
    lines.push(`– ${names}: the waits have no translation to polls (\`remora check\` says why)`);
  }
  lines.push(...interruptedRecords(records));
  const verdict = departing === 0 ? COLOURS.green('0 depart') : COLOURS.red(`${departing} depart`);
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
  const head = `${COLOURS.bold(test.name)} under ${model}: ${plural(states.length, 'final state')}`;
  const lines = [`${head}${note === undefined ? '' : `  (${note})`}`];
  states.forEach((state) => {
    const final = finalsOf(test.program, subjects, state);
    const marks = test.queries.flatMap((query, q) =>
      holds(query.condition, final) ? [`(${q + 1})`] : [],
    );
    lines.push(`  ${showState(state, '  ')}${marks.length === 0 ? '' : `   ${marks.join(' ')}`}`);
  });
  test.queries.forEach((query, q) =>
    lines.push(COLOURS.dim(`  (${q + 1}) satisfies ${query.text}`)),
  );
  if (upTo !== undefined) lines.push(`  for runs with at most ${upTo} iterations of each loop`);
  if (flags.length > 0) lines.push(`  flags: ${flags.join(', ')}`);
  if (incomplete !== undefined) lines.push(COLOURS.red(`  incomplete: ${incomplete}`));
  return `${lines.join('\n')}\n`;
}
