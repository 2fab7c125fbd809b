import type { Test } from '../program/program.js';
import { emit } from './emit.js';

/** A text file of a folder. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

export interface Folder {
  readonly files: readonly TextFile[];
  /** The tests that are there. */
  readonly tests: readonly Test[];
  /** The tests that are not, with the reason. */
  readonly leftOut: readonly { readonly test: Test; readonly why: string }[];
}

/**
 * A folder of C for tests: a file for each, their list, and what makes a program of them and the run time, whose files are given.
 *
 * @param inlines whether constants are put inline
 */
export function folderOf(
  tests: readonly Test[],
  runTime: readonly TextFile[],
  inlines: boolean,
): Folder {
  const files: TextFile[] = [];
  const there: Test[] = [];
  const leftOut: { test: Test; why: string }[] = [];
  const symbols: string[] = [];
  const names = new Set(runTime.map(({ name }) => name));
  for (const test of tests) {
    const plain = test.name.replaceAll(/[^\w-]/g, '_');
    const name = [plain, ...tests.map((_, i) => `${plain}.${i + 2}`)].find(
      (one) => !names.has(`${one}.c`),
    )!;
    const symbol = `test_${name.replaceAll(/\W/g, '_')}_${symbols.length}`;
    const made = emit(test, symbol, inlines);
    if ('leftOut' in made) {
      leftOut.push({ test, why: made.leftOut });
      continue;
    }
    names.add(`${name}.c`);
    symbols.push(symbol);
    there.push(test);
    files.push({ name: `${name}.c`, text: made.text });
  }
  const list = listOf(symbols);
  return { files: [...runTime, ...files, { name: 'tests.c', text: list }], tests: there, leftOut };
}

const listOf = (symbols: readonly string[]): string =>
  [
    '#include "remora.h"\n',
    symbols.map((one) => `extern const struct remora_test ${one};\n`).join(''),
    'const struct remora_test *const remora_tests[] = {',
    ...symbols.map((one) => `    &${one},`),
    '    0,\n};\n',
  ].join('\n');
