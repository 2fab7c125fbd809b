import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL } from '../support/random.js';
import { ROOT, run } from '../support/run.js';

/** The hook of .pre-commit-hooks.yaml, installed from git as pre-commit installs hooks that are in Node. */

let folder: string;
const env = { ...(process.env as Record<string, string>) };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'remora-hook-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

// It builds all once more, as npm ci does in a clone, which takes a minute: by hand.
test.runIf(ALL)(
  'npm installs it from a repository, and it decides a file',
  { timeout: 600_000 },
  async () => {
    const clone = join(folder, 'clone');
    const { stdout: files } = await run('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
      cwd: ROOT,
    });
    for (const file of files.split('\0').filter((name) => name !== '')) {
      mkdirSync(dirname(join(clone, file)), { recursive: true });
      cpSync(join(ROOT, file), join(clone, file));
    }
    for (const words of ['init -q', 'add -A', 'commit -qm all']) {
      const args = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words.split(' ')];
      await run('git', args, { cwd: clone });
    }
    const args = ['install', '-g', '--install-links', '--prefix', folder, `git+file://${clone}`];
    const installed = await run('npm', args, { cwd: folder, env, limit: 600_000 });
    expect(installed.code, installed.stderr).toBe(0);
    const text = 'RDMA own node 1 { x = 0 } thread T on 1 { x := 1 } exists (x = 1)';
    writeFileSync(join(folder, 'own.litmus'), text);
    const hook = ['test', '--bail', 'own.litmus'];
    const { code, stdout } = await run(join(folder, 'bin/remora'), hook, { cwd: folder, env });
    expect(stdout).toContain('1 test, 6 verdicts');
    expect(code).toBe(0);
  },
);
