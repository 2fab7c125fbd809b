import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ALL } from './random.js';
import { ROOT } from './run.js';

/** Cases as text: files of inputs, each with what comes out of it. */

/** A case of a text file. */
export interface Case {
  readonly name: string;
  /** The file and the line that it begins at. */
  readonly place: string;
  readonly input: string;
  readonly expected: string;
}

/** The cases of a file, a blank line between them: `# name`, input, `==>`, and what comes out. What `# by hand: name` asks takes long. */
export function readCases(path: string): readonly Case[] {
  const parts = readFileSync(path, 'utf8').split(/\n\n(?=# )/);
  let line = 1;
  return parts.map((part) => {
    const place = `${relative(ROOT, path)}:${line}`;
    line += part.split('\n').length + 1;
    const [head, expected = ''] = part.split(/^==>$/m);
    const [title, ...input] = head.trimEnd().split('\n');
    if (!title.startsWith('# ')) throw new Error(`${place}: a case begins with '# ' and its name`);
    if (expected.trim() === '') throw new Error(`${place}: this case expects nothing`);
    return { name: title.slice(2), place, input: input.join('\n'), expected: expected.trim() };
  });
}

/**
 * Makes a test of each case in the files of a folder. Where one fails, vitest shows the lines that differ.
 *
 * @param print what comes out of an input; `kind` is the first word of the file's name
 */
export function testCases(
  folder: string,
  print: (input: string, kind: string) => string | Promise<string>,
): void {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.txt'))) {
    const [kind] = file.split(/[-.]/);
    describe(file, () => {
      for (const { name, place, input, expected } of readCases(join(folder, file))) {
        test.skipIf(name.startsWith('by hand: ') && !ALL)(name, async () => {
          const actual = (await print(input, kind)).trim();
          expect(leaveOut(actual, expected), place).toBe(expected);
        });
      }
    });
  }
}

/** A line of what is expected that stands for any number of lines. */
const ANY = '…';

/** What came out, with `…` for the lines that the expected text leaves open in the same way. */
function leaveOut(actual: string, expected: string): string {
  if (!expected.includes(ANY)) return actual;
  const lines = actual.split('\n');
  const wanted = expected.split('\n');
  const out: string[] = [];
  let at = 0;
  for (let i = 0; i < wanted.length; i += 1) {
    if (wanted[i].trim() !== ANY) {
      if (lines[at] !== wanted[i]) break;
      out.push(lines[at]);
      at += 1;
      continue;
    }
    const next = wanted.findIndex((line, j) => j > i && line.trim() === ANY);
    const part = wanted.slice(i + 1, next === -1 ? undefined : next);
    const starts = lines.flatMap((_, start) =>
      start >= at && part.every((line, j) => lines[start + j] === line) ? [start] : [],
    );
    // What comes after the last `…` is the end of the text.
    const start = next === -1 ? (part.length === 0 ? lines.length : starts.at(-1)) : starts[0];
    if (start === undefined) break;
    out.push(wanted[i]);
    at = start;
  }
  return [...out, ...lines.slice(at)].join('\n');
}

/** An input that is a program: settings, and the text of a litmus test. */
export interface ProgramInput<Setting extends string> {
  readonly settings: Readonly<Partial<Record<Setting, string>>>;
  readonly text: string;
}

/** Two nodes with two locations each: for programs that do not say which nodes there are. */
const NODES = 'RDMA t node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0 }';

/**
 * The settings at the head of an input, and the program below them. A setting is a line `name: value`, and
 * goes on in lines that are indented. `file` is always one of them: a path instead of a program.
 */
export function readProgram<Setting extends string>(
  input: string,
  known: readonly Setting[],
): ProgramInput<Setting> {
  const [head] = /^(?:[a-z]+: .*\n?(?: +.*\n?)*)*/.exec(input)!;
  const settings: Partial<Record<string, string>> = {};
  for (const [, name, value] of head.matchAll(/^([a-z]+): (.*(?:\n +.*)*)/gm)) {
    if (name !== 'file' && !(known as readonly string[]).includes(name)) {
      throw new Error(`no setting '${name}': there are file, ${known.join(', ')}`);
    }
    settings[name] = value;
  }
  const { file, ...rest } = settings;
  const program = input.slice(head.length).trimEnd();
  const text =
    file !== undefined
      ? readFileSync(join(ROOT, file), 'utf8')
      : /^RDMA/m.test(program)
        ? program
        : `${NODES} ${program}`;
  return { settings: rest as Partial<Record<Setting, string>>, text };
}

/** The items of a setting that is a list with commas. */
export const itemsOf = (setting: string): readonly string[] => setting.split(/, */);
