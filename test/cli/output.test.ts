import {
  appendFileSync,
  cpSync,
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
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OutputKind } from '../../src/cli/outputs/checksum.js';
import { hasChecksum, withChecksum } from '../../src/cli/outputs/checksum.js';
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
  ['export --litmus -o', ['export', '--litmus', 'X86', 'sb.litmus', '-o'], 'x.litmus', 0],
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
    const replace = pathToFileURL(join(ROOT, 'dist/cli/outputs/replace.js')).href;
    write(
      'write.mjs',
      `import { replaceFile } from ${JSON.stringify(replace)};
      replaceFile('big', Buffer.alloc(200_000_000, 'x'));
      setTimeout(() => {}, 60_000);`,
    );
    const isBeingWritten = (): boolean =>
      readdirSync(folder).some((name) => name.startsWith('.remora-unfinished'));
    const { code } = await run(process.execPath, ['write.mjs'], {
      cwd: folder,
      signal: { name: 'SIGINT', after: isBeingWritten },
    });
    expect(code).toBe(130);
    expect(statSync(at('big')).size).toBe(200_000_000);
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
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

describe('the seal', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );

  test.each(['litmus', 'dot', 'svg', 'smt2', 'pml', 'png'] as const)('%s', (kind: OutputKind) => {
    const sealed = withChecksum(kind === 'png' ? PNG : MAX, kind);
    expect(hasChecksum(sealed)).toBe(true);
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] ^= 1;
      expect(hasChecksum(changed), `byte ${i}`).toBe(false);
    }
    for (const more of ['\n', 'x', sealed]) {
      expect(hasChecksum(Buffer.concat([sealed, Buffer.from(more as string)]))).toBe(false);
      expect(hasChecksum(Buffer.concat([Buffer.from(more as string), sealed]))).toBe(false);
    }
    expect(hasChecksum(sealed.subarray(0, -1))).toBe(false);
  });

  test('a PNG stays one: the seal is a chunk like any other', () => {
    const sealed = withChecksum(PNG, 'png');
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
      expect(hasChecksum(Buffer.from(text))).toBe(false);
    }
    expect(hasChecksum(PNG)).toBe(false);
  });
});
