import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import type { Run } from './run.js';
import { ROOT, STACK_TRACE, remora, run, withoutTimes } from './run.js';

/** Commands of a document, typed in again, each with the output that the document says it has. */

interface Said {
  readonly command: string;
  /** The lines of its output, as the document has them. */
  readonly said: readonly string[];
  /** Blank lines behind it. */
  readonly gap: string;
}

/** The commands of a text: each begins a line, after `$ `. */
export const commandsOf = (text: string): readonly Said[] =>
  text
    .split(/^\$ /m)
    .filter((part) => part !== '')
    .map((part) => {
      const [command, ...said] = part.trimEnd().split('\n');
      return { command, said, gap: part.slice(part.trimEnd().length + 1) };
    });

const EXIT_CODE = 'echo $?';

/** Variables, the words behind `remora`, and what its streams are. */
const REMORA =
  /^((?:[A-Z_]+=\S* )*)(?:npx )?remora\b((?:'[^']*'|"[^"$`]*"|\\.|[^|<>;&`$'"\\])*?)((?: (?:<|2?>) ?[\w./-]+)*)$/;

/** What files are made, changed and looked at with. */
const TOOL =
  /^(?:cat|chmod|cmp|cp|diff|git apply|grep|head|ln|ls|mkdir|mv|printf|rm|sed|sort|tail|touch|wc)\b/;

/**
 * What a text of commands would look like if it were typed in now, in a folder. `strict`: a command that ends with
 * another code than 0 is followed by `echo $?`, and no line of standard error is left out.
 */
export async function replay(text: string, cwd: string, strict: boolean): Promise<string> {
  const shown: string[] = [];
  const commands = commandsOf(text);
  let status = 0;
  for (const [i, { command, said, gap }] of commands.entries()) {
    if (command === EXIT_CODE) {
      shown.push(`$ ${EXIT_CODE}\n${status}\n${gap}`);
      continue;
    }
    const { code, all, errors } = await typed(command, cwd);
    status = code ?? -1;
    const body = asSaid(said, linesOf(all));
    if (strict) expectShown(command, linesOf(errors), body);
    const asked = !strict || status === 0 || commands.at(i + 1)?.command === EXIT_CODE;
    const ended = asked ? '' : `$ ${EXIT_CODE}\n${status}\n`;
    shown.push(`${[`$ ${command}`, ...body].join('\n')}\n${ended}${gap}`);
  }
  return shown.join('');
}

/** The lines of an output. Blank ones at its end do not count: they may be there to keep commands apart. */
function linesOf(output: string): readonly string[] {
  // Files that come with Remora have paths of this machine.
  const text = output.replaceAll(ROOT, '…/').replace(/\n+$/, '');
  return text === '' ? [] : text.split('\n');
}

interface Typed {
  readonly code: number | null;
  /** What a terminal would show. */
  readonly all: string;
  /** What of this is from standard error. */
  readonly errors: string;
}

/** A command as if typed in: a shell reads its words, `remora` runs in this process. */
export async function typed(line: string, cwd: string): Promise<Typed> {
  const [, variables, words, streams] = REMORA.exec(line) ?? [];
  if (words === undefined) {
    if (!TOOL.test(line)) throw new Error(`not a command that can be run: $ ${line}`);
    const { code, stdout } = await run('bash', ['-c', `exec 2>&1\n${line}`], { cwd });
    return { code, all: stdout, errors: '' };
  }
  const env = Object.fromEntries(
    [...variables.matchAll(/(\w+)=(\S*)/g)].map(([, name, value]) => [name, value]),
  );
  const file: { readonly [sign: string]: string | undefined } = Object.fromEntries(
    [...streams.matchAll(/(<|2?>) ?(\S+)/g)].map(([, sign, name]) => [sign, resolve(cwd, name)]),
  );
  const { '<': from, '>': out, '2>': err } = file;
  const input = from === undefined ? {} : { input: readFileSync(from) };
  const done = await remora(await wordsOf(words, cwd), { cwd, env, ...input });
  heldOfAll(line, done);
  if (out !== undefined) writeFileSync(out, done.stdout);
  if (err !== undefined) writeFileSync(err, done.stderr);
  const errors = err === undefined ? done.stderr : '';
  const rest = out === undefined ? done.stdout : '';
  const both = out === undefined && err === undefined;
  return { code: done.code, all: both ? (done.all ?? '') : rest + errors, errors };
}

/** The words of a command line, as a shell reads them; where they are plain, no shell has to be asked. */
async function wordsOf(words: string, cwd: string): Promise<readonly string[]> {
  if (/^[\w\s./=,:@+-]*$/.test(words)) return words.split(/\s+/).filter((word) => word !== '');
  const { stdout } = await run('bash', ['-c', `printf '%s\\0' ${words}`], { cwd });
  return stdout.split('\0').slice(0, -1);
}

/** What holds of every command, whatever the document leaves out of its output. */
function heldOfAll(line: string, { code, stdout, stderr }: Run): void {
  expect(stdout + stderr, line).not.toMatch(STACK_TRACE);
  expect(stdout + stderr, line).not.toMatch(/internal error|engine failed|\bundefined\b|9007199/);
  expect(stdout, line).not.toMatch(/^error: /m);
  if (code === 2) expect(stderr, line).not.toBe('');
}

/** Lines of standard error stand in the output as the document has it: `…` is for the others. */
function expectShown(line: string, errors: readonly string[], body: readonly string[]): void {
  const patterns = body
    .filter((said) => said !== '…')
    .map((said) => new RegExp(`^${matched(said)}$`));
  const missing = errors.filter((error) => !patterns.some((pattern) => pattern.test(plain(error))));
  expect(missing, `${line}: left out of what is on standard error`).toEqual([]);
}

/** An output with `…` for the lines that the block leaves out; if it differs, in full or from its beginning. */
function asSaid(said: readonly string[], actual: readonly string[]): readonly string[] {
  const pattern = said.map((line) => (line === '…' ? '(?:.*\n)*' : `${matched(line)}\n`));
  const text = actual.map((line) => `${plain(line)}\n`).join('');
  if (new RegExp(`^${pattern.join('')}$`).test(text)) return said;
  const cut = said.at(-1) === '…' && actual.length >= said.length;
  return cut ? [...actual.slice(0, said.length - 1), '…'] : actual;
}

/** A line without times, and what it has to match: `…` is any part of it. */
const plain = (line: string): string => withoutTimes(line);
const matched = (line: string): string => escaped(plain(line)).replaceAll('…', '.*');

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
