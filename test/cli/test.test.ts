import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT, remora } from '../support/run.js';

test('the corpus that comes with Remora is not read for want of another', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'remora-shipped-'));
  for (const args of [['test'], ['test', '--watch'], ['compare', 'sc', 'rdma-tso']]) {
    const { code, stdout, stderr } = await remora(args, { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain("there is no folder 'corpus' here: name files or folders; --shipped");
  }
  const both = await remora(['test', '--shipped', 'x'], { cwd });
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('takes no paths')]);
  rmSync(cwd, { recursive: true });
});

describe('help', () => {
  test('names commands, options and models; the version is the package’s', async () => {
    const [all, check, version] = [
      await remora(['--help']),
      await remora(['help', 'check']),
      await remora(['-V']),
    ];
    for (const word of ['check', 'test', 'compare', 'outcomes', 'rdma-tso-nopcie']) {
      expect(all.stdout).toContain(word);
    }
    for (const word of ['--bound', '--time-limit', '--jobs', '--json', '--model', '--herd']) {
      expect(check.stdout).toContain(word);
    }
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(version.stdout).toBe(`${manifest.version}\n`);
    expect([all.code, check.code, version.code]).toEqual([0, 0, 0]);
  });

  test('docs/cli.md has every option of every command', async () => {
    const text = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
    for (const command of ['check', 'test', 'compare', 'outcomes']) {
      const { stdout } = await remora([command, '--help']);
      const options = stdout.match(/--[a-z-]+/g) ?? [];
      expect(options.filter((option) => !text.includes(`\`${option}`))).toEqual([]);
    }
  });
});
