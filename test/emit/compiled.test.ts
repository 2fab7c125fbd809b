import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../src/emit/folder.js';
import { RUN_TIME_FOLDER } from '../../src/node/card.js';
import { parseLitmus } from '../../src/node/tests.js';
import { PLAIN_FILES } from '../support/corpus.js';

const RUN_TIME = readdirSync(RUN_TIME_FOLDER).map((name) => ({
  name,
  text: readFileSync(join(RUN_TIME_FOLDER, name), 'utf8'),
}));

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

test.each(['gcc', 'clang'])(
  'what is written for the corpus has no warnings: %s',
  (compiler) => {
    if (!has(compiler)) throw new Error(`${compiler} is needed`);
    const tests = PLAIN_FILES.flatMap(({ file, text }) => {
      const found = parseLitmus(text, file);
      return found.ok ? [found.value] : [];
    });
    const { files, tests: there } = folderOf(tests, RUN_TIME, compiler === 'clang');
    expect(there.length).toBeGreaterThan(400);
    const folder = mkdtempSync(join(tmpdir(), 'remora-emit-'));
    try {
      for (const { name, text } of files) writeFileSync(join(folder, name), text);
      const flags = `CC=${compiler}`;
      const made = spawnSync('make', ['-s', '-j2', flags, 'CFLAGS=-O1 -Wall -Wextra -Werror'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(made.stderr).toBe('');
      expect(made.status).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  600_000,
);
