import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OutputKind } from '../../src/cli/seal.js';
import { isSealed, seal } from '../../src/cli/seal.js';
import type { Run } from '../support/run.js';
import { ROOT, STACK_TRACE, remora, run, shell, unsealed } from '../support/run.js';

/** The rule for outputs: no input, and no file that Remora did not write, is overwritten. */

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-output-'));
  cpSync(join(ROOT, 'corpus/tso/CPU-SB.litmus'), join(folder, 'sb.litmus'));
  cpSync(join(ROOT, 'models/rdma-tso.cat'), join(folder, 'own.cat'));
  cpSync(join(ROOT, 'models/rdma-tso-base.cat'), join(folder, 'rdma-tso-base.cat'));
  writeFileSync(join(folder, 'notes.txt'), 'notes\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

const inFolder = (...args: readonly string[]): Promise<Run> => remora(args, { cwd: folder });
const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');
const write = (name: string, text: string): void => writeFileSync(at(name), text);

/** All files of a folder, and their contents. */
const everything = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file, 'latin1')]),
  );

/** Runs what is refused before anything is decided or written. */
async function refused(...args: readonly string[]): Promise<string> {
  const before = everything();
  const { code, stdout, stderr } = await inFolder(...args);
  expect(stderr).not.toMatch(STACK_TRACE);
  expect([code, stdout]).toEqual([2, '']);
  expect(everything()).toEqual(before);
  return stderr;
}

const MAX = 'RDMA big\nnode 1 { x = 0 }\nthread T on 1 { x := 1 }\n';
const DISAGREE = ['-m', 'rdma-sc,rdma-tso', '--equivalent', '--engine', 'smt'];

/** Every option with a file that is written when the work is done; the exit code when it is. */
const OUTPUTS: readonly (readonly [string, readonly string[], string, number])[] = [
  ['robust -o', ['robust', 'sb.litmus', '--fix', '-o'], 'x.litmus', 1],
  ['robust --svg', ['robust', 'sb.litmus', '--svg'], 'x.svg', 1],
  ['robust --dot', ['robust', 'sb.litmus', '--dot'], 'x.dot', 1],
  ['explain --svg', ['explain', 'sb.litmus', '--svg'], 'x.svg', 0],
  ['explain --dot', ['explain', 'sb.litmus', '--dot'], 'x.dot', 0],
  ['agree --out', ['agree', 'sb.litmus', ...DISAGREE, '--out'], 'x.litmus', 1],
  ['distribute -o', ['distribute', 'sb.litmus', '--server', '1', '-o'], 'x.litmus', 0],
  ['export --smtlib -o', ['export', '--smtlib', 'sb.litmus', '-o'], 'x.smt2', 0],
  ['export --promela -o', ['export', '--promela', 'sb.litmus', '-o'], 'x.pml', 0],
];

describe.each(OUTPUTS)('%s', (_, args, file, code) => {
  test('goes to a new file and over its own, and over nothing else', async () => {
    const first = await inFolder(...args, file);
    expect([first.code, first.stderr]).toEqual([code, '']);
    const text = read(file);
    expect(unsealed(text)).not.toBe('');
    const again = await inFolder(...args, file);
    expect([again.code, again.stderr, read(file)]).toEqual([code, '', text]);

    const foreign = `${file}: Remora did not write this file, or it was changed since: --force writes over it\n`;
    appendFileSync(at(file), '\n');
    expect(await refused(...args, file)).toBe(foreign);
    write(file, text.replace(/[a-z](?=[^a-z]*\n.*\n$)/, 'Z'));
    expect(await refused(...args, file)).toBe(foreign);

    const forced = await inFolder(...args, file, '--force');
    expect([forced.code, forced.stderr, read(file)]).toEqual([code, '', text]);
    expect(readdirSync(folder).length).toBe(5);
  });
});

test('a PNG goes over its own, and over nothing else', async () => {
  const args = ['explain', 'sb.litmus', '--png', 'x.png'];
  for (let times = 1; times <= 2; times++) {
    const { code, stderr } = await inFolder(...args);
    expect([code, stderr]).toEqual([0, '']);
    expect(isSealed(readFileSync(at('x.png')))).toBe(true);
  }
  appendFileSync(at('x.png'), 'x');
  expect(await refused(...args)).toMatch(/^x\.png: Remora did not write this file, or /);
});

describe('inputs', () => {
  const own = 'this is an input of this command: --force writes over it';

  test.each(['sb.litmus', './sb.litmus', 'soft', 'hard', '../here/sb.litmus'])(
    'the program, as %s',
    async (name) => {
      symlinkSync('sb.litmus', at('soft'));
      linkSync(at('sb.litmus'), at('hard'));
      const path = name.replace('here', folder.split('/').at(-1)!);
      const robust = ['robust', 'sb.litmus', '--fix', '-o', path];
      expect(await refused(...robust)).toBe(`${path}: ${own}\n`);
      const agree = ['agree', 'sb.litmus', ...DISAGREE, '--out', path];
      expect(await refused(...agree)).toBe(`${path}: ${own}\n`);
      expect(await refused('explain', 'sb.litmus', '--svg', path)).toBe(`${path}: ${own}\n`);
    },
  );

  test('a program that Remora wrote is one, too', async () => {
    expect((await inFolder('robust', 'sb.litmus', '--fix', '-o', 'fixed.litmus')).code).toBe(1);
    const args = ['distribute', 'fixed.litmus', '--server', '1', '-o', 'fixed.litmus'];
    expect(await refused(...args)).toBe(`fixed.litmus: ${own}\n`);
  });

  test('the model, and what it includes', async () => {
    for (const file of ['own.cat', 'rdma-tso-base.cat']) {
      const args = ['explain', 'sb.litmus', '-m', './own.cat', '--dot', file];
      expect(await refused(...args)).toBe(`${file}: ${own}\n`);
    }
  });

  test('can be written over by force', async () => {
    const args = ['robust', 'sb.litmus', '--fix', '-o', 'sb.litmus', '--force'];
    expect((await inFolder(...args)).code).toBe(1);
    expect(read('sb.litmus')).toContain('mfence');
  });
});

describe('what cannot be written is said before the work', () => {
  test('all of it', async () => {
    const args = ['robust', 'sb.litmus', '--fix', '-o', 'notes.txt', '--svg', 'no/x.svg'];
    expect(await refused(...args, '--dot', '.')).toBe(
      '.: this is a folder, not a file\n' +
        'no/x.svg: there is no such folder to write to\n' +
        'notes.txt: Remora did not write this file, or it was changed since: --force writes over it\n',
    );
  });

  test('two outputs in one file', async () => {
    symlinkSync('.', at('here'));
    const args = ['explain', 'sb.litmus', '--svg', 'x', '--dot', 'here/x'];
    expect(await refused(...args)).toBe('x: two outputs cannot go to one file\n');
  });

  test('a link to nothing, and -', async () => {
    symlinkSync('nothing', at('link'));
    expect(await refused('explain', 'sb.litmus', '--svg', 'link')).toBe(
      'link: this is a link to nothing\n',
    );
    expect(await refused('check', 'sb.litmus', '--out', '-')).toBe(
      '-: no file; one of this name is ./-\n',
    );
  });

  test('one of the files of a folder: none is written', async () => {
    mkdirSync(at('out'));
    write('out/CPU-SB.sc.smt2', '; mine\n');
    const args = ['export', '--smtlib', 'sb.litmus', '-m', 'rdma-tso,sc', '-o', 'out'];
    expect(await refused(...args)).toMatch(
      /^out\/CPU-SB\.sc\.smt2: Remora did not write this file/,
    );
    expect((await inFolder(...args, '--force')).code).toBe(0);
    expect((await inFolder(...args)).code).toBe(0);
    expect(readdirSync(at('out'))).toHaveLength(2);
  });
});

describe('a file is there as a whole or not at all', () => {
  // Files of at most 4 KB; the picture is larger.
  const full = (command: string): Promise<Run> =>
    shell(`ulimit -f 4; remora ${command}`, { cwd: folder });

  test('a full disk leaves what was there, and nothing beside it', async () => {
    expect((await inFolder('explain', 'sb.litmus', '--svg', 'x', '-m', 'sc')).code).toBe(0);
    const before = everything();
    const { code, stderr } = await full('explain sb.litmus --svg x');
    expect([code, stderr]).toEqual([2, 'x: cannot be written (EFBIG)\n']);
    expect(everything()).toEqual(before);
    expect((await full('explain sb.litmus --svg new')).code).toBe(2);
    expect(existsSync(at('new'))).toBe(false);
  });

  test('a signal waits until it is written', async () => {
    const script = `
      import { replaceFile } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/cli/replace.js')).href)};
      const bytes = Buffer.alloc(200_000_000, 'x');
      writeSync(1, 'begins');
      replaceFile('big', bytes);
      setTimeout(() => {}, 60_000);
    `;
    write('write.mjs', `import { writeSync } from 'node:fs';${script}`);
    const begun = (): boolean => read('said') === 'begins';
    write('said', '');
    const { code } = await run('bash', ['-c', 'exec node write.mjs > said'], {
      cwd: folder,
      signal: { name: 'SIGINT', after: begun },
    });
    expect(code).toBe(130);
    expect(statSync(at('big')).size).toBe(200_000_000);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('rights stay as they are', async () => {
    write('x.dot', '');
    chmodSync(at('x.dot'), 0o640);
    expect((await inFolder('explain', 'sb.litmus', '--dot', 'x.dot')).code).toBe(0);
    expect(statSync(at('x.dot')).mode & 0o777).toBe(0o640);
  });

  test('a link stays one', async () => {
    write('real', '');
    symlinkSync('real', at('link'));
    expect((await inFolder('explain', 'sb.litmus', '--svg', 'link')).code).toBe(0);
    expect(read('real')).toContain('</svg>');
    expect(read('link')).toBe(read('real'));
  });

  test('a device and a pipe are written to as they are', async () => {
    expect((await inFolder('explain', 'sb.litmus', '--svg', '/dev/null')).code).toBe(0);
    const piped = await shell(
      'mkfifo p; cat p > q & remora explain sb.litmus --svg p >/dev/null; wait; tail -n 2 q',
      { cwd: folder },
    );
    expect(piped.stdout).toMatch(/^<\/svg>\n<!-- written by Remora, /);
    for (const args of [
      ['explain', 'sb.litmus', '--svg', 'p'],
      ['check', 'sb.litmus', '--out', 'p'],
    ]) {
      const { code, stderr } = await inFolder(...args);
      expect([code, stderr]).toEqual([2, 'p: nobody reads from this pipe\n']);
    }
    const results = await shell(
      'cat p > q & remora check sb.litmus --out p >/dev/null; wait; remora merge q',
      { cwd: folder },
    );
    expect([results.code, results.stderr]).toEqual([0, '']);
    expect(results.stdout).toMatch(/^CPU-SB under rdma-tso\n/);
  });
});

describe('report', () => {
  const report = (...args: readonly string[]): Promise<Run> =>
    inFolder('report', 'sb.litmus', '-m', 'sc', '--out', 'site', ...args);

  test('replaces its own folder, but not what was added or changed', async () => {
    expect((await report()).code).toBe(0);
    expect((await report()).code).toBe(0);
    write('site/tests/notes.txt', 'notes');
    const args = ['report', 'sb.litmus', '-m', 'sc', '--out', 'site'];
    expect(await refused(...args)).toBe(
      'site: Remora did not write tests/notes.txt, or it was changed since: --force removes it\n',
    );
    rmSync(at('site/tests/notes.txt'));
    appendFileSync(at('site/index.html'), '<!-- mine -->');
    expect(await refused(...args)).toMatch(/^site: Remora did not write index\.html, or /);
    expect((await report('--force')).code).toBe(0);
    expect((await report()).code).toBe(0);
  });

  test('never a folder with inputs or of others', async () => {
    expect((await report()).code).toBe(0);
    cpSync(at('sb.litmus'), at('site/sb.litmus'));
    const args = ['report', 'site/sb.litmus', '-m', 'sc', '--force', '--out'];
    expect(await refused(...args, 'site')).toBe(
      'site: site/sb.litmus is in this folder, and an input of this command\n',
    );
    expect(await refused(...args, '.')).toMatch(/^\.: this folder has other files in it: /);
  });
});

describe('the seal', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );

  test.each(['litmus', 'dot', 'svg', 'smt2', 'pml', 'png'] as const)('%s', (kind: OutputKind) => {
    const sealed = seal(kind === 'png' ? PNG : MAX, kind);
    expect(isSealed(sealed)).toBe(true);
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] ^= 1;
      expect(isSealed(changed), `byte ${i}`).toBe(false);
    }
    for (const more of ['\n', 'x', sealed]) {
      expect(isSealed(Buffer.concat([sealed, Buffer.from(more as string)]))).toBe(false);
      expect(isSealed(Buffer.concat([Buffer.from(more as string), sealed]))).toBe(false);
    }
    expect(isSealed(sealed.subarray(0, -1))).toBe(false);
  });

  test('a PNG stays one: the seal is a chunk like any other', () => {
    const sealed = seal(PNG, 'png');
    const chunks: string[] = [];
    for (let i = 8; i < sealed.length;) {
      chunks.push(sealed.toString('latin1', i + 4, i + 8));
      i += 12 + sealed.readUInt32BE(i);
    }
    expect(chunks).toEqual(['IHDR', 'IDAT', 'tEXt', 'IEND']);
  });

  test('what is not sealed', () => {
    for (const text of [
      '',
      MAX,
      '# written by Remora, sha256:',
      `# written by Remora, sha256:${'0'.repeat(64)}\n`,
    ]) {
      expect(isSealed(Buffer.from(text))).toBe(false);
    }
    expect(isSealed(PNG)).toBe(false);
  });
});
