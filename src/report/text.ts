import { departs, expectedOf } from '../check/expectation.js';
import type { Answer, Outcomes } from '../check/result.js';
import { finalsOf } from '../program/final.js';
import type { Query, Subject, Test } from '../program/program.js';
import { holds } from '../check/witness/witness.js';
import { COLOURS } from './colours.js';
import { plural } from './explain-style.js';
import { unanswered } from './finding.js';
import { HAPPENS, loopBound, painted, roomInWords, statesInWords } from './outcome.js';
import type { VerdictRecord } from './record.js';
import { showQuery } from '../program/print.js';
import { decidedBy, showState } from './record.js';
import { isStateQuery } from '../program/program.js';

/** What `check` prints for a record. */
export function checkText(record: VerdictRecord): string {
  const { test, model, answers, note, untranslatable } = record;
  const lines = [
    `${COLOURS.bold(test.name)} ${decidedBy(test, model)}${note === undefined ? '' : `  (${note})`}`,
  ];
  if (test.queries.length === 0) lines.push('  this file asks nothing; see `remora outcomes`');
  for (const answer of answers) {
    const query = test.queries[answer.query];
    lines.push(queryLine(query), `    ${verdictText(record, answer)}`);
    for (const line of answer.assuming ?? []) lines.push(`      if ${line}`);
    for (const line of answer.run ?? []) lines.push(`      ${line}`);
    if (answer.round !== undefined) {
      lines.push(answer.round.length > 0 ? '    and then, for ever:' : '    and then nothing more');
    }
    for (const line of answer.round ?? []) lines.push(`      ${line}`);
  }
  if (untranslatable === undefined) lines.push(...withoutAnswer(record));
  return `${lines.join('\n')}\n`;
}

/** A query with its label. */
export function queryLine(query: Query): string {
  const label = query.label === undefined ? '' : `  ${COLOURS.dim(`"${query.label}"`)}`;
  return `  ${showQuery(query)}${label}`;
}

/** Which runs an answer is about, in words, if it is not about all. */
export const limitsOf = (answer: Answer): readonly string[] => [
  ...(answer.upTo === undefined ? [] : [`for runs with ${loopBound(answer.upTo)}`]),
  ...(answer.full === undefined ? [] : [roomInWords(answer)]),
];

/** The lines about queries without an answer: those about runs, if the model has no machine. */
function withoutAnswer(record: VerdictRecord): readonly string[] {
  return [...unanswered(record)].flatMap(([index, why]) => [
    `  ${showQuery(record.test.queries[index])}`,
    `    no answer: ${why}`,
  ]);
}

/** The line for a query: its answer, and whether the file expects another one. */
export function verdictText(
  { test, model }: Pick<VerdictRecord, 'test' | 'model'>,
  answer: Answer,
  colours = COLOURS,
): string {
  const query = test.queries[answer.query];
  const parts = [painted(answer.verdict, HAPPENS[answer.verdict], colours)];
  if (answer.state !== undefined) parts[0] += `: ${showState(answer.state)}`;
  if (answer.reason !== undefined) parts[0] += `: ${answer.reason}`;
  parts.push(...limitsOf(answer));
  if (answer.states !== undefined) parts.push(statesInWords(answer));
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
    parts.push(departs(query, model, answer) ? colours.red(source) : agreed[expected.authority]);
  }
  return parts.join('; ');
}

/** What `outcomes` prints: all final states. Those that satisfy the condition of a query are marked. */
export function outcomesText(
  test: Test,
  model: string,
  outcomes: Outcomes,
  subjects: readonly Subject[],
  note?: string,
): string {
  const { states, incomplete, upTo, flags } = outcomes;
  const head = `${COLOURS.bold(test.name)} ${decidedBy(test, model)}: ${plural(states.length, 'final state')}`;
  const lines = [`${head}${note === undefined ? '' : `  (${note})`}`];
  states.forEach((state) => {
    const final = finalsOf(test.program, subjects, state);
    const marks = test.queries.flatMap((query, q) =>
      isStateQuery(query) && holds(query.condition, final) ? [`(${q + 1})`] : [],
    );
    lines.push(`  ${showState(state, '  ')}${marks.length === 0 ? '' : `   ${marks.join(' ')}`}`);
  });
  test.queries.forEach((query, q) => {
    if (isStateQuery(query)) lines.push(COLOURS.dim(`  (${q + 1}) satisfies ${query.text}`));
  });
  if (upTo !== undefined) lines.push(`  for runs with ${loopBound(upTo)}`);
  if (flags.length > 0) lines.push(`  flags: ${flags.join(', ')}`);
  if (incomplete !== undefined) lines.push(COLOURS.red(`  incomplete: ${incomplete}`));
  return `${lines.join('\n')}\n`;
}
