import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ownBuild } from '../../src/cli/serve/build.js';
import { serveConnection } from '../../src/cli/serve/connection.js';
import { frame } from '../../src/cli/serve/frames.js';
import { MOST_RUNNING } from '../../src/cli/serve/office.js';
import { failing } from '../support/fake-solver.js';
import type { RunOptions } from '../support/run.js';
import { MAIN, ROOT, STACK_TRACE, remora, shell, withoutTimes } from '../support/run.js';
import type { RunningServer } from '../support/server.js';
import { rawClient, startServer } from '../support/server.js';

/** A command does the same by a server as by itself, and no client harms a server. */

const FILE = 'corpus/tso/MP3bis.litmus';
const BUNDLE = new URL('../../dist/bundle/remora.cjs', import.meta.url);

let folder: string;
let server: RunningServer;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'remora-serve-'));
  writeFileSync(at('bad.litmus'), 'RDMA t\nnode 1 { x = }\n');
  server = await startServer(['--listen', at('s')]);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a command by a server. */
const served = (args: readonly string[], options?: RunOptions, { address } = server) =>
  remora([`--server=${address}`, ...args], options);

/** What a run leaves, but for times. */
const left = ({ code, stdout, stderr }: Awaited<ReturnType<typeof remora>>) => ({
  code,
  stdout: withoutTimes(stdout),
  stderr,
});

describe.concurrent('the same comes of', () => {
  test.each<[string, RunOptions?]>([
    [`check ${FILE}`],
    [`check ${FILE} --engine smt --json`],
    [`check ${FILE}`, { env: { FORCE_COLOR: '1' } }],
    [`check nothing.litmus`, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }],
    ['check MP3bis.litmus ../decidability', { cwd: join(ROOT, 'corpus/tso') }],
    ['test corpus/loco -m sc,rdma-tso', { env: { COLUMNS: '60' } }],
    ['test test/files/tests/mp.litmus test/files/wrong.litmus'],
    [`explain ${FILE} --fix`],
    ['outcomes corpus/tso/IRIW1.litmus'],
    [`check ${FILE} --engine enumerate --limit 1`],
    [`check ${FILE} --engine native --solver nothing-of-this-name`],
    [`check ${FILE} --frobnicate`],
    ['help serve'],
    [''],
    ['distribute corpus/tso/CPU-SB.litmus --server 1'],
    ['check -- --server'],
  ])('remora %s %j', async (line, options) => {
    const args = line.split(' ').filter((word) => word !== '');
    const [by, alone] = await Promise.all([served(args, options), remora(args, options)]);
    expect(left(by)).toEqual(left(alone));
    expect(by.stderr).not.toMatch(STACK_TRACE);
  });

  test('a broken file', async () => {
    const [by, alone] = await Promise.all(
      [served, remora].map((run) => run(['check', 'bad.litmus'], { cwd: folder })),
    );
    expect(left(by)).toEqual(left(alone));
    expect([by.code, by.stderr]).toEqual([2, expect.stringMatching(/^bad\.litmus:2:14: /)]);
  });

  test.each([
    `cat ${FILE} | remora check - --json`,
    'remora check - < /dev/zero',
    'remora check - < .',
    'remora check - <&-',
    `remora check <(cat ${FILE})`,
    'remora check - - < /dev/null',
    `remora check ${FILE} -m -,sc < models/rdma-tso.cat`,
    `remora test test/files/tests | head -1`,
    `remora test test/files/tests > /dev/full`,
  ])('%s', async (line) => {
    const script = `set -o pipefail; ${line}`;
    const [by, alone] = await Promise.all([
      shell(script, { env: { REMORA_SERVER: server.address } }),
      shell(script),
    ]);
    expect(left(by)).toEqual(left(alone));
  });

  test.runIf(process.platform === 'linux')('a terminal', async () => {
    const line = (env: object) =>
      shell(
        'export -f remora; script -qec "stty cols 50; bash -c \\"remora test test/files/tests\\"" /dev/null',
        { env: { SHELL: '/bin/bash', TERM: 'xterm', ...env } },
      );
    const [by, alone] = await Promise.all([line({ REMORA_SERVER: server.address }), line({})]);
    // The bar, which comes before, is about times.
    const result = (text: string) =>
      withoutTimes(text.slice(text.indexOf('test ')).replaceAll('\r', ''));
    expect(result(by.stdout)).toBe(result(alone.stdout));
    expect(by.stdout).toContain('\u001b[');
  });
});

describe('files', () => {
  test('are written where the client is, with the rights that it gives', async () => {
    const script = `cd ${folder}; umask 027; remora explain ${join(ROOT, FILE)} --svg why.svg`;
    const env = { REMORA_SERVER: server.address };
    const { code, stderr } = await shell(script, { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(at('why.svg'), 'utf8')).toMatch(/^<svg /);
    expect(statSync(at('why.svg')).mode & 0o777).toBe(0o640);
  });

  test('are read anew for each command', async () => {
    const verdict = async (axiom: string): Promise<string> => {
      writeFileSync(at('own.cat'), axiom);
      const { stdout } = await served(['check', join(ROOT, FILE), '-m', 'own.cat'], {
        cwd: folder,
      });
      return stdout.split('\n')[2];
    };
    const sc = readFileSync(join(ROOT, 'models/sc.cat'), 'utf8');
    expect(await verdict(sc)).toMatch('forbidden');
    expect(await verdict('empty 0 as nothing\n')).toMatch('allowed');
    expect(await verdict(sc)).toMatch('forbidden');
  });
});

describe('a command that is ended', () => {
  /** A command with a solver that says its process and that of its parent, and never answers. */
  const endless = (name: string) => {
    const said = at(`${name}.said`);
    const solver = failing(
      at(`${name}.sh`),
      `echo $$ $PPID > ${said}.new; mv ${said}.new ${said}; sleep 1000`,
    );
    return {
      args: [
        'check',
        'test/files/tests/mp.litmus',
        'test/files/tests/two.litmus',
        '--solver',
        solver,
      ],
      isAsked: () => existsSync(said),
      pids: () => readFileSync(said, 'utf8').split(' ').map(Number),
    };
  };
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const until = async (is: () => boolean): Promise<void> => {
    while (!is()) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  test.each(['SIGINT', 'SIGTERM'] as const)('by %s has its results so far', async (name) => {
    const { args, isAsked, pids } = endless(name);
    const { code, stdout, stderr } = await served(args, { signal: { name, after: isAsked } });
    expect([code, stderr]).toEqual([130, '']);
    expect(stdout).toBe('interrupted after 0 of 3 verdicts\n');
    await until(() => !pids().some(isAlive));
  });

  test('by a signal that it does not heed ends by that', async () => {
    const args = [MAIN, `--server=${server.address}`, 'check', '-'];
    // It waits for standard input.
    const child = spawn(process.execPath, args, { stdio: 'pipe' });
    const ended = new Promise((resolve) => child.on('exit', (_, by) => resolve(by)));
    setTimeout(() => child.kill('SIGTERM'), 800);
    expect(await ended).toBe('SIGTERM');
  });

  test('as its client is gone, leaves nothing', async () => {
    const { args, isAsked, pids } = endless('gone');
    await served(args, { signal: { name: 'SIGKILL', after: isAsked } });
    await until(() => !pids().some(isAlive));
  });

  test('as its process dies, is told; the next one works', async () => {
    const { args, isAsked, pids } = endless('dies');
    const running = served(args);
    await until(isAsked);
    const [solver, process_] = pids();
    process.kill(process_, 'SIGKILL');
    const { code, stdout, stderr } = await running;
    process.kill(-solver, 'SIGKILL');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe('remora: the process of this command died (SIGKILL)\n');
    expect((await served(['check', FILE])).code).toBe(0);
  });

  test('by the time limit, or with the server', async () => {
    const own = await startServer(['--listen', at('own'), '--time-limit', '1']);
    const late = await served(endless('late').args, {}, own);
    expect([late.code, late.stdout]).toEqual([130, 'interrupted after 0 of 3 verdicts\n']);
    expect(late.stderr).toBe('remora: ended by the server: it took more than 1 s\n');
    const { args, isAsked } = endless('with');
    const running = served(args, {}, own);
    await until(isAsked);
    expect(await own.stop()).toBe(0);
    expect(left(await running)).toEqual({ ...left(late), stderr: '' });
    expect(existsSync(at('own'))).toBe(false);
  });
});

describe('a port', () => {
  const TOKEN = 'a token that nobody guesses';
  const env = { REMORA_TOKEN: TOKEN };

  test('is served to those who have the token', async () => {
    const own = await startServer(['--listen', '127.0.0.1:0'], env);
    expect(own.address).toMatch(/^127\.0\.0\.1:[1-9]\d*$/);
    const right = await served(['check', FILE], { env }, own);
    expect(left(right)).toEqual(left(await remora(['check', FILE])));
    const wrong = await served(['check', FILE], { env: { REMORA_TOKEN: `${TOKEN}!` } }, own);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toBe(
      `remora: the server at ${own.address}: the token here and that of the server differ\n`,
    );
    const none = await served(['check', FILE], {}, own);
    expect([none.code, none.stderr]).toEqual([
      2,
      'remora: a port needs a token: set REMORA_TOKEN here and there\n',
    ]);
    // It is not asked before the other side has proven that it has the token, too.
    const port = Number(own.address.split(':')[1]);
    const raw = rawClient(port);
    raw.ask({ build: build() });
    expect(JSON.parse((await raw.first('refusal')).bytes.toString())).toMatchObject({
      runsHere: false,
    });
    await raw.closed;
    expect(await own.stop()).toBe(0);
  });

  test.each([
    ['127.0.0.1:0', {}, 'a port needs a token: set REMORA_TOKEN here and there'],
    ['0.0.0.0:0', {}, 'a port needs a token: set REMORA_TOKEN here and there'],
    ['[::1]:0', { REMORA_TOKEN: 'short' }, 'REMORA_TOKEN is too short: it needs 16 characters'],
    ['localhost:99999', env, 'localhost:99999: ports go up to 65535'],
  ])('%s is not opened with %j', async (listen, own, problem) => {
    const { code, stdout, stderr } = await remora(['serve', '--listen', listen], { env: own });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`error: ${problem}\n(see remora serve --help)\n`);
  });

  test('where somebody else listens gets neither request nor input', async () => {
    const heard: Buffer[] = [];
    const impostor = createServer((socket) => {
      socket.on('data', (bytes) => heard.push(bytes));
      socket.on('error', () => {});
      socket.write(frame('challenge', Buffer.alloc(32)));
      socket.write(frame('proof', Buffer.alloc(32)));
      socket.write(frame('wantsInput'));
    });
    const { port } = await new Promise<{ port: number }>((resolve) =>
      impostor.listen(0, '127.0.0.1', () => resolve(impostor.address() as { port: number })),
    );
    const address = `127.0.0.1:${port}`;
    const { code, stdout, stderr } = await remora([`--server=${address}`, 'check', FILE], { env });
    impostor.close();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `remora: the server at ${address}: this is no server of Remora, or it does not have the token\n`,
    );
    expect(Buffer.concat(heard).toString('latin1')).not.toMatch(/check|a token/);
  });
});

const build = (): string => ownBuild(BUNDLE.href);

describe('the socket', () => {
  test("is the user's alone, and goes when the server is idle", async () => {
    const env = { XDG_RUNTIME_DIR: folder };
    const own = await startServer(['--idle', '0.02'], env);
    expect(own.address).toBe(at('remora/server'));
    expect([statSync(at('remora')), statSync(own.address)].map((s) => s.mode & 0o777)).toEqual([
      0o700, 0o600,
    ]);
    const { stdout } = await remora(['--server', 'check', FILE], { env });
    expect(stdout).toBe((await remora(['check', FILE])).stdout);
    expect(await own.ended).toBe(0);
    expect(existsSync(own.address)).toBe(false);
  });

  test('of a server that died is taken over, that of another is not', async () => {
    const first = await startServer(['--listen', at('taken')]);
    await first.stop('SIGKILL');
    expect(existsSync(at('taken'))).toBe(true);
    const second = await startServer(['--listen', at('taken')]);
    const third = await remora(['serve', '--listen', at('taken')]);
    expect([third.code, third.stderr]).toEqual([
      2,
      `${at('taken')}: a server listens here already\n`,
    ]);
    expect((await served(['--version'], {}, second)).code).toBe(0);
    await second.stop();
  });

  test.each([
    [() => at('bad.litmus'), 'this is there already, and no socket'],
    [() => at('nowhere/s'), 'there is no such folder'],
  ])('is not made where it cannot be', async (path, problem) => {
    const { code, stdout, stderr } = await remora(['serve', '--listen', path()]);
    expect([code, stdout, stderr]).toEqual([2, '', `${path()}: ${problem}\n`]);
    expect(readFileSync(at('bad.litmus'), 'utf8')).toMatch(/^RDMA/);
  });

  test('with a path that is too long is refused', async () => {
    const long = at('x'.repeat(100));
    const { code, stderr } = await remora(['serve', '--listen', long]);
    expect([code, stderr]).toEqual([
      2,
      `error: ${long}: the path of a socket has at most 100 bytes\n(see remora serve --help)\n`,
    ]);
  });
});

describe('without a server', () => {
  test('--server is as if it were not there, and an address is an error', async () => {
    const alone = left(await remora(['check', FILE]));
    const env = { XDG_RUNTIME_DIR: at('empty') };
    expect(left(await remora(['check', FILE, '--server'], { env }))).toEqual(alone);
    expect(left(await remora(['check', FILE], { env: { ...env, REMORA_SERVER: '1' } }))).toEqual(
      alone,
    );
    const { code, stdout, stderr } = await remora(['check', FILE, `--server=${at('none')}`]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`remora: ${at('none')}: no server listens here (ENOENT)\n`);
  });

  test('a folder that others may use is not trusted', async () => {
    mkdirSync(at('open/remora'), { recursive: true });
    chmodSync(at('open/remora'), 0o755);
    const env = { XDG_RUNTIME_DIR: at('open') };
    const problem = `${at('open/remora')}: others may use this folder: chmod 700`;
    const { code, stdout, stderr } = await remora(['check', FILE, '--server'], { env });
    expect([code, stderr]).toEqual([0, `remora: ${problem}: the command runs here\n`]);
    expect(stdout).toMatch(/^MP3bis under/);
    const serving = await remora(['serve'], { env });
    expect([serving.code, serving.stderr]).toEqual([2, `${problem}\n`]);
  });
});

describe('a server', () => {
  test('of another version leaves the command to the client', async () => {
    const raw = rawClient(server.address);
    raw.ask({ build: 'another' });
    const { bytes } = await raw.first('refusal');
    expect(JSON.parse(bytes.toString())).toEqual({
      message: 'is of another version',
      runsHere: true,
    });
    // A stand-in says the same to a client.
    const other = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(frame('refusal', bytes));
    });
    await new Promise<void>((resolve) => other.listen(at('other'), resolve));
    const { code, stdout, stderr } = await remora(['check', FILE, `--server=${at('other')}`]);
    other.close();
    expect([code, stdout]).toEqual([0, (await remora(['check', FILE])).stdout]);
    expect(stderr).toBe(
      `remora: the server at ${at('other')} is of another version: the command runs here\n`,
    );
  });

  test('is not harmed by what is no request', async () => {
    const huge = Buffer.from([2, 0xff, 0xff, 0xff, 0xff]);
    const wrong = [
      'GET / HTTP/1.1\r\n\r\n',
      Buffer.alloc(100_000, 0xff),
      huge,
      frame('request', '{'),
      frame('request', 'null'),
      frame('request', JSON.stringify({ build: build(), words: [1] })),
      frame('stdout', 'x'),
      frame('input', 'x'),
    ];
    for (const bytes of wrong) {
      const raw = rawClient(server.address);
      raw.send(bytes);
      const refusal = await raw.first('refusal');
      expect(refusal.bytes.toString()).toMatch('no request of Remora');
      await raw.closed;
    }
    const half = rawClient(server.address);
    half.send(frame('request', '{}').subarray(0, 4));
    half.close();
    expect((await served(['check', FILE])).code).toBe(0);
  });

  test('has at most 64 commands wait, and forgets those of clients that leave', async () => {
    const own = await startServer(['--listen', at('full')]);
    // These wait for standard input.
    const busy = Array.from({ length: MOST_RUNNING }, () => rawClient(own.address));
    for (const raw of busy) raw.ask({ build: build(), words: ['check', '-'] });
    await Promise.all(busy.map((raw) => raw.first('wantsInput')));
    const waiting = Array.from({ length: 64 }, () => rawClient(own.address));
    for (const raw of waiting) raw.ask({ build: build() });
    // Some may not be read yet: more come until one of them is refused.
    for (let isFull = false; !isFull;) {
      const raw = rawClient(own.address);
      raw.ask({ build: build() });
      waiting.push(raw);
      const refusal = raw.first('refusal').then(() => true);
      isFull = await Promise.race([refusal.catch(() => true), sleep(100, false)]);
    }
    const { code, stdout, stderr } = await served(['--version'], {}, own);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+/)]);
    expect(stderr).toBe(
      `remora: the server at ${own.address} has 64 commands waiting: the command runs here\n`,
    );
    waiting.slice(1).forEach((raw) => raw.close());
    busy.forEach((raw) => raw.close());
    expect((await waiting[0].first('stdout')).bytes.toString()).toBe(stdout);
    expect((await served(['--version'], {}, own)).stderr).toBe('');
    await own.stop();
  });

  test('does not wait for a client that is silent', async () => {
    vi.useFakeTimers();
    try {
      const said: Buffer[] = [];
      const write = (bytes: Buffer, _: string, done: () => void): void => {
        said.push(bytes);
        done();
      };
      const socket = new Duplex({ read: () => {}, write });
      const service = { begin: () => expect.fail('nothing was asked') };
      serveConnection(socket as unknown as Socket, build(), undefined, service);
      vi.advanceTimersByTime(10_000);
      expect(Buffer.concat(said).toString()).toContain('nothing was asked within 10 s');
      expect(socket.writableEnded).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('says that it cannot work in a folder', async () => {
    const raw = rawClient(server.address);
    raw.ask({ build: build(), cwd: at('nowhere') });
    const { bytes } = await raw.first('stderr');
    expect(bytes.toString()).toBe(
      `${at('nowhere')}: the server cannot work in this folder (ENOENT)\n`,
    );
    expect((await raw.first('end')).bytes.toString()).toBe('{"code":2}');
  });

  test('serves two at once, each in its folder', async () => {
    const runs = await Promise.all(
      ['tso', 'decidability'].map((name) =>
        served(['test', '.', '-m', 'sc'], { cwd: join(ROOT, 'corpus', name) }),
      ),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(runs[0].stdout).toContain('MP3bis');
    expect(runs[1].stdout).toContain('A51');
  });

  test('does not show the token, nor have it among its arguments', () => {
    const all = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(all).not.toContain('a token that nobody guesses');
  });
});
