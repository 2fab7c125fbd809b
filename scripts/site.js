// Builds the site: static files, for any host. `--open` shows it on this machine.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import sirv from 'sirv';
import { loadModel, shippedModels } from '../dist/index.js';
import { writeFieldPage } from './field.js';

/** Analyses that the page never asks for. The worker is one file, which must be small. */
const UNUSED = ['robust', 'local', 'prove'].map((name) => `./src/analyses/${name}/*`);

/** Builds the playground into a folder. */
export async function buildPlayground(folder) {
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: { page: 'playground/page.ts', worker: 'playground/worker.ts' },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    external: UNUSED,
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const file of ['index.html', 'style.css'])
    copyFileSync(join('playground', file), join(folder, file));
  const z3 = addZ3(join(folder, 'z3'));
  writeFileSync(join(folder, 'data.json'), JSON.stringify({ ...data(), z3 }));
}

/** The two files of Z3, which the page loads when it is told to. Gives the bytes that this takes. */
function addZ3(folder) {
  mkdirSync(folder, { recursive: true });
  const require = createRequire(import.meta.url);
  const script = require.resolve('z3-solver/build/z3-built.js');
  copyFileSync(script, join(folder, 'z3-built.js'));
  const packed = packing(readFileSync(require.resolve('z3-solver/build/z3-built.wasm')));
  writeFileSync(join(folder, 'z3-built.wasm.packed'), packed);
  return packed.length + packing(readFileSync(script)).length;
}

const packing = (bytes) => gzipSync(bytes, { level: 9 });

/** Model files, and programs to begin with. */
function data() {
  const models = Object.fromEntries(
    filesIn('models', /\.(cat|impl)$/).map((path) => [path, readFileSync(path, 'utf8')]),
  );
  const asked = shippedModels().filter((name) => loadModel(name).model.ok);
  // The guards of single cells of models, and of the code that makes events, are for nobody to begin with.
  const texts = filesIn('corpus', /\.litmus$/).filter(
    (path) => !/^corpus\/(cells|events)\//.test(path),
  );
  const programs = texts.map((path) => ({
    folder: posix.dirname(path).slice('corpus/'.length),
    name: posix.basename(path, '.litmus'),
    text: readFileSync(path, 'utf8'),
  }));
  const rank = ({ folder }) => (folder === 'field' ? 0 : 1);
  programs.sort((a, b) => rank(a) - rank(b));
  return {
    models,
    asked: [...PREFERRED, ...asked.filter((name) => !PREFERRED.includes(name))],
    programs,
  };
}

const PREFERRED = ['rdma-tso', 'rdma-tso-nopcie', 'rdma-sc', 'rdma-wait', 'sc'];

const filesIn = (folder, ending) =>
  readdirSync(folder, { recursive: true })
    .map((name) => posix.join(folder, name))
    .filter((path) => ending.test(path))
    .sort();

/** Runs a command of this repository; its failure is ours. */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** The names of this machine. A page elsewhere that has its own name lead here is told nothing. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Serves a folder as it is now, on this machine, and to nobody else. Pages are isolated, as hosts should have them. */
export function serve(folder, port = 0) {
  const files = sirv(folder, {
    setHeaders(response) {
      response.setHeader('cross-origin-opener-policy', 'same-origin');
      response.setHeader('cross-origin-embedder-policy', 'require-corp');
    },
  });
  const server = createServer((request, response) => {
    if (!LOOPBACK.test(request.headers.host ?? '')) {
      response.writeHead(403).end('This is served under the names of this machine alone.');
      return;
    }
    files(request, response, () => response.writeHead(404).end('There is no such page.'));
  });
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', () =>
      done({ server, address: `http://127.0.0.1:${server.address().port}/` }),
    );
  });
}

if (process.argv[1]?.endsWith('site.js')) {
  const SITE = 'site';
  const { values } = parseArgs({
    options: { open: { type: 'boolean' }, base: { type: 'string', default: '/' } },
  });
  const place = ['--outDir', SITE, '--base', values.base];
  // It is at docs/field.md on the site, and nowhere in the repository.
  writeFieldPage('website/made');
  run('node_modules/vitepress/bin/vitepress.js', 'build', 'website', ...place);
  await buildPlayground(join(SITE, 'play'));
  run('dist/cli/main.js', 'report', 'corpus', '--out', join(SITE, 'report'));
  if (values.open) {
    // Where something else has the port, any other does.
    const { address } = await serve(SITE, 8080).catch(() => serve(SITE));
    console.log(`${address}play/ is the playground; Ctrl-C ends this`);
  }
}
