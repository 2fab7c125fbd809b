// Bundles the command line and the worker into one script, because to load hundreds of modules takes longer than
// to decide most tests. The rest of `dist` is the library, as tsc leaves it.
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The command line. */
const COMMANDS = 'cli/main';

/** What a process starts: each module has a file in its place in `dist` that starts it in the bundle. */
const STARTED = [COMMANDS, 'node/worker'];

/** A command as a function: in the bundle for those who run many commands in one process. */
const CALLED = 'cli/call';

/** The bundle. Some modules find the package's files relative to themselves. So it lies as deep in the folders as they do. */
const BUNDLE = 'bundle/remora.cjs';

/** Packages that stay outside: they are large, and few commands need them. */
const PACKAGES = [
  ...['z3-solver', 'fast-check', '@resvg/resvg-wasm'],
  ...['vscode-languageserver', 'vscode-languageserver-textdocument'],
  ...['bullmq', 'ioredis'],
];

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20.19',
};

/**
 * Writes the bundle, and the files that start it, into a folder.
 *
 * @param replaced JavaScript to take instead of the code of some modules, by their paths from the root
 */
export async function bundle(dist, replaced = new Map()) {
  const left = new Set(replaced.keys());
  await buildBundle(join(dist, BUNDLE), replacing(replaced, left));
  if (left.size > 0) throw new Error(`not in the bundle: ${[...left].join(', ')}`);
  for (const name of STARTED) {
    const banner = name === COMMANDS ? '#!/usr/bin/env node' : '';
    await buildScript(join(dist, `${name}.js`), starting(name), banner);
  }
  chmodSync(join(dist, `${COMMANDS}.js`), 0o755);
}

/**
 * Takes comments and indentation out of the modules that tsc has left: they are in the sources, and comments for users in the types.
 * This is an eighth of the package.
 */
export async function withoutComments(dist) {
  const modules = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('.js'));
  for (const file of modules) {
    const path = join(dist, file);
    const options = { target: OPTIONS.target, minifyWhitespace: true };
    const { code } = await transform(readFileSync(path, 'utf8'), options);
    writeFileSync(path, code);
  }
}

/**
 * A script that is one function, as `src/node/bundle.ts` calls it: V8 takes what it compiled before of scripts
 * alone. What is imported with `import()` is in it, too, and runs when it is first imported.
 */
const buildBundle = (outfile, plugin) =>
  build({
    ...OPTIONS,
    stdin: {
      contents: `module.exports = {${[...STARTED, CALLED].map(importing)}}`,
      resolveDir: ROOT,
    },
    outfile,
    format: 'cjs',
    external: PACKAGES,
    define: { 'import.meta.url': 'url' },
    banner: { js: '(function (require, url) { const module = {};' },
    footer: { js: 'return module.exports; })' },
    plugins: [plugin],
  });

const importing = (name) => `'${name}': () => import('./src/${name}.ts')`;

const buildScript = (outfile, contents, banner) =>
  build({
    ...OPTIONS,
    stdin: { contents, resolveDir: ROOT },
    outfile,
    format: 'esm',
    banner: { js: banner },
  });

/** The URL of something in `dist`, as a script in `dist` finds it that stands for a module. */
const urlFrom = (module, path) =>
  `new URL('${'../'.repeat(module.split('/').length - 1)}${path}', import.meta.url)`;

const starting = (module) => `
  import { start } from './src/node/bundle.ts';
  start(${urlFrom(module, BUNDLE)}, '${module}');`;

/** Gives modules another code; what was given is taken out of `left`. */
const replacing = (replaced, left) => ({
  name: 'replacing',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(ROOT, path).replaceAll(sep, '/');
      left.delete(file);
      return replaced.has(file) ? { contents: replaced.get(file), loader: 'js' } : undefined;
    });
  },
});
