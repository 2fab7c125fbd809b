import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../support/run.js';
import { MAIN, ROOT, STACK_TRACE, remora, shell } from '../support/run.js';

/** What commands read: each file once, regular files only, and standard input. */

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-input-'));
  mkdirSync(at('tests/deep'), { recursive: true });
  for (const name of ['a', 'b10', 'b9', 'deep/c']) test_(`tests/${name}.litmus`);
  cpSync(join(ROOT, 'corpus/tso/CPU-SB.litmus'), at('sb.litmus'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (path: string): string => join(folder, path);

/** Makes a test whose name is that of its file. */
function test_(path: string): void {
  const name = path.replace(/.*\/|\.litmus$/g, '');
  const text = `RDMA ${name}\nnode 1 { x = 0 }\nthread T on 1 { x := 1 }\nexists (x = 1)\n`;
  writeFileSync(at(path), text);
}

const inFolder = (...args: readonly string[]): Promise<Run> =>
  remora([...args, '--jobs', '1'], { cwd: folder });

async function bad(...args: readonly string[]): Promise<string> {
  const { code, stderr } = await inFolder(...args);
  expect(stderr).not.toMatch(STACK_TRACE);
  expect(code).toBe(2);
  return stderr;
}

describe('every file once, by the path that leads to it first', () => {
  test.skipIf(process.getuid?.() === 0)('a folder that cannot be read', async () => {
    chmodSync(at('tests/deep'), 0);
    const { stderr, stdout } = await inFolder('check', 'tests');
    chmodSync(at('tests/deep'), 0o755);
    expect(stderr).toBe('tests/deep: cannot be read (EACCES)\n');
    expect(stdout.match(/^\w+ under/gm)?.length).toBe(3);
  });

  test('models', async () => {
    cpSync(join(ROOT, 'test/files/models/sc.cat'), at('sc.cat'));
    const { code, stdout } = await inFolder('outcomes', 'sb.litmus', '-m', 'sc.cat,./sc.cat');
    expect([code, stdout.match(/under/g)?.length]).toEqual([0, 1]);
    expect(await bad('compare', 'sc', join(ROOT, 'models/sc.cat'), 'sb.litmus')).toBe(
      'compare needs two models\n',
    );
  });
});

describe('what is no regular file is not opened', () => {
  const HINT = '  write - to have it read from standard input\n';

  test('a pipe, as a test and as a model', async () => {
    const piped = `mkfifo p tests/p.litmus; remora check tests p -m ./p,sc --jobs 1`;
    const { code, stdout, stderr } = await shell(piped, { cwd: folder });
    expect(stderr).toBe(
      `./p: is a pipe, not a file\n${HINT}tests/p.litmus: is a pipe, not a file\n${HINT}` +
        `p: is a pipe, not a file\n${HINT}`,
    );
    expect([code, stdout.match(/^\w+ under sc/gm)?.length]).toEqual([2, 4]);
  });

  test('what shells make of <(…)', async () => {
    const { stderr } = await shell('remora check <(cat sb.litmus) --jobs 1', { cwd: folder });
    expect(stderr).toMatch(/^\/dev\/fd\/\d+: is a pipe, not a file\n {2}write - /);
  });

  test('an included file', async () => {
    writeFileSync(at('own.cat'), 'include "p.cat"\nacyclic po as po\n');
    const { stderr } = await shell('mkfifo p.cat; remora check sb.litmus -m own.cat', {
      cwd: folder,
    });
    expect(stderr).toMatch(/^own\.cat:1:9: cannot include 'p\.cat': is a pipe, not a file\n/);
  });
});

describe('standard input', () => {
  /** Runs a command with a file on standard input, through a pipe. */
  const piped = (command: string, file = 'sb.litmus'): Promise<Run> =>
    shell(`set -o pipefail; cat ${file} | remora ${command}`, { cwd: folder });

  test('with files, and as a model that includes others', async () => {
    const both = await piped('check tests - --jobs 1');
    expect(both.stdout.match(/^\S+ under/gm)).toHaveLength(5);
    const model = await piped(
      'check sb.litmus -m -,sc --jobs 1',
      join(ROOT, 'models/rdma-tso.cat'),
    );
    expect([model.code, model.stderr]).toEqual([0, '']);
    expect(model.stdout).toMatch(/^CPU-SB under <stdin>\n(.*\n){3}CPU-SB under sc\n/);
  });

  test('mistakes have their place', async () => {
    writeFileSync(at('bad.litmus'), 'RDMA t\nnode 1 { x = }\n');
    const { code, stderr } = await piped('check - --jobs 1', 'bad.litmus');
    expect(stderr).toMatch(/^<stdin>:2:14: unexpected '}'.*\n2 \| node 1 \{ x = \}\n {2}\| {14}\^/);
    expect(code).toBe(2);
    expect((await piped('check -', '/dev/null')).stderr).toBe('<stdin>: the file is empty\n');
    const endless = await shell('remora check - < /dev/zero', { cwd: folder });
    expect(endless.stderr).toBe('<stdin>: larger than 1 MB\n');
  });

  test('from a socket', async () => {
    const text = readFileSync(at('sb.litmus'));
    const server = createServer((socket) => socket.end(text));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const command = `remora check - --jobs 1 <>/dev/tcp/127.0.0.1/${port}`;
    const { code, stdout, stderr } = await shell(command, { cwd: folder });
    server.close();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^CPU-SB under rdma-tso\n/);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the wait', async (signal) => {
    for (const args of [
      ['check', '-'],
      ['check', 'sb.litmus', '-m', '-'],
    ]) {
      const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, stdio: 'pipe' });
      const ended = new Promise<string | null>((resolve) => {
        child.on('exit', (_, by) => resolve(by));
      });
      await sleep(800);
      child.kill(signal);
      expect(await Promise.race([ended, sleep(5000, 'waits')])).toBe(signal);
    }
  });
});

test('a deleted working folder is one message', async () => {
  const gone = 'the working folder does not exist any more: change to another one\n';
  for (const command of ['check a.litmus', `report ${at('sb.litmus')} --out site`, 'check -']) {
    const { code, stdout, stderr } = await shell(
      `mkdir gone; cd gone; rmdir ../gone; remora ${command} < /dev/null`,
      { cwd: folder },
    );
    expect([code, stdout, stderr]).toEqual([2, '', gone]);
  }
});
