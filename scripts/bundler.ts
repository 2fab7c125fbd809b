// Bundles the command line and the worker into one script, because to load hundreds of modules takes longer than
// to decide most tests. The rest of `dist` is the library, module by module.
import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { build } from 'esbuild';
import { STAMP } from '../src/node/kept-code.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The command line. */
const COMMANDS = 'cli/main';

/** What a process starts: each of these modules has a file in its place in `dist` that starts it in the bundle. */
const WORKER = 'node/worker';
const STARTED = [COMMANDS, WORKER];

/** A command as a function: in the bundle for those who run many commands in one process. */
const CALLED = 'cli/call';

/** The bundle. Some modules find the package's files relative to themselves. So it lies as deep in the folders as they do. */
const BUNDLE = 'bundle/remora.cjs';

/** Packages that stay outside: they are large, and few commands need them. */
const PACKAGES = [
  ...['z3-solver', 'fast-check', '@resvg/resvg-wasm'],
  ...['vscode-languageserver', 'vscode-languageserver-textdocument'],
  ...['bullmq', 'ioredis', 'web-tree-sitter', '@humanwhocodes/momoa'],
];

const OPTIONS: BuildOptions = {
  absWorkingDir: ROOT,
  platform: 'node',
  target: 'node20.19',
};

const BUNDLED: BuildOptions = { ...OPTIONS, bundle: true, minify: true };

/**
 * Writes the bundle, and the files that start it, into a folder.
 *
 * @param replaced TypeScript to take instead of the code of some modules, by their paths from the root
 */
export async function bundle(
  dist: string,
  replaced: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const left = new Set(replaced.keys());
  await buildBundle(join(dist, BUNDLE), replacing(replaced, left));
  if (left.size > 0) throw new Error(`not in the bundle: ${[...left].join(', ')}`);
  await buildStart(dist, COMMANDS, {
    // Node starts a script in less time than a module.
    format: 'cjs',
    define: { 'import.meta.url': 'url' },
    banner: {
      js: `#!/usr/bin/env node\nconst url = require('node:url').pathToFileURL(__filename);`,
    },
  });
  chmodSync(join(dist, `${COMMANDS}.cjs`), 0o755);
  await buildStart(dist, WORKER, { format: 'esm' });
}

/** Scripts that run in pages. They are in the texts of modules, and no modules. */
const OF_PAGES = 'report/site/browser';

/** Compiles each module of the library into its place in a folder, as small as it can be: what is for people is in the types. */
export async function compileModules(dist: string): Promise<void> {
  const modules = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.split(sep).join('/').startsWith(OF_PAGES),
  );
  await build({
    ...OPTIONS,
    entryPoints: modules.map((file) => join('src', file)),
    outbase: 'src',
    outdir: dist,
    format: 'esm',
    minify: true,
    // For tests, which run these modules. The package has none.
    ...(process.env['REMORA_MAPS'] !== 'no' && { sourcemap: 'linked' }),
  });
}

/**
 * A script that is one function, as `src/node/bundle.ts` calls it: V8 takes what it compiled before of scripts
 * alone. What is imported with `import()` is in it, too, and runs when it is first imported.
 */
async function buildBundle(outfile: string, plugin: Plugin): Promise<void> {
  await build({
    ...BUNDLED,
    stdin: {
      contents: `module.exports = {${[...STARTED, CALLED].map(importing)}}`,
      resolveDir: ROOT,
    },
    outfile,
    format: 'cjs',
    external: PACKAGES,
    define: { 'import.meta.url': 'url', 'import.meta.leaveCode': 'leaveCode' },
    banner: { js: '(function (require, url, leaveCode) { const module = {};' },
    footer: { js: 'return module.exports; })' },
    plugins: [plugin],
  });
  const text = readFileSync(outfile, 'utf8').replace(/[^\0-\x7f]/g, escaped);
  const digest = createHash('sha256').update(text).digest('hex');
  writeFileSync(outfile, `/*${digest}*/`.padEnd(STAMP) + text);
}

/** What is not ASCII is in texts, in templates and regular expressions, by now: the same escape is right in all. */
const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

const importing = (name: string): string => `'${name}': () => import('./src/${name}.ts')`;

const buildStart = (dist: string, name: string, options: BuildOptions) =>
  build({
    ...BUNDLED,
    ...options,
    stdin: { contents: starting(name), resolveDir: ROOT },
    outfile: join(dist, `${name}.${options.format === 'cjs' ? 'cjs' : 'js'}`),
  });

/** The URL of something in `dist`, as a script in `dist` finds it that stands for a module. */
const urlFrom = (module: string, path: string): string =>
  `new URL('${'../'.repeat(module.split('/').length - 1)}${path}', import.meta.url)`;

const starting = (module: string): string => `
  import { start } from './src/node/bundle.ts';
  start(${urlFrom(module, BUNDLE)}, '${module}');`;

/** Gives modules another code; what was given is taken out of `left`. */
export const replacing = (
  replaced: ReadonlyMap<string, string>,
  left = new Set<string>(),
): Plugin => ({
  name: 'replacing',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(ROOT, path).replaceAll(sep, '/');
      left.delete(file);
      const contents = replaced.get(file);
      return contents === undefined ? undefined : { contents, loader: 'ts' };
    });
  },
});
