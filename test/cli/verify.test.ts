import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChecksum, withChecksum } from '../../src/cli/outputs/checksum.js';
import { ROOT, remora, shell } from '../support/run.js';

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
  writeFileSync(join(folder, name), withChecksum(text.replace(from, to), 'proof'));
  return name;
}

test('each changed bit is noticed', () => {
  expect(hasChecksum(good, 'proof')).toBe(true);
  for (let bit = 0; bit < good.length * 8; bit++) {
    const bytes = Buffer.from(good);
    bytes[bit >> 3] ^= 1 << (bit & 7);
    expect(hasChecksum(bytes, 'proof'), `bit ${bit}`).toBe(false);
  }
});

test('a proof that ends at any line is refused', () => {
  const lines = good.toString().split(/(?<=\n)/);
  for (let n = 0; n < lines.length; n++) {
    expect(hasChecksum(Buffer.from(lines.slice(0, n).join(''))), `${n} lines`).toBe(false);
  }
});

/** What a command said, and its exit code. */
const said = ({ code, stdout, stderr }: Awaited<ReturnType<typeof verify>>) => [
  code,
  stdout,
  stderr,
];

describe('explain --proof', () => {
  const explain = (...args: readonly string[]) =>
    remora(['explain', MP1, ...args], { cwd: folder });

  test('says of a bad proof what verify says', async () => {
    const wrong = changed('e.proof', '4 -qpo-> 6', '4 -rf-> 6');
    const told = await explain('--proof', wrong);
    expect(said(told)).toEqual(said(await verify(MP1, wrong)));
    expect([told.code, told.stdout.split('\n').length]).toEqual([1, 2]);
    const cut = write('f.proof', good.subarray(0, 300));
    expect(said(await explain('--proof', cut))).toEqual(said(await verify(MP1, cut)));
  });
});

test('pages of a report link proofs that hold, and others are named', async () => {
  const args = ['report', MP1, '--model', 'rdma-tso', '--out', 'site'];
  const made = await remora([...args, '--proof', 'proofs'], { cwd: folder });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(folder, 'site/proofs/MP1/rdma-tso-1.proof'))).toEqual(good);
  const page = readFileSync(join(folder, 'site/tests/MP1.html'), 'utf8');
  expect(page).toContain('href="../proofs/MP1/rdma-tso-1.proof"');
  expect(page).toContain(`remora verify ${MP1} proofs/MP1/rdma-tso-1.proof`);
  changed('wrong.proof', '4 -qpo-> 6', '4 -rf-> 6');
  const refused = await remora([...args, '--force', '--proof', 'wrong.proof'], { cwd: folder });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    /^wrong\.proof: not shown: .* does not contradict 'axiom ob 4 6 7 8'\n$/,
  );
  expect(readFileSync(join(folder, 'site/tests/MP1.html'), 'utf8')).not.toContain('.proof');
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
      'of a program of another name',
      () => changed('n.proof', 'test MP1', 'test MP2'),
      /^n\.proof: a proof about another program, or another text of it: that of MP2/,
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
});

test.each<[string, string | RegExp, string, RegExp]>([
  [
    'another cycle',
    'axiom ob 4 6 7 8',
    'axiom ob 4 6 7',
    /not shown: the case rf 7: 6, rf 8: 0 does not contradict 'axiom ob 4 6 7'/,
  ],
  [
    'a step by another relation',
    '8 <-rf- 0 -mo-> 4',
    '8 <-mo- 0 -mo-> 4',
    /not shown: the case rf 7: 6, rf 8: 0 does not contradict 'axiom ob 4 6 7 8'/,
  ],
  [
    'another guard or value',
    'nrW x@2 := r3',
    'nrW x@2 := r5',
    /not shown: the program has other events than those that the proof lists/,
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

describe('in clauses', () => {
  let pair: Record<'cnf' | 'drat', string>;

  beforeAll(async () => {
    const args = ['check', MP1, '--proof', 'clauses', '--proof-format', 'clauses'];
    expect(await remora(args, { cwd: folder })).toMatchObject({ code: 0 });
    const read = (end: string) =>
      readFileSync(join(folder, `clauses/MP1/rdma-tso-1.${end}`), 'utf8');
    pair = { cnf: read('cnf'), drat: read('drat') };
  });

  const SAID =
    'clauses/MP1/rdma-tso-1.cnf: MP1: exists (a = 1 /\\ b = 0) is forbidden under rdma-tso: ' +
    '9 clauses, 1 cycle, 1 step';
  const TAKEN =
    'Taken for granted: the parsers, the events of the program, the table of terms of the model and its operators.\n' +
    'Taken for granted of clauses: the same, the bounds of values and relations, and the encoding.\n';

  /** A folder with the two files, one of them changed, and its checksum with it. */
  function changedPair(
    name: string,
    kind: 'cnf' | 'drat',
    change: (text: string) => string,
  ): string {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    for (const end of ['cnf', 'drat'] as const) {
      const text = pair[end].replace(/c written by Remora[^]*$/, '');
      writeFileSync(join(path, `x.${end}`), withChecksum(end === kind ? change(text) : text, end));
    }
    return `${name}/x.cnf`;
  }

  test('drat-trim is asked, too, where it is there, and must agree', async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const says = (text: string): void => {
      // Stands for a drat-trim that says so, but only of the two files in their order.
      const script = `#!/bin/sh\ngrep -q "^p cnf" "$1" && ! grep -q "^p" "$2" && printf '${text}'\n`;
      writeFileSync(join(bin, 'drat-trim'), script);
      chmodSync(join(bin, 'drat-trim'), 0o755);
    };
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const asked = () => remora(['verify', MP1, 'clauses'], { cwd: folder, env });
    says('c finished parsing\\n\\rs VERIFIED\\n');
    expect(await asked()).toMatchObject({ code: 0, stdout: `${SAID}; drat-trim agrees\n${TAKEN}` });
    says('c core\\n\\ns NOT VERIFIED\\n');
    const { code, stdout } = await asked();
    expect([code, stdout]).toEqual([
      1,
      'clauses/MP1/rdma-tso-1.cnf: not shown: drat-trim does not accept it: s NOT VERIFIED\n',
    ]);
  });

  test('each changed bit of both is noticed', () => {
    for (const kind of ['cnf', 'drat'] as const) {
      const bytes = Buffer.from(pair[kind]);
      expect(hasChecksum(bytes, kind)).toBe(true);
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        bytes[bit >> 3] ^= 1 << (bit & 7);
        expect(hasChecksum(bytes, kind), `bit ${bit}`).toBe(false);
        bytes[bit >> 3] ^= 1 << (bit & 7);
      }
    }
  });

  test('without its steps, cut off, or of another format it is refused in one message', async () => {
    const refused = async (path: string, message: RegExp) => {
      const { code, stdout, stderr } = await verify(MP1, path);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(message);
      expect(stderr).not.toMatch(/ at .*\.js/);
    };
    cpSync(join(folder, 'clauses/MP1/rdma-tso-1.cnf'), join(folder, 'alone.cnf'));
    await refused('alone.cnf', /^alone\.drat: cannot be read \(ENOENT\)/);
    write('cut.cnf', pair.cnf.slice(0, 300));
    await refused('cut.cnf', /^cut\.cnf: this is no proof as Remora wrote it/);
    write('cut.cnf', pair.cnf);
    write('cut.drat', pair.drat.slice(1));
    await refused('cut.cnf', /^cut\.drat: this is no proof as Remora wrote it/);
    truncateSync(join(folder, 'cut.drat'), 2 ** 30);
    await refused('cut.cnf', /^cut\.drat: larger than 64 MB/);
    const version = changedPair('v', 'cnf', (text) => text.replace('clauses 1', 'clauses 7'));
    await refused(version, /x\.cnf:1:1: version 7 of proofs: this Remora reads version 1/);
    const model = changedPair('m', 'cnf', (text) => text.replace('rdma-tso sha256:', 'rdma-tso x'));
    await refused(model, /a proof about another model: rdma-tso as it was/);
    const word = changedPair('w', 'drat', (text) => `${text}x 1 0\n`);
    await refused(word, /x\.drat:2:1: this line is no part of a proof/);
    const count = changedPair('n', 'cnf', (text) => text.replace('cnf 6 10', 'cnf 6 11'));
    await refused(count, /11 clauses are promised, and 10 are there/);
    const { code, stderr } = await verify(join(ROOT, 'corpus/tso/MP2.litmus'), 'clauses');
    expect([code, stderr]).toEqual([
      2,
      'clauses/MP1/rdma-tso-1.cnf: a proof about another program, or another text of it: that of MP1\n',
    ]);
  });

  test.each<[string, 'cnf' | 'drat', string | RegExp, string, RegExp]>([
    [
      'another clause',
      'cnf',
      '\n1 2 0',
      '\n1 3 0',
      /clause 1 of the encoding is '1 2', and not '1 3'/,
    ],
    ['another cycle', 'cnf', '8#3 0#6', '8#4 0#6', /cycle 1 is none of the edges/],
    ['a cycle that says more', 'cnf', '-4 -1 0', '-4 0', /cycle 1 is none of the edges/],
    ['other events', 'cnf', '7 T2 lR y', '7 T2 lR x', /the program has other events/],
    [
      'a cycle left out',
      'cnf',
      /p cnf 6 10([^]*)c cycle[^]*/,
      'p cnf 6 9$1',
      /step 1: the clause '' does not follow by unit propagation/,
    ],
  ])('a proof with %s shows nothing', async (_, kind, from, to, message) => {
    const name = changedPair('c', kind, (text) => {
      expect(text).toMatch(from);
      return text.replace(from, to);
    });
    const { code, stdout, stderr } = await verify(MP1, name);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toMatch(message);
  });
});

test.each(['verify', 'explain', 'report'])(
  'pipes and devices are no proofs: %s',
  async (command) => {
    const odd = mkdtempSync(join(tmpdir(), 'remora-odd-proofs-'));
    try {
      for (const place of ['/dev/zero', 'p']) {
        const args = {
          verify: `remora verify ${MP1} ${place}`,
          explain: `remora explain ${MP1} --proof ${place}`,
          report: `remora report ${MP1} --proof ${place} --out site --force`,
        }[command];
        const { code, stderr } = await shell(`rm -f p; mkfifo p; ${args}`, { cwd: odd });
        const kind = place === 'p' ? 'pipe' : 'device';
        expect([code, stderr]).toEqual([2, `${place}: is a ${kind}, not a file\n`]);
      }
    } finally {
      rmSync(odd, { recursive: true });
    }
  },
);
