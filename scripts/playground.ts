// The playground as static files.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { minify } from 'terser';
import { loadModel, shippedModels } from '../dist/index.js';

/** Analyses and engines that the page never asks for. The worker is one file, which must be small. */
const UNUSED = [
  ...['robust', 'local', 'prove', 'distinguish', 'synthesise'].map(
    (name) => `./src/analyses/${name}/*`,
  ),
  './src/explore/explorer.js',
  './src/rdma/machines/explorer.js',
];

/** Builds the playground into a folder. */
export async function buildPlayground(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: {
      page: 'playground/page.ts',
      worker: 'playground/worker.ts',
      'c/c': 'playground/c.ts',
    },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    external: UNUSED,
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  checkImports(metafile);
  for (const script of Object.keys(metafile.outputs)) await shorten(script);
  for (const file of ['index.html', 'style.css'])
    copyFileSync(join('playground', file), join(folder, file));
  addC(join(folder, 'c'));
  const z3 = addZ3(join(folder, 'z3'));
  writeFileSync(join(folder, 'data.json'), JSON.stringify({ ...data(), z3 }));
}

/** Makes a script smaller than esbuild alone does: by some 5 %, as hosts send it, and in some ten seconds. */
async function shorten(script: string): Promise<void> {
  const options = { module: true, ecma: 2020, compress: { passes: 2 } } as const;
  const { code } = await minify(readFileSync(script, 'utf8'), options);
  writeFileSync(script, code!);
}

/** What is left out must be loaded only when it is asked for: a script that needs it to begin with ends before it says anything. */
function checkImports({ outputs }: Metafile): void {
  for (const [script, { imports }] of Object.entries(outputs)) {
    const missing = imports.filter((one) => one.external && one.kind !== 'dynamic-import');
    if (missing.length > 0)
      throw Error(
        `${script} needs ${missing.map(({ path }) => path).join(', ')}, which is left out`,
      );
  }
}

/** The two files of Z3, which the page loads when it is told to. Gives the bytes that this takes. */
function addZ3(folder: string): number {
  mkdirSync(folder, { recursive: true });
  const require = createRequire(import.meta.url);
  const script = require.resolve('z3-solver/build/z3-built.js');
  copyFileSync(script, join(folder, 'z3-built.js'));
  const packed = packing(readFileSync(require.resolve('z3-solver/build/z3-built.wasm')));
  writeFileSync(join(folder, 'z3-built.wasm.packed'), packed);
  return packed.length + packing(readFileSync(script)).length;
}

/** What C needs besides its script, and programs in C: the page loads it when a program is C. */
function addC(folder: string): void {
  const require = createRequire(import.meta.url);
  const parser = readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
  writeFileSync(join(folder, 'tree-sitter.wasm.packed'), packing(parser));
  copyFileSync('dist/grammars/tree-sitter-c.wasm.gz', join(folder, 'grammar.wasm.packed'));
  const tables = filesIn('models/api', /\.api$/).map((path) => [
    posix.basename(path, '.api'),
    readFileSync(path, 'utf8'),
  ]);
  writeFileSync(join(folder, 'interfaces.json'), JSON.stringify(Object.fromEntries(tables)));
  mkdirSync(join(folder, 'c'), { recursive: true });
  for (const path of C_PROGRAMS())
    writeFileSync(join(folder, 'c', posix.basename(path)), withoutComputed(path));
}

/** The C files of the corpus that are not in a folder of their own. */
const C_PROGRAMS = (): readonly string[] => filesIn('corpus/c', /^corpus\/c\/[^/]*\.c$/);

/** What we have computed, the page computes anew. */
const withoutComputed = (path: string): string =>
  readFileSync(path, 'utf8').replaceAll(/^ +computed .*\n/gm, '');

const packing = (bytes: Buffer): Buffer => gzipSync(bytes, { level: 9 });

/** Model files, and programs to begin with. */
function data(): object {
  // Theorems are asked over many programs, and only they include gb.cat.
  const files = filesIn('models', /\.(cat|impl|isa)$/).filter(
    (path) => !/^models\/(?:theorems\/|gb\.cat$)/.test(path),
  );
  const models = Object.fromEntries(files.map((path) => [path, textOf(path)]));
  const asked = shippedModels().filter((name) => loadModel(name).model.ok);
  // The guards of single cells of models, and of the code that makes events, programs of proofs, of another model and of what is below other
  // libraries, and what other folders have, too, are for nobody to begin with.
  const texts = filesIn('corpus', /\.litmus$/).filter(
    (path) =>
      !/^corpus\/(?:(?:cells|columns|corerma|decidability|events)\/|rmw\/T-|libraries\/(?:ack|cq|tso)-)/.test(
        path,
      ),
  );
  const programs = texts.map((path) => ({
    folder: posix.dirname(path).slice('corpus/'.length),
    name: posix.basename(path, '.litmus'),
    text: withoutComputed(path),
  }));
  const inC = C_PROGRAMS().map((path) => ({ folder: 'c', name: posix.basename(path, '.c') }));
  const isField = ({ folder }: { readonly folder: string }): boolean => folder === 'field';
  return {
    models,
    asked: [...PREFERRED, ...asked.filter((name) => !PREFERRED.includes(name))],
    programs: [...programs.filter(isField), ...inC, ...programs.filter((one) => !isField(one))],
  };
}

/**
 * A file of the models, as far as the page needs it. Implementations have only their names, as it never refines; what models include has
 * no comments but the words for relations.
 */
function textOf(path: string): string {
  if (path.endsWith('.impl')) return '';
  const text = readFileSync(path, 'utf8');
  if (shippedModels().includes(posix.basename(path, '.cat'))) return text;
  return text.replaceAll(/\(\*(?!\*)[^]*?\*\)\n?/g, '');
}

const PREFERRED = ['rdma-tso', 'rdma-tso-nopcie', 'rdma-sc', 'rdma-wait', 'sc'];

const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name))
    .filter((path) => ending.test(path))
    .sort();
