import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from '../../src/emit/folder.js';
import type { Model } from '../../src/model/term.js';
import { RUN_TIME_FOLDER } from '../../src/node/card.js';
import type { Test } from '../../src/program/program.js';
import { states } from './checker.js';

/** Tests as C, built and run on the weak card, and what was seen. */

export const RUN_TIME = readdirSync(RUN_TIME_FOLDER).map((name) => ({
  name,
  text: readFileSync(join(RUN_TIME_FOLDER, name), 'utf8'),
}));

/** Writes and builds the program of some tests: the number of tests that it has, and what the compiler said, to which warnings are errors. */
export function build(
  folder: string,
  tests: readonly Test[],
  { compiler = 'gcc', inlines = false, options = '' } = {},
) {
  const { files, tests: there } = folderOf(tests, RUN_TIME, inlines);
  for (const { name, text } of files) writeFileSync(join(folder, name), text);
  const flags = `CFLAGS=-O1 -Wall -Wextra -Werror ${options}`;
  const args = ['-s', '-j2', `CC=${compiler}`, flags];
  const { stderr } = spawnSync('make', args, { cwd: folder, encoding: 'utf8' });
  return { written: there.length, stderr };
}

export interface Ended {
  readonly code: number | null;
  readonly errors: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly end: Promise<Ended>;
}

export interface Card {
  readonly library: string;
  readonly fabric: string;
  readonly room: string;
  readonly seed?: number;
}

/** Starts the program of a folder. */
export function start(folder: string, card: Card, args: readonly string[]): Started {
  const env = {
    ...{ PATH: process.env['PATH'], LD_PRELOAD: card.library },
    ...{ REMORA_CARD_FABRIC: card.fabric, REMORA_CARD_ROOM: join(folder, card.room) },
    REMORA_CARD_SEED: String(card.seed ?? 1),
  };
  const child = spawn(join(folder, 'run'), args, { cwd: folder, env });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  child.stdout.resume();
  const end = new Promise<Ended>((resolve) =>
    child.on('close', (code) => resolve({ code, errors })),
  );
  return { child, end };
}

/** A line of results. */
export interface Line {
  readonly test?: string;
  readonly program: string;
  readonly rounds: number;
  readonly dropped: number;
  readonly leftOut?: string;
  readonly seen?: Readonly<Record<string, number>>;
  readonly times: number;
}

export const linesIn = (path: string): readonly Line[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** What was seen of one test: final states as the values of what it asks about, in its order. */
export interface Seen {
  readonly test: string;
  readonly program: string;
  readonly rounds: number;
  readonly dropped: number;
  readonly leftOut?: string;
  readonly times: ReadonlyMap<string, number>;
}

/** The results of a file. An error: what is counted is not what was run. */
export function resultsIn(path: string): readonly Seen[] {
  const [, ...lines] = linesIn(path);
  const found: (Seen & { readonly times: Map<string, number> })[] = [];
  const last = lines.pop();
  for (const { test, seen, times, ...line } of lines) {
    if (seen === undefined) found.push({ ...line, test: test!, times: new Map() });
    else found.at(-1)!.times.set(Object.values(seen).join(' '), times);
  }
  for (const { test, rounds, dropped, leftOut, times } of found) {
    const counted = [...times.values()].reduce((a, b) => a + b, 0);
    if (leftOut === undefined && counted !== rounds - dropped)
      throw new Error(`${test}: ${counted}`);
  }
  if ((last as { readonly tests?: number }).tests !== found.length)
    throw new Error('lines are missing');
  return found;
}

/** The final states that a model allows, in the same form. */
export const allowedBy = (program: string, model: Model): ReadonlySet<string> =>
  new Set(states(program, model).map((state) => state.replaceAll(/\S+=/g, '')));
