// Bundles the command line and the worker, each into the one file that `dist` has for it: to load hundreds
// of modules takes longer than to decide most tests. The rest of `dist` is the library, as tsc leaves it.
import { chmodSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'src');

/**
 * The modules that are started, and the bundles that they become. Some modules find the package's files relative to
 * themselves. So a bundle lies as deep in the folders as they do.
 */
const STARTED = { 'cli/main.ts': 'cli/main', 'node/worker.ts': 'node/worker' };

/** Packages that stay outside of the bundles, because they are too large to be in each of them. */
const PACKAGES = ['z3-solver', 'fast-check', '@resvg/resvg-wasm'];

/** CommonJS packages call `require` for parts of Node. A module has no `require` unless it makes one. */
const BANNER = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`;

/**
 * Writes the bundles into a folder.
 *
 * @param replaced JavaScript to take instead of the code of some modules, by their paths from the root
 */
export async function bundle(dist, replaced = new Map()) {
  const left = new Set(replaced.keys());
  // Bundling adds the parts that it comes across.
  const all = new Map(Object.entries(STARTED));
  for (const [file, out] of all) {
    await build({
      absWorkingDir: ROOT,
      entryPoints: [{ in: join(SOURCES, file), out }],
      outdir: dist,
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      external: PACKAGES,
      plugins: [parts(all), replacing(replaced, left)],
      banner: { js: BANNER },
    });
  }
  if (left.size > 0) throw new Error(`not in the bundles: ${[...left].join(', ')}`);
  chmodSync(join(dist, `${STARTED['cli/main.ts']}.js`), 0o755);
}

/** A module that is imported with `import()` becomes a bundle of its own, so that it is read only when it is needed. */
const parts = (all) => ({
  name: 'parts',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = pathFrom(SOURCES, join(resolveDir, path)).replace(/\.js$/, '.ts');
      const out = `parts/${file.replaceAll('/', '-').replace(/\.ts$/, '')}`;
      all.set(file, out);
      return { path: `../${out}.js`, external: true };
    });
  },
});

/** Gives modules another code; what was given is taken out of `left`. */
const replacing = (replaced, left) => ({
  name: 'replacing',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = pathFrom(ROOT, path);
      left.delete(file);
      return replaced.has(file) ? { contents: replaced.get(file), loader: 'js' } : undefined;
    });
  },
});

const pathFrom = (folder, path) => relative(folder, path).replaceAll(sep, '/');
