import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderOf } from '../../src/emit/folder.js';
import { RUN_TIME_FOLDER } from '../../src/node/card.js';
import { parseLitmus } from '../../src/node/tests.js';
import type { Model } from '../../src/model/term.js';
import { CARD, SKIP_CARD, card } from '../support/card.js';
import { modelOf, states } from '../support/checker.js';
import { PLAIN_FILES } from '../support/corpus.js';

/** What `remora emit` writes, on the weak card: what is seen is allowed by the model of the fabric, and no end loses or invents results. */

/** Three nodes, of which each does something. */
const THREE = `RDMA three

node 1 { one = 1 }
node 2 { x = 0 }
node 3 { y = 0 }

thread T1 on 1 { x^2 := one; y^3 := one }
thread T2 on 2 { a := x }
thread T3 on 3 { b := y }

exists (a = 0 /\\ b = 1)
`;

const TEXTS = PLAIN_FILES.filter(({ file }) => /fabrics\/(?:ro|words|msg)\b/.test(file));
const TESTS = [...TEXTS, { file: 'three.litmus', text: THREE }].flatMap(({ file, text }) => {
  const read = parseLitmus(text, file);
  return read.ok ? [read.value] : [];
});

interface Result {
  readonly test?: string;
  readonly program: string;
  readonly rounds: number;
  readonly dropped: number;
  readonly leftOut?: string;
  readonly seen?: Readonly<Record<string, number>>;
  readonly times: number;
}

describe.skipIf(SKIP_CARD)(`emitted tests on ${CARD}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-emitted-'));
  let library: string;
  let rooms = 0;
  let written = 0;

  beforeAll(() => {
    library = card();
    const runTime = readdirSync(RUN_TIME_FOLDER).map((name) => ({
      name,
      text: readFileSync(join(RUN_TIME_FOLDER, name), 'utf8'),
    }));
    const { files, tests } = folderOf(TESTS, runTime, false);
    expect(tests.length).toBeGreaterThan(40);
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
    written = tests.length;
    const made = spawnSync('make', ['-s', '-j2', 'CFLAGS=-O1'], { cwd: folder, encoding: 'utf8' });
    expect(made.stderr).toBe('');
  }, 200_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  interface Ended {
    readonly code: number | null;
    readonly errors: string;
  }

  function start(fabric: string, room: string, args: readonly string[]) {
    const env = {
      ...{ PATH: process.env['PATH'], LD_PRELOAD: library },
      ...{ REMORA_CARD_FABRIC: fabric, REMORA_CARD_ROOM: join(folder, room) },
    };
    const child: ChildProcess = spawn(join(folder, 'run'), args, { cwd: folder, env });
    let errors = '';
    child.stderr!.on('data', (text: Buffer) => (errors += text.toString()));
    child.stdout!.resume();
    const end = new Promise<Ended>((resolve) =>
      child.on('close', (code) => resolve({ code, errors })),
    );
    return { child, end };
  }

  const roomName = (): string => `room-${(rooms += 1)}`;
  const resultsIn = (file: string): readonly Result[] =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Result);

  /** The values of what a test asks about, in its order: the same from both. */
  const allowedBy = (program: string, model: Model): ReadonlySet<string> =>
    new Set(states(program, model).map((state) => state.replaceAll(/\S+=/g, '')));

  test.each([
    ['tso', 'rdma-tso'],
    ['ro', 'rdma-ro'],
    ['manpage', 'rdma-manpage'],
  ])(
    'what is seen on %s is allowed under %s',
    async (fabric, name) => {
      const out = `${fabric}.jsonl`;
      const ended = await start(fabric, roomName(), ['--rounds', '8', '--out', out]).end;
      expect(ended).toEqual({ code: 0, errors: '' });
      const model = modelOf(name);
      const [, ...lines] = resultsIn(out);
      expect(lines.pop()).toEqual({ tests: written });
      let asked = { allowed: new Set() as ReadonlySet<string>, left: 0 };
      for (const { test: named, program, rounds, dropped, leftOut, seen, times } of lines) {
        if (seen === undefined) {
          expect(asked.left).toBe(0);
          if (leftOut === undefined)
            asked = { allowed: allowedBy(program, model), left: rounds - dropped };
          continue;
        }
        const state = Object.values(seen).join(' ');
        expect([...asked.allowed], `${named} ${JSON.stringify(seen)}`).toContain(state);
        asked.left -= times;
      }
      expect(asked.left).toBe(0);
    },
    300_000,
  );

  /** The processes of the three nodes, each with its own port for all to meet at. */
  const nodes = (port: number, out: string, which: readonly number[], rounds = 50) => {
    const room = roomName();
    return which.map((me) =>
      start('tso', room, [
        ...['--nodes', 'localhost,localhost,localhost', '--me', `${me}`, '--tcp', `${port}`],
        ...['--rounds', `${rounds}`, '--only', 'three', '--out', out],
      ]),
    );
  };

  test('three nodes are three processes, and count what one counts', async () => {
    const ends = await Promise.all(nodes(17_301, 'three.jsonl', [0, 1, 2]).map(({ end }) => end));
    expect(ends).toEqual(ends.map(() => ({ code: 0, errors: '' })));
    const [card, of, ...seen] = resultsIn('three.jsonl');
    expect(card).toMatchObject({ processes: 3 });
    expect(of).toMatchObject({ test: 'three', rounds: 50, dropped: 0 });
    expect(seen.pop()).toEqual({ tests: 1 });
    expect(seen.reduce((sum, { times }) => sum + times, 0)).toBe(50);
    const allowed = allowedBy(of.program, modelOf('rdma-tso'));
    for (const one of seen) expect([...allowed]).toContain(Object.values(one.seen!).join(' '));
  }, 60_000);

  test('a process that is killed leaves no results, and the others say whose', async () => {
    const all = nodes(17_302, 'killed.jsonl', [0, 1, 2], 1_000_000);
    const first = join(folder, 'killed.jsonl.unfinished');
    await expect.poll(() => existsSync(first)).toBe(true);
    all[2].child.kill('SIGKILL');
    expect(await all[0].end).toEqual({
      code: 1,
      errors: expect.stringMatching(/^remora: [^\n]+: nothing is written\n$/) as string,
    });
    expect((await all[1].end).code).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith('killed'))).toEqual([]);
  }, 60_000);

  test('a node that does not come is named', async () => {
    const [first, second] = nodes(17_303, 'absent.jsonl', [0, 1]);
    expect(await first.end).toEqual({
      code: 1,
      errors: 'remora: node localhost (2) did not come within 30 s: nothing is written\n',
    });
    expect((await second.end).code).toBe(1);
    expect(existsSync(join(folder, 'absent.jsonl'))).toBe(false);
  }, 90_000);

  test('a full device gets no results, and stays a device; a file of something else stays', async () => {
    const alone = (out: string) =>
      start('tso', roomName(), ['--rounds', '5', '--only', 'three', '--out', out]).end;
    expect(await alone('/dev/full')).toEqual({
      code: 1,
      errors: 'remora: /dev/full cannot be written: No space left on device\n',
    });
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
    const text = readFileSync(join(folder, 'three.c'), 'utf8');
    expect(await alone('three.c')).toEqual({
      code: 1,
      errors: 'remora: --out: this file is there, and has no results: nothing is written\n',
    });
    expect(readFileSync(join(folder, 'three.c'), 'utf8')).toBe(text);
    expect(await alone('three.jsonl')).toEqual({ code: 0, errors: '' });
  }, 60_000);
});
