import { spawnSync } from 'node:child_process';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = join(ROOT, 'src') + sep;
const BUILT = join(ROOT, 'dist') + sep;

/** Modules of the build: Node loads them itself. */
export const BUILT_MODULES = new RegExp(`^${BUILT.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);

/**
 * Tests that import a module of `src` get what `dist` has of it. Vite would translate a thousand modules anew for each run, and
 * turn each use of an import into a call: that costs a sixth of the processor time of all tests. What fails is shown with
 * its place in `src`, by the source maps of the build.
 */
export const builtModules: Plugin = {
  name: 'built-modules',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return undefined;
    const path = join(dirname(importer), source);
    return path.startsWith(SOURCES) && path.endsWith('.js')
      ? join(BUILT, path.slice(SOURCES.length))
      : undefined;
  },
};

/** Builds before the first test, if a source has changed since the last build. */
export default function build(): void {
  const { status } = spawnSync(process.execPath, ['scripts/build.js'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the build fails');
}
