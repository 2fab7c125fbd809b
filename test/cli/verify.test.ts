import {
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSealed, seal } from '../../src/cli/seal.js';
import { ROOT, remora } from '../support/run.js';

/** `--proof` and `remora verify`, as people use them. */

const MP1 = join(ROOT, 'corpus/tso/MP1.litmus');
let folder: string;
let good: Buffer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remora-proof-'));
  const made = await remora(['check', MP1, '--proof', 'proofs'], { cwd: folder });
  expect(made).toMatchObject({ code: 0, stderr: '1 proof in proofs\n' });
  good = readFileSync(join(folder, 'proofs/MP1/rdma-tso-1.proof'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const verify = (...args: readonly string[]) => remora(['verify', ...args], { cwd: folder });

/** A file with a proof whose text was changed, and its checksum with it. */
function changed(name: string, from: string | RegExp, to: string): string {
  const text = good.toString().replace(/# written by Remora[^]*$/, '');
  expect(text).toMatch(from);
  writeFileSync(join(folder, name), seal(text.replace(from, to), 'proof'));
  return name;
}

test('a proof is checked, by itself or in a folder, and what is taken for granted is said', async () => {
  const said =
    'proofs/MP1/rdma-tso-1.proof: MP1: exists (a = 1 /\\ b = 0) is forbidden under rdma-tso: 3 leaves\n' +
    'Taken for granted: the parsers, the events of the program, the table of terms of the model and its operators.\n';
  const all = { code: 0, stdout: said, stderr: '' };
  expect(await verify(MP1, 'proofs/MP1/rdma-tso-1.proof')).toMatchObject(all);
  expect(await verify(MP1, 'proofs')).toMatchObject(all);
});

test('test writes a folder for each file, a file for each model and query, and says what has none', async () => {
  const args = ['test', 'corpus/tso/MP1.litmus', 'corpus/locks/tas-elsewhere.litmus'];
  const made = await remora([...args, '--model', 'rdma-sc,sc', '--proof', join(folder, 'all')], {
    cwd: ROOT,
  });
  expect(made.stderr).toMatch(
    /no proof: .*: states of a machine were explored, and that has no proof yet\n/,
  );
  const files = readdirSync(join(folder, 'all'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((file) => file.endsWith('.proof')).sort()).toEqual([
    'tso/MP1/rdma-sc-1.proof',
    'tso/MP1/sc-1.proof',
  ]);
  // Nothing of others is written over.
  writeFileSync(join(folder, 'all/tso/MP1/rdma-sc-1.proof'), 'mine');
  const again = await remora([...args, '--model', 'rdma-sc', '--proof', join(folder, 'all')], {
    cwd: ROOT,
  });
  expect(again.code).toBe(2);
  expect(again.stderr).toContain('Remora did not write this file');
});

test('each changed bit is noticed', () => {
  expect(isSealed(good)).toBe(true);
  for (let bit = 0; bit < good.length * 8; bit++) {
    const bytes = Buffer.from(good);
    bytes[bit >> 3] ^= 1 << (bit & 7);
    expect(isSealed(bytes), `bit ${bit}`).toBe(false);
  }
});

describe('what is no proof of this is refused in one message', () => {
  test.each<[string, () => string, RegExp]>([
    [
      'changed',
      () => write('a.proof', good.toString().replace('axiom ob 4', 'axiom ob 5')),
      /^a\.proof: this is no proof as Remora wrote it: it was changed/,
    ],
    [
      'cut off',
      () => write('b.proof', good.subarray(0, 300)),
      /^b\.proof: this is no proof as Remora wrote it/,
    ],
    ['empty', () => write('c.proof', ''), /^c\.proof: this is no proof/],
    ['of 1 GB', huge, /^huge\.proof: larger than 64 MB/],
    ['not there', () => 'none.proof', /^none\.proof: .*no such file/],
    [
      'of another version',
      () => changed('v.proof', 'proof 2', 'proof 7'),
      /^v\.proof:1:1: version 7 of proofs: this Remora reads version 2/,
    ],
    [
      'of another program',
      () => changed('p.proof', /program sha256:\w/, 'program sha256:x'),
      /^p\.proof: a proof about another program, or another text of it: that of MP1/,
    ],
    [
      'of another model',
      () => changed('m.proof', /rdma-tso sha256:\w/, 'rdma-tso sha256:x'),
      /^m\.proof: a proof about another model: rdma-tso as it was, and not rdma-tso as it is now/,
    ],
    [
      'of another query',
      () => changed('q.proof', 'query 1', 'query 2'),
      /^q\.proof: the program has no query 2 with this text/,
    ],
    [
      'with a line that is none',
      () => changed('l.proof', 'axiom ob', 'axion ob'),
      /^l\.proof:\d+:\d+: a contradiction is one of asked, axiom/,
    ],
    [
      'with an indentation that is none',
      () => changed('i.proof', '    6:', '     6:'),
      /^i\.proof:\d+:\d+: /,
    ],
  ])('%s', async (_, make, message) => {
    const { code, stdout, stderr } = await verify(MP1, make());
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/ at .*\.js/);
  });

  test('a proof of MP2 beside one of MP1', async () => {
    const other = join(ROOT, 'corpus/tso/MP2.litmus');
    const { code, stderr } = await verify(other, 'proofs');
    expect([code, stderr]).toEqual([
      2,
      'proofs/MP1/rdma-tso-1.proof: a proof about another program, or another text of it: that of MP1\n',
    ]);
  });

  test('a folder in the place of the program', async () => {
    const { code, stderr } = await verify('proofs', 'proofs');
    expect([code, stderr.split('\n')[0]]).toEqual([
      2,
      'error: proofs is a folder: name one litmus file, and the proofs about it',
    ]);
  });
});

test.each<[string, string | RegExp, string, RegExp]>([
  [
    'another cycle',
    'axiom ob 4 6 7 8',
    'axiom ob 4 6 7',
    /not shown: the case rf 7: 6, rf 8: 0 does not contradict 'axiom ob 4 6 7'/,
  ],
  ['a case left out', / {4}1:\n {6}asked\n/, '', /not shown: the case rf 7: 1 is left out/],
  [
    'other events',
    '7 T2 lR y',
    '7 T2 lR x',
    /not shown: the program has other events than those that the proof lists/,
  ],
  [
    'a question about what reads nothing',
    'rf 7',
    'rf 4',
    /not shown: 'rf 4' is not to be asked in the whole/,
  ],
])('a proof with %s shows nothing', async (_, from, to, message) => {
  const { code, stdout, stderr } = await verify(MP1, changed('w.proof', from, to));
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toMatch(message);
});

function write(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return name;
}

function huge(): string {
  write('huge.proof', 'remora proof 2\n');
  truncateSync(join(folder, 'huge.proof'), 2 ** 30);
  return 'huge.proof';
}
