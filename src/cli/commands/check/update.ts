import { createTwoFilesPatch } from 'diff';
import type { SourceFile } from '../../../parse/diagnostics/index.js';
import { readLitmus } from '../../../node/tests.js';
import type { Test } from '../../../program/program.js';
import { foundIn, recomputed } from '../../../report/computed.js';
import type { VerdictRecord } from '../../../report/record.js';
import { byTest } from '../../../report/record.js';
import { replaceText } from '../../outputs/replace.js';
import type { VerdictRow } from '../../run/decide.js';

/** The result of an update. */
export interface Updated {
  /** The rows with the tests as they are now. */
  readonly rows: readonly VerdictRow[];
  /** The changes of the files, as a diff. */
  readonly differences: string;
  /** Why some files were not changed. */
  readonly problems: readonly string[];
}

/**
 * `remora test --update`: rewrites the `computed` lines of the files with the verdicts of rows. Only verdicts about all
 * runs are written: none that is unknown or vacuous, or holds only up to the loop bound.
 *
 * @param library library files that replace those that clients name
 */
export function update(rows: readonly VerdictRow[], library?: readonly string[]): Updated {
  const problems: string[] = [];
  const differences: string[] = [];
  const models = [...new Set(rows.map(({ record }) => record.model))];
  const now = new Map<Test, Pick<VerdictRecord, 'test' | 'source'>>();
  for (const records of byTest(rows.map((row) => row.record))) {
    const [{ test, source }] = records;
    const text = recomputed(source.text, test.queries, foundIn(records));
    if (text === source.text) continue;
    const { instructions } = test.program;
    const asked = models.map((name) => ({ name, instructions }));
    const { test: parsed } = readLitmus(text, source.path, asked, { instead: library });
    if (!parsed.ok) throw new Error(`the file made is not litmus: ${parsed.errors[0].message}`);
    const problem = replaceText(source, text);
    if (problem === undefined) {
      differences.push(difference(source, text));
      now.set(test, { test: parsed.value, source: { ...source, text } });
    } else {
      problems.push(`${source.path}: is not updated: ${problem}`);
    }
  }
  const updated = rows.map(({ record, ...rest }): VerdictRow => {
    return { ...rest, record: { ...record, ...now.get(record.test) } };
  });
  return { rows: updated, differences: differences.join(''), problems };
}

function difference({ path, text: before }: SourceFile, after: string): string {
  const lines = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    context: 3,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
  return `${lines}\n`;
}
