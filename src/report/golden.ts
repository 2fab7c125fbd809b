import { folderOf } from './record.js';
import { expectedOf } from '../check/expectation.js';
import { MARKS, SIGNS } from './outcome.js';
import type { VerdictRecord } from './record.js';
import { apart, queriesAsked, byTest } from './record.js';

/**
 * The table of `corpus/outcomes.md`: every verdict under every model, those that were published in bold. Nothing in it
 * depends on the machine or the time, so that any difference is a change of Remora.
 */
export function goldenTable(records: readonly VerdictRecord[], models: readonly string[]): string {
  const lines = [
    '# Remora: outcomes',
    '',
    '**Bold** verdicts are published, and Remora computes the same; the others are computed only.',
    `\`${SIGNS.bounded}\`: for runs within the loop bound. \`${MARKS.untranslatable}\`: no meaning under the model.`,
    `\`${MARKS.vacuous}\`: no execution. The last column is what was seen on hardware.`,
  ];
  const { plain, clients } = apart(byTest(records));
  let folder: string | undefined;
  for (const group of plain) {
    const [{ test }] = group;
    if (folderOf(test.file) !== folder) {
      folder = folderOf(test.file);
      lines.push('', `## ${folder}`, '');
      lines.push(`| test | outcome | ${models.join(' | ')} | seen |`);
      lines.push(`| --- | --- |${' --- |'.repeat(models.length + 1)}`);
    }
    test.queries.forEach((query, index) => {
      const cells = models.map((model) => {
        const record = group.find((r) => r.model === model);
        return record === undefined ? '' : cell(record, index);
      });
      const seen = query.observations.map((o) => (o.seen ? 'yes' : 'no'));
      const row = [test.name, code(queriesAsked(query)), ...cells, [...new Set(seen)].join(', ')];
      lines.push(`| ${row.join(' | ')} |`);
    });
  }
  if (clients.length > 0) lines.push('', ...clientLines(clients));
  return `${lines.join('\n')}\n`;
}

/**
 * The clients of libraries. Each is decided by its own libraries together, so they have a table without columns for
 * models.
 */
function clientLines(clients: ReturnType<typeof byTest>): readonly string[] {
  const rows = clients.flatMap((group) =>
    group[0].test.queries.flatMap((query, index) =>
      group.map((record) => {
        const { test, model } = record;
        return `| ${[test.name, code(queriesAsked(query)), model, cell(record, index)].join(' | ')} |`;
      }),
    ),
  );
  return [
    '## Clients of libraries',
    '',
    '| test | outcome | libraries | verdict |',
    '| --- | --- | --- | --- |',
    ...rows,
  ];
}

const code = (text: string): string => `\`${text}\``;

function cell({ test, model, answers, untranslatable }: VerdictRecord, index: number): string {
  if (untranslatable !== undefined) return MARKS.untranslatable;
  const answer = answers.find((a) => a.query === index);
  if (answer === undefined) return '';
  const word = answer.verdict === 'vacuous' ? MARKS.vacuous : answer.verdict;
  const text = answer.upTo === undefined ? word : word + SIGNS.bounded;
  const expected = expectedOf(test.queries[answer.query], model);
  if (expected?.authority !== 'published') return text;
  return expected.verdict === answer.verdict
    ? `**${text}**`
    : `${text} (published: ${expected.verdict})`;
}
