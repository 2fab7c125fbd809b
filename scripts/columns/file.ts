import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { FABRIC_MODELS } from '../../src/model/fabrics.js';
import type { Column } from './choose.js';

/** Where the questions that were chosen are, as files of their own. */
export const FOLDER = 'corpus/columns';

export const fileOf = ({ test }: Column): string => posix.join(FOLDER, `${test}.litmus`);

/** A question as a file of its own: what follows from its outcome, and what each fabric says. */
export function columnFile(column: Column): string {
  const { file, test, query } = column;
  const { title, source, program } = partsOf(column);
  const lines = [
    `RDMA ${test}`,
    ...[title, source].flatMap((line) => line ?? []),
    `# The question is one of ${file}; docs/columns.md says why it is here.`,
    `# If it is seen, the card is none of ${forbidding(column).join(', ')}.`,
    '# If it is not seen, nothing follows.',
    ...['', program, '', query],
    ...saying(column, true).map((names) => `  computed allowed under ${names}`),
    ...saying(column, false).map((names) => `  computed forbidden under ${names}`),
    ...saying(column, undefined).map((names) => `# nothing is known under ${names}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The title and the source of a question's file, as its lines, and its program without what is said about it. */
export function partsOf({ file }: Column): {
  readonly title?: string;
  readonly source?: string;
  readonly program: string;
} {
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf('\nnode ');
  return {
    title: /^".*"$/m.exec(text)?.[0],
    source: /^source ".*"$/m.exec(text)?.[0],
    program: text.slice(start, text.search(/^(?:exists|forall|~exists|filter)\b/m)).trim(),
  };
}

/** The fabrics of which a card is none that shows the outcome of a question. */
export const forbidding = ({ verdicts }: Column): readonly string[] =>
  FABRIC_MODELS.filter((_, i) => verdicts[i] === false);

/** The fabrics with a verdict as one list; none, if there are none. */
function saying({ verdicts }: Column, wanted: boolean | undefined): readonly string[] {
  const names = FABRIC_MODELS.filter((_, i) => verdicts[i] === wanted);
  return names.length === 0 ? [] : [names.join(', ')];
}
