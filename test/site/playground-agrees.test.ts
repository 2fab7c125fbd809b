import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import type { Playground } from './playground.js';
import { playground } from './playground.js';
import { CORPUS_FOLDERS, corpusPaths } from '../support/corpus.js';
import { cases, some } from '../support/random.js';
import { ROOT, remora } from '../support/run.js';

/** The built playground in Chromium, against the command line. */

const MODELS = ['rdma-tso', 'rdma-sc'];

/** Two pages, so that one has something to do while the other asks, is read or starts anew. */
const pages = [playground(), playground()];

interface Expected {
  /** By query, then by what it was decided by. */
  readonly verdicts: readonly Readonly<Record<string, string>>[];
  /** By model; none where the page lists none, as all queries are about runs. */
  readonly states: Readonly<Record<string, readonly string[]>> | undefined;
}

const ABOUT_RUNS = /^(?:exclusive|progress|deadlock|never|assertions)\b/;

/** What the command line says of files, by path. */
async function commandLine(paths: readonly string[]): Promise<ReadonlyMap<string, Expected>> {
  const models = ['-m', MODELS.join(',')];
  const lines = async (...args: string[]) => {
    const { stdout } = await remora([...args, '--json']);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  };
  const verdicts = await lines('check', ...paths, ...models);
  const files = new Map<string, { verdicts: Record<string, string>[]; ends: boolean }>();
  for (const { file, index, model, verdict, query } of verdicts) {
    if (index === undefined || verdict === undefined) continue;
    const own = files.get(file) ?? { verdicts: [], ends: false };
    files.set(file, own);
    (own.verdicts[index] ??= {})[model] = verdict;
    own.ends ||= !ABOUT_RUNS.test(query!);
  }
  const ending = [...files].flatMap(([file, { ends }]) => (ends ? [file] : []));
  const outcomes = await lines('outcomes', ...ending, '-m', MODELS[0]);
  return new Map(
    [...files].map(([file, { verdicts, ends }]) => {
      const own = outcomes.filter((line) => line.file === file);
      const states = own.map(({ model, states = [] }) => [model, states.map(stateText)] as const);
      return [file, { verdicts, states: ends ? Object.fromEntries(states) : undefined }];
    }),
  );
}

const stateText = (state: Readonly<Record<string, unknown>>): string =>
  Object.entries(state)
    .map(([name, value]) => `${name} = ${valueText(value)}`)
    .join(', ');

interface Line {
  readonly file: string;
  readonly query?: string;
  readonly index?: number;
  readonly model: string;
  readonly verdict?: string;
  readonly states?: readonly Readonly<Record<string, unknown>>[];
}

const valueText = (value: unknown): string =>
  value === null ? 'none' : Array.isArray(value) ? `<${value.join(', ')}>` : String(value);

/** Where the page departs from the command line, and what it left open, by its limits. */
async function compare(files: ReadonlyMap<string, Expected>) {
  const departures: string[] = [];
  const open: string[] = [];
  // Each page takes the next file when it is done with one.
  const next = files.entries();
  await Promise.all(
    pages.map(async (play) => {
      for (const [file, expected] of next) await compareOne(play, file, expected);
    }),
  );
  return { departures, open };

  async function compareOne(play: Playground, file: string, expected: Expected): Promise<void> {
    const litmus = readFileSync(resolve(ROOT, file), 'utf8');
    const part = expected.states === undefined ? 'verdicts' : 'states';
    await play.ask({ litmus, models: MODELS.map((name) => ({ name })) }, part);
    const { models, verdicts, states, wrong, trouble } = await play.shown();
    if (trouble !== undefined) open.push(`${file}: ${trouble}`);
    // The page has no verdicts with implementations, and lists the states under its first model.
    const asked = expected.verdicts.map((row) => models.map((model) => row[model]));
    const own = verdicts.map((row, i) => row.map((v, k) => (v === 'unknown' ? asked[i][k] : v)));
    const listed = states.length === 0 && trouble !== undefined ? undefined : states;
    const shownHere = JSON.stringify([own, part === 'states' ? listed : undefined]);
    // Of a program that a model cannot be asked about there are none.
    const none = expected.verdicts[0]?.[models[0]] === 'untranslatable' ? [] : undefined;
    const theirs = JSON.stringify([
      asked,
      part === 'states' ? listed && (expected.states?.[models[0]] ?? none) : undefined,
    ]);
    if (wrong || shownHere !== theirs) departures.push(`${file}: ${shownHere} is not ${theirs}`);
  }
}

describe('says what the command line says', () => {
  test.each(CORPUS_FOLDERS)('corpus/%s', async (folder) => {
    const expected = await commandLine(some(corpusPaths(`${folder}/`)));
    expect(expected.size).toBeGreaterThan(0);
    // Nothing of the corpus is beyond what the page can decide.
    expect(await compare(expected)).toEqual({ departures: [], open: [] });
  });

  const number = cases(100);
  test(`${number} random programs`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'remora-random-'));
    const texts = fc
      .sample(programs({ atomics: true }), { seed: 19, numRuns: number })
      .map((program) => `${inBlocks(program)}\nexists (x = 1 /\\ y = 0)\n`);
    texts.forEach((text, i) =>
      writeFileSync(join(folder, `p${String(i).padStart(3, '0')}.litmus`), text),
    );
    // And one for herd7.
    const x86 =
      'X86 SB\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n';
    writeFileSync(join(folder, 'x86.litmus'), `${x86}exists (0:EAX=0 /\\ 1:EAX=0)\n`);
    const expected = await commandLine([folder]);
    expect(expected.size).toBe(number + 1);
    expect(await compare(expected)).toEqual({ departures: [], open: [] });
    rmSync(folder, { recursive: true });
  });
});
