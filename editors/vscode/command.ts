import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The command line, from the root of the package. */
const MAIN = 'dist/cli/main.cjs';

/**
 * The command line of Remora: what the setting says, or else what is installed in a folder of the workspace or is the
 * folder itself, or else `remora` on the PATH. Nothing is fetched: in the registry, the name is somebody else's to take.
 */
export function commandLine(set: readonly string[], folders: readonly string[]): readonly string[] {
  if (set.length > 0) return set;
  for (const folder of folders) {
    for (const root of [join(folder, 'node_modules/remora'), folder]) {
      if (isRemora(root)) return ['node', join(root, MAIN)];
    }
  }
  return ['remora'];
}

function isRemora(root: string): boolean {
  try {
    const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      name?: string;
    };
    return name === 'remora' && existsSync(join(root, MAIN));
  } catch {
    return false;
  }
}
