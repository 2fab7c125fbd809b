import { describe, expect, test } from 'vitest';
import { renderDiagnostic } from '../../src/parse/diagnostics/index.js';
import { parseLitmus } from '../../src/index.js';
import { readSource } from '../../src/node/read.js';
import { FILE } from '../support/fuzzing.js';
import { two } from '../support/litmus.js';

describe('messages', () => {
  const messages = (text: string): string[] => {
    const result = parseLitmus(text, FILE);
    const sources = new Map([[FILE, { path: FILE, text }]]);
    return result.ok ? [] : result.errors.map((error) => renderDiagnostic(error, sources));
  };

  test('characters that cannot be seen are told by their numbers', () => {
    const illegal = (character: string): string =>
      messages(`RDMA t ${character}`)[0].split('\n')[0];
    expect(illegal('\uFEFF')).toBe(`${FILE}:1:8: illegal character U+FEFF`);
    expect(illegal('\u0301')).toBe(`${FILE}:1:8: illegal character U+0301`);
    expect(illegal('\uD800')).toBe(`${FILE}:1:8: illegal character U+D800`);
    expect(illegal('é')).toBe(`${FILE}:1:8: illegal character "é"`);
  });

  test('nothing in a file moves the cursor of a terminal', () => {
    expect(messages('RDMA t "\u001B[2J" # \u001B[2J\u202E')[0].split('\n').slice(0, 2)).toEqual([
      `${FILE}:1:9: illegal character U+001B`,
      '1 | RDMA t "\uFFFD[2J" # \uFFFD[2J\uFFFD',
    ]);
    expect(messages('RDMA \u001B[2J')[0]).toContain('illegal character U+001B');
  });

  test('a carriage return ends a comment', () => {
    expect(messages('RDMA t\r# a comment\rnode 1 { x = }')[0]).toContain("unexpected '}'");
  });

  test('of a long line, what is near the mistake is shown', () => {
    const [message] = messages(body(`x := 1 1 ${'; x := 1'.repeat(100)}`, 300));
    const [, line, caret] = message.split('\n');
    expect(line).toHaveLength('1 | '.length + 160);
    expect(line[caret.indexOf('^')]).toBe('1');
    expect(line.slice(0, 5) + line.at(-1)).toBe('1 | ……');
  });

  test('of very many mistakes, the first are shown', () => {
    const all = messages('RDMA t\n'.repeat(300));
    expect(all).toHaveLength(101);
    expect(all[100]).toContain('200 more errors are not shown');
  });

  test('a file without end is not opened', () => {
    const source = readSource('/dev/zero');
    expect(source.ok ? [] : source.errors.map(({ message }) => message)).toEqual([
      'is a device, not a file',
    ]);
  });

  test('no number is beyond those that are exact', () => {
    const big = '9007199254740993';
    for (const text of [
      two(`thread T on 1 { x := 1 } exists (x = ${big})`),
      two(`thread T on 1 { loop bound ${big} { skip } }`),
      two(`bound ${big} thread T on 1 { skip }`),
    ]) {
      expect(messages(text).map((m) => m.split('\n')[0].replace(/.*\d: /, ''))).toEqual([
        'this number is too large',
      ]);
    }
  });

  const body = (text: string, blanks: number): string =>
    two(`${' '.repeat(blanks)} thread T on 1 { ${text} }`);
});
