import { accessSync, constants, readFileSync, realpathSync } from 'node:fs';
import { createTwoFilesPatch } from 'diff';
import type { SourceFile } from '../parse/diagnostics/index.js';
import { readLitmus } from '../node/tests.js';
import type { Test } from '../program/program.js';
import { recomputed } from '../report/computed.js';
import type { VerdictRecord } from '../report/record.js';
import { byTest } from '../report/record.js';
import { complain } from './print.js';
import { replaceFile } from './replace.js';
import type { VerdictRow } from './tasks.js';

/**
 * `remora test --update`: rewrites the `computed` lines of the files with the verdicts of rows, and
 * prints the difference. Only what is known of all runs is written: no unknown verdict, no vacuous one, and none
 * that holds up to the loop bound.
 *
 * @param library library files in the place of those that clients name
 * @returns the rows with the tests as they are now, and whether every file could be written
 */
export function update(
  rows: readonly VerdictRow[],
  library?: readonly string[],
): {
  readonly rows: readonly VerdictRow[];
  readonly good: boolean;
} {
  let good = true;
  const models = [...new Set(rows.map(({ record }) => record.model))];
  const now = new Map<Test, Pick<VerdictRecord, 'test' | 'source'>>();
  for (const records of byTest(rows.map((row) => row.record))) {
    const [{ test, source }] = records;
    const text = recomputed(source.text, test.queries, (query, model) => {
      const record = records.find((r) => r.model === model);
      const answer = record?.answers.find((a) => a.query === query);
      if (answer === undefined || answer.upTo !== undefined) return undefined;
      const { verdict } = answer;
      return verdict === 'unknown' || verdict === 'vacuous' ? undefined : verdict;
    });
    if (text === source.text) continue;
    const { instructions } = test.program;
    const asked = models.map((name) => ({ name, instructions }));
    const { test: parsed } = readLitmus(text, source.path, asked, { instead: library });
    if (!parsed.ok) throw new Error(`the file made is not litmus: ${parsed.errors[0].message}`);
    const problem = replace(source, text);
    if (problem === undefined) {
      process.stdout.write(difference(source, text));
      now.set(test, { test: parsed.value, source: { ...source, text } });
    } else {
      complain([problem]);
      good = false;
    }
  }
  const updated = rows.map(({ record, ...rest }): VerdictRow => {
    return { ...rest, record: { ...record, ...now.get(record.test) } };
  });
  return { rows: updated, good };
}

function difference({ path, text: before }: SourceFile, after: string): string {
  const lines = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    context: 3,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return `${lines}\n`;
}

/**
 * Puts another text into a file in one step: a reader sees the old one or the new one. Says why that
 * is not possible, if it is not: somebody changed the file since it was read, say.
 */
function replace({ path, text: before }: SourceFile, after: string): string | undefined {
  const refuse = (why: string) => `${path}: is not updated: ${why}`;
  try {
    // A link stays a link: the file that it leads to is replaced.
    const file = realpathSync(path);
    if (readFileSync(file, 'utf8') !== before) return refuse('it changed while it was decided');
    accessSync(file, constants.W_OK);
    replaceFile(file, Buffer.from(after));
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return refuse(`it cannot be written (${code})`);
  }
}
