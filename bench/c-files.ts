// Programs in C, as people run them.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandTime } from './commands.js';
import { MODELS, measureEach } from './commands.js';
import { ROOT, range } from './process.js';

const COUNT = 500;

export function measureC(runs: number): readonly CommandTime[] {
  const folder = mkdtempSync(join(tmpdir(), 'remora-bench-c-'));
  try {
    copyFiles(folder);
    return measureEach(
      [
        ['one C file, a function of 150 lines', ['check', 'corpus/c/functions/rc-pingpong.c'], 0.3],
        [
          `${COUNT} C files, those of the corpus again and again, five models`,
          ['test', folder, ...MODELS],
          10,
        ],
      ],
      runs,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Each round has a folder of its own, as files are of one name. */
function copyFiles(folder: string): void {
  const corpus = join(ROOT, 'corpus/c');
  const files = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.c'))
    .sort();
  for (const i of range(COUNT)) {
    const round = `${Math.floor(i / files.length)}`;
    const file = files[i % files.length];
    cpSync(join(corpus, file), join(folder, round, file));
  }
}
