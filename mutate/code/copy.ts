import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundler.js';
import type { CodeMutant } from './mutant.js';
import { ROOT, mutatedText } from './mutant.js';

/**
 * Calls back with the folder of a temporary copy of Remora as it is built, which has a mutant's mistake
 * in it, or none. The bundles are the copy's own; the rest are links.
 */
export async function withCopy<T>(
  mutant: CodeMutant | undefined,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'remora-mutant-'));
  try {
    const replaced = mutant === undefined ? [] : [[mutant.file, mutatedText(mutant)] as const];
    await bundle(join(folder, 'dist'), new Map(replaced));
    for (const name of ['models', 'node_modules', 'package.json']) {
      symlinkSync(join(ROOT, name), join(folder, name));
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The command of a copy. A copy without one would find nothing wrong with any mutant. */
export function commandIn(folder: string): string {
  const command = join(folder, 'dist', 'cli', 'main.cjs');
  if (!existsSync(command)) throw new Error(`${command} is not there`);
  return command;
}
