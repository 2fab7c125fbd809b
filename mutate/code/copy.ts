import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { CodeMutant } from './mutant.js';
import { ROOT, compileMutant } from './mutant.js';

/**
 * Calls back with the folder of a temporary copy of the built Remora, which has a mutant's mistake
 * in it, or none. `dist` is copied, since modules find their neighbours by their own place; the
 * rest are links.
 */
export async function withCopy<T>(
  mutant: CodeMutant | undefined,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'remora-mutant-'));
  try {
    cpSync(join(ROOT, 'dist'), join(folder, 'dist'), {
      recursive: true,
      filter: (path) => extname(path) === '' || path.endsWith('.js'),
    });
    for (const name of ['models', 'node_modules', 'package.json']) {
      symlinkSync(join(ROOT, name), join(folder, name));
    }
    if (mutant !== undefined) {
      for (const { path, text } of compileMutant(mutant)) {
        writeFileSync(join(folder, 'dist', path), text);
      }
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
