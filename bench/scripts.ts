// The scripts whose processes are measured: those of this folder that end with `-run`. They are compiled before, so that what compiles takes
// no time and no memory of what is measured.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { build } from 'esbuild';

const FOLDER = dirname(fileURLToPath(import.meta.url));
const COMPILED = join(FOLDER, '../node_modules/.cache/bench');

/** Where a script is when it is compiled. */
export const scriptOf = (name: string): string => join(COMPILED, `${name}.js`);

/** Compiles all scripts, each into one file. What is built, and packages, stay where they are. */
export async function compileScripts(): Promise<void> {
  const scripts = readdirSync(FOLDER).filter((file) => file.endsWith('-run.ts'));
  await build({
    entryPoints: scripts.map((file) => join(FOLDER, file)),
    outdir: COMPILED,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    packages: 'external',
    plugins: [built],
    // All that is compiled lies as deep in the folders as this file does, and finds others from there.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
  });
}

const built: Plugin = {
  name: 'built',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/dist\// }, ({ path, resolveDir }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true,
    }));
  },
};
