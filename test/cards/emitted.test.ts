import { spawnSync } from 'node:child_process';
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
import { parseLitmus } from '../../src/node/tests.js';
import { CARD, SANITIZED, SKIP_CARD, card, sanitizers } from '../support/card.js';
import { modelOf } from '../support/checker.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { allowedBy, build, linesIn, resultsIn, start } from '../support/emitted.js';
import type { Ended, Started } from '../support/emitted.js';
import { some } from '../support/random.js';

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

/** A test that needs atomics, for three nodes. */
const COUNTED = THREE.replace('RDMA three', 'RDMA three-counted').replace(
  'x^2 := one;',
  'c := rfaa(x^2, 1);',
);

/** In front of the weak card: a card without atomics. */
const WITHOUT_ATOMICS = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <infiniband/verbs.h>

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
    int (*query)(struct ibv_context *, struct ibv_device_attr *) = dlsym(RTLD_NEXT, "ibv_query_device");
    int error = query(context, attr);
    attr->atomic_cap = IBV_ATOMIC_NONE;
    return error;
}
`;

const TEXTS = PLAIN_FILES.filter(({ file }) => /fabrics\/(?:ro|words|msg)\b/.test(file));
const OWN = [THREE, COUNTED].map((text) => ({ file: 'own.litmus', text }));
const TESTS = [...TEXTS, ...OWN].flatMap(({ file, text }) => {
  const read = parseLitmus(text, file);
  return read.ok ? [read.value] : [];
});

describe.skipIf(SKIP_CARD)(`emitted tests on ${CARD}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'remora-emitted-'));
  let library: string;
  let rooms = 0;
  let written = 0;
  /** Two of three nodes; the first waits for the third for half a minute. */
  let waiting: readonly Started[];

  beforeAll(() => {
    library = card();
    const built = build(folder, TESTS);
    expect(built.stderr).toBe('');
    expect(built.written).toBeGreaterThan(40);
    written = built.written;
    waiting = nodes(17_303, 'absent.jsonl', [0, 1]);
  }, 200_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  const roomName = (): string => `room-${(rooms += 1)}`;
  const run = (fabric: string, args: readonly string[]): Promise<Ended> =>
    start(folder, { library, fabric, room: roomName() }, args).end;

  /** Runs all tests: what was seen of each, which the model has to allow. */
  async function expectAllowed(fabric: string, model: string, ...more: readonly string[]) {
    const args = ['--rounds', '8', '--out', 'all.jsonl', ...more];
    expect(await run(fabric, args)).toEqual({ code: 0, errors: '' });
    const all = resultsIn(join(folder, 'all.jsonl'));
    expect(all).toHaveLength(written);
    for (const { test: name, program, times } of all) {
      const allowed = [...allowedBy(program, modelOf(model))];
      for (const state of times.keys()) expect(allowed, `${name} ${state}`).toContain(state);
    }
  }

  test.each(['tso', 'ro', 'manpage'])(
    'what is seen on %s is allowed by its model',
    async (fabric) => {
      await expectAllowed(fabric, `rdma-${fabric}`);
    },
  );

  test('--relaxed registers what is not strict with relaxed ordering', async () => {
    await expectAllowed('ro-tagged', 'rdma-ro', '--relaxed');
    expect(linesIn(join(folder, 'all.jsonl'))[0]).toMatchObject({ relaxed: true });
    const stays = async (...more: readonly string[]): Promise<boolean> => {
      const args = ['--rounds', '200', '--only', 'ro-same-word', '--out', 'one.jsonl', ...more];
      expect(await run('ro-tagged', args)).toEqual({ code: 0, errors: '' });
      return resultsIn(join(folder, 'one.jsonl'))[0].times.has('1');
    };
    expect([await stays(), await stays('--relaxed')]).toEqual([false, true]);
  });

  test('--settle waits where nothing is in order; what needs atomics is left out there', async () => {
    const out = ['--rounds', '4', '--settle', '20000', '--out', 'settled.jsonl'];
    expect(await run('srd', out)).toEqual({ code: 0, errors: '' });
    const all = resultsIn(join(folder, 'settled.jsonl'));
    const without = all.filter(({ leftOut }) => leftOut !== undefined);
    expect(without.map(({ leftOut }) => leftOut)).toContain('the card has no atomics');
    // The model has no messages.
    const there = all.filter(
      ({ program, leftOut }) => leftOut === undefined && !/recv|\[imm\]/.test(program),
    );
    expect(there.length).toBeGreaterThan(20);
    for (const { test: name, program, times } of there) {
      const allowed = [...allowedBy(program, modelOf('rdma-srd'))];
      for (const state of times.keys()) expect(allowed, `${name} ${state}`).toContain(state);
    }
  });

  test('is clean by ASan and UBSan', async () => {
    const clean = mkdtempSync(join(folder, 'clean-'));
    const options = ['-g', ...SANITIZED].join(' ');
    expect(build(clean, some(TESTS, 0.15), { options }).stderr).toBe('');
    const set = { library: [...sanitizers(), library].join(' '), fabric: 'ro', room: 'room' };
    expect(await start(clean, set, ['--rounds', '8']).end).toEqual({ code: 0, errors: '' });
  });

  /** The processes of the three nodes, each with its own port for all to meet at. */
  const nodes = (
    port: number,
    out: string,
    which: readonly number[],
    { rounds = 20, only = (_: number): string => 'three', front = (_: number): string => '' } = {},
  ) => {
    const room = roomName();
    return which.map((me) =>
      start(folder, { library: `${front(me)} ${library}`, fabric: 'tso', room }, [
        ...['--nodes', 'localhost,localhost,localhost', '--me', `${me}`, '--tcp', `${port}`],
        ...['--rounds', `${rounds}`, '--limit', '1000', '--only', only(me), '--out', out],
      ]),
    );
  };

  test('three nodes are three processes, and count what one counts', async () => {
    const ends = await Promise.all(nodes(17_301, 'three.jsonl', [0, 1, 2]).map(({ end }) => end));
    expect(ends).toEqual(ends.map(() => ({ code: 0, errors: '' })));
    const [card, of, ...seen] = linesIn(join(folder, 'three.jsonl'));
    expect(card).toMatchObject({ processes: 3 });
    expect(of).toMatchObject({ test: 'three', rounds: 20, dropped: 0 });
    expect(seen.pop()).toEqual({ tests: 1 });
    expect(seen.reduce((sum, { times }) => sum + times, 0)).toBe(20);
    const allowed = allowedBy(of.program, modelOf('rdma-tso'));
    for (const one of seen) expect([...allowed]).toContain(Object.values(one.seen!).join(' '));
  }, 60_000);

  test.each(['three', 'three-counted'])(
    'no node needs what the card of one lacks: %s',
    async (name) => {
      const shim = join(folder, 'without-atomics.so');
      writeFileSync(`${shim}.c`, WITHOUT_ATOMICS);
      const words = ['-shared', '-fPIC', '-o', shim, `${shim}.c`, '-ldl'];
      expect(spawnSync('cc', words, { encoding: 'utf8' }).stderr).toBe('');
      const set = { only: () => name, front: (me: number) => (me === 1 ? shim : '') };
      const all = nodes(17_304, 'lacking.jsonl', [0, 1, 2], set);
      const ends = await Promise.all(all.map(({ end }) => end));
      expect(ends).toEqual(ends.map(() => ({ code: 0, errors: '' })));
      const [{ rounds, dropped, leftOut }] = resultsIn(join(folder, 'lacking.jsonl'));
      expect({ rounds, dropped, leftOut }).toEqual(
        name === 'three'
          ? { rounds: 20, dropped: 0, leftOut: undefined }
          : { rounds: 0, dropped: 0, leftOut: 'not every card has atomics' },
      );
    },
  );

  test('nodes that run other tests say so', async () => {
    const other = { only: (me: number) => (me === 2 ? 'three-counted' : 'three') };
    const all = nodes(17_305, 'other.jsonl', [0, 1, 2], other);
    const ends = await Promise.all(all.map(({ end }) => end));
    const errors = 'remora: the nodes have other tests or options: nothing is written\n';
    expect(ends).toEqual(ends.map(() => ({ code: 1, errors })));
  });

  test('a process that is killed leaves no results, and the others say whose', async () => {
    const all = nodes(17_302, 'killed.jsonl', [0, 1, 2], { rounds: 1_000_000 });
    // Rounds have begun when there is a thread of the test beside that of the card.
    const threads = (): number => readdirSync(`/proc/${all[2].child.pid}/task`).length;
    await expect.poll(threads).toBe(3);
    all[2].child.kill('SIGKILL');
    const [{ code, errors }, other] = await Promise.all([all[0].end, all[1].end]);
    // In the middle of a step: then the card ends those that are left.
    if (/in the middle of a step/.test(errors)) expect(code).toBe(3);
    else {
      expect(errors).toMatch(
        /^(?:remora card: process \d ended.*\n)*remora: .+: nothing is written\n$/,
      );
      expect(code).toBe(1);
    }
    expect([1, 3]).toContain(other.code);
    expect(readdirSync(folder).filter((name) => name.startsWith('killed'))).toEqual([]);
  }, 60_000);

  test('a node that does not come is named', async () => {
    const [first, second] = waiting;
    expect(await first.end).toEqual({
      code: 1,
      errors: 'remora: node localhost (2) did not come within 30 s: nothing is written\n',
    });
    expect((await second.end).code).toBe(1);
    expect(existsSync(join(folder, 'absent.jsonl'))).toBe(false);
  }, 90_000);

  test('a full device gets no results, and stays a device; a file of something else stays', async () => {
    const alone = (out: string) => run('tso', ['--rounds', '5', '--only', 'three', '--out', out]);
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
