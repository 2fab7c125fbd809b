import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAIN, ROOT, STACK_TRACE, remora, remoraProcess } from '../support/run.js';

let folder = '';
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-watch-'));
  mkdirSync(at('tests'));
  writeFileSync(at('tests/sb.litmus'), SB);
  writeFileSync(at('tests/mp.litmus'), MP);
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const at = (name: string): string => join(folder, name);

const SB = `RDMA SB
node 1 { x = 0; y = 0 }
thread T1 on 1 { x := 1; a := y }
thread T2 on 1 { y := 1; b := x }
exists (a = 0 /\\ b = 0)
  computed forbidden under sc
`;
const MP = `RDMA MP
node 1 { x = 0; y = 0 }
thread T1 on 1 { x := 1; y := 1 }
thread T2 on 1 { a := y; b := x }
exists (a = 1 /\\ b = 0)
`;
const WAITING = 'watching for changes; Ctrl-C ends it\n';

interface Watch {
  /** What it prints, both outputs, until it waits for changes again. */
  round(): Promise<string>;
  /** Has it said nothing since the last round? */
  silent(): boolean;
  /** Sends Ctrl-C; gives the exit code. */
  end(): Promise<number | null>;
}

function start(...args: string[]): Watch {
  // One pipe for both outputs, which keeps their order.
  const command = [process.execPath, MAIN, ...args, '--watch', '--jobs', '1'];
  const running = spawn('bash', ['-c', 'exec "$@" 2>&1', '-', ...command], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
  child = running;
  let printed = '';
  running.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const exited = new Promise<number | null>((resolve) => running.on('exit', resolve));
  return {
    async round() {
      const started = performance.now();
      while (!printed.includes(WAITING)) {
        if (performance.now() - started > 30_000) throw new Error(`no report: ${printed}`);
        await sleep(20);
      }
      const end = printed.indexOf(WAITING) + WAITING.length;
      const text = printed.slice(0, end);
      printed = printed.slice(end);
      expect(text).not.toMatch(STACK_TRACE);
      return text;
    },
    silent: () => printed === '',
    async end() {
      running.kill('SIGINT');
      return exited;
    },
  };
}

/** The names of the tests in a table, and the models of its columns. */
function tableOf(text: string): { tests: readonly string[]; models: string } {
  const models = /^test +outcome +(.*?) +seen$/m.exec(text)?.[1] ?? '';
  return { tests: [...text.matchAll(/^(SB|MP|NEW) /gm)].map(([, name]) => name), models };
}

test('a test that changes is decided again, however it is written, and the counts are of all', async () => {
  const watch = start('test', 'tests', '-m', 'sc,rdma-tso');
  const first = await watch.round();
  expect(tableOf(first).tests).toEqual(['MP', 'SB']);
  expect(first).toMatch(/^2 tests, 4 verdicts, .* 0 failed/m);

  // As an editor does: another file takes the place of the old one.
  writeFileSync(at('tests/.sb.swp'), SB.replace('forbidden under sc', 'allowed under sc'));
  renameSync(at('tests/.sb.swp'), at('tests/sb.litmus'));
  const second = await watch.round();
  expect(second).toMatch(/^changed: tests\/sb\.litmus\n/m);
  expect(tableOf(second).tests).toEqual(['SB']);
  expect(second).toMatch(/^tests\/sb\.litmus: exists .* under sc: forbidden, expected allowed$/m);
  expect(second).toMatch(/^2 tests, 4 verdicts, .* 1 failed/m);

  // The file is changed in place. Then the same text is written once more, which leaves nothing to decide.
  writeFileSync(at('tests/sb.litmus'), SB);
  const third = await watch.round();
  expect(third).toMatch(/^2 tests, 4 verdicts, .* 0 failed/m);
  writeFileSync(at('tests/sb.litmus'), SB);
  await sleep(500);
  expect(watch.silent()).toBe(true);

  expect(await watch.end()).toBe(130);
}, 120_000);

test('a model that changes, by what it includes, is asked again: its column', async () => {
  writeFileSync(at('mine.cat'), '"mine"\ninclude "rdma-tso-base.cat"\ninclude "axioms.cat"\n');
  writeFileSync(at('axioms.cat'), 'acyclic po | rf | rb | mo as order\n');
  const watch = start('test', 'tests', '-m', 'sc,./mine.cat');
  expect(tableOf(await watch.round()).models).toMatch(/^sc +mine$/);
  writeFileSync(at('axioms.cat'), 'acyclic rf | rb | mo as order\n');
  const second = await watch.round();
  expect(second).toMatch(/^changed: mine$/m);
  expect(tableOf(second)).toEqual({ tests: ['MP', 'SB'], models: 'mine' });
  expect(second).toMatch(/^2 tests, 4 verdicts/m);

  // The file that it includes is removed, and comes back.
  rmSync(at('axioms.cat'));
  expect(await watch.round()).toMatch(/^\.\/mine\.cat:3:9: no file 'axioms\.cat'/m);
  writeFileSync(at('axioms.cat'), 'acyclic rf as order\n');
  expect(tableOf(await watch.round()).models).toBe('mine');
  expect(await watch.end()).toBe(130);
}, 120_000);

test('a client is decided again when a file of its libraries changes', async () => {
  const own = readFileSync(join(ROOT, 'models/lib/rbl.cat'), 'utf8');
  cpSync(join(ROOT, 'test/files/clients/fig13.litmus'), at('tests/fig13.litmus'));
  writeFileSync(at('tests/rbl.cat'), own);
  const watch = start('check', 'tests', '-m', 'sc');
  expect(await watch.round()).toMatch(/^Fig13 with rbl, sv\n.*\n {4}forbidden; as published$/m);
  writeFileSync(at('tests/rbl.cat'), own.replace('rf | fb', 'rf'));
  const second = await watch.round();
  expect(second).toMatch(/^changed: tests\/rbl\.cat$/m);
  expect(second).toMatch(/^Fig13 with rbl, sv\n.*\n {4}allowed: .*; published: forbidden$/m);
  expect(second).not.toContain('MP under sc');
  expect(await watch.end()).toBe(130);
}, 120_000);

test('what breaks is reported, and the watch goes on; new and lost files count', async () => {
  const watch = start('check', 'tests', '-m', 'sc');
  await watch.round();
  appendFileSync(at('tests/mp.litmus'), 'exists (c = 1)\n');
  const broken = await watch.round();
  expect(broken).toMatch(/^tests\/mp\.litmus:6:9: unknown location or register 'c'\n6 \| exists/m);
  expect(broken).not.toContain('SB under sc');

  writeFileSync(at('tests/mp.litmus'), MP.replace('b = 0', 'b = 1'));
  expect(await watch.round()).toMatch(/^MP under sc\n {2}exists \(a = 1 \/\\ b = 1\)\n/m);

  mkdirSync(at('tests/more'));
  writeFileSync(at('tests/more/new.litmus'), SB.replace('RDMA SB', 'RDMA NEW'));
  expect(await watch.round()).toMatch(/^NEW under sc\n/m);

  // In a folder that was not there before, too.
  writeFileSync(at('tests/more/new.litmus'), MP.replace('RDMA MP', 'RDMA NEWER'));
  expect(await watch.round()).toMatch(/^NEWER under sc\n/m);

  rmSync(at('tests/more'), { recursive: true });
  expect(await watch.round()).toMatch(/^changed: tests\/more\/new\.litmus\n/m);
  rmSync(at('tests'), { recursive: true });
  expect(await watch.round()).toMatch(/^tests: no (such|\.litmus) file/m);
  mkdirSync(at('tests'));
  writeFileSync(at('tests/back.litmus'), SB);
  expect(await watch.round()).toMatch(/^(SB|changed: .*)\b/m);
  expect(await watch.end()).toBe(130);
}, 120_000);

test('a file behind a link is watched where it is', async () => {
  mkdirSync(at('elsewhere'));
  renameSync(at('tests/sb.litmus'), at('elsewhere/sb.litmus'));
  symlinkSync('../elsewhere/sb.litmus', at('tests/sb.litmus'));
  const watch = start('check', 'tests/sb.litmus', '--quiet', '-m', 'sc');
  await watch.round();
  writeFileSync(at('elsewhere/sb.litmus'), SB.replace('forbidden', 'allowed'));
  expect(await watch.round()).toContain('the file expects allowed');
  expect(await watch.end()).toBe(130);
}, 120_000);

test('Ctrl-C ends it while it decides, too', async () => {
  const { code, stderr } = await remoraProcess(['check', 'test/files/long', '--watch'], {
    signal: { name: 'SIGINT', after: 3000 },
  });
  expect([code, stderr]).toEqual([130, '']);
});

test('where there is nothing to decide, it ends', async () => {
  const { code, stderr } = await remora(['test', 'nosuch', '--watch'], { cwd: folder });
  expect([code, stderr]).toEqual([2, 'nosuch: no such file or folder\n']);
});

test('the first C file may come later', async () => {
  rmSync(at('tests/sb.litmus'));
  const watch = start('check', 'tests');
  await watch.round();
  cpSync(join(ROOT, 'corpus/c/read-then-use.c'), at('tests/read.c'));
  const text = await watch.round();
  expect(text).toMatch(/^changed: tests\/read\.c\nread-then-use under rdma-tso\n/m);
  expect(text).toContain('allowed: seen = 5');
  expect(await watch.end()).toBe(130);
}, 60_000);
