// The playground as static files.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { minify } from 'terser';
import { loadModel, shippedModels } from '../dist/index.js';
import { lessons } from './lessons.js';

/** Analyses and engines that the page never asks for: with them, what it has would be in more and smaller parts. */
const UNUSED = [
  ...['robust', 'local', 'prove', 'distinguish', 'synthesise'].map(
    (name) => `./src/analyses/${name}/*`,
  ),
  './src/explore/explorer.js',
  './src/rdma/machines/explorer.js',
];

/** Builds the playground into a folder. */
export async function buildPlayground(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // One by one: what two of them have in common would be in many small parts.
  for (const name of ['page', 'worker', 'c/c']) await bundle(folder, name);
  for (const file of ['index.html', 'style.css'])
    copyFileSync(join('playground', file), join(folder, file));
  addC(join(folder, 'c'));
  const z3 = addZ3(join(folder, 'z3'));
  addPrograms(folder);
  writeFileSync(join(folder, 'data.json'), JSON.stringify({ ...addModels(folder), z3 }));
}

/** Bundles a module of the playground. What it imports when it is needed is in parts, which are loaded then. */
async function bundle(outdir: string, script: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: { [script]: `playground/${posix.basename(script)}.ts` },
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    external: UNUSED,
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  checkImports(metafile);
  for (const script of Object.keys(metafile.outputs)) await shorten(script);
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
}

/** The C files of the corpus that are not in a folder of their own. */
const C_PROGRAMS = (): readonly string[] => filesIn('corpus/c', /^corpus\/c\/[^/]*\.c$/);

const packing = (bytes: Buffer): Buffer => gzipSync(bytes, { level: 9 });

/** The programs to begin with: engineers' questions first. */
function PROGRAMS(): readonly string[] {
  // The guards of single cells of models, and of the code that makes events, programs of proofs, of another model and of what is below other
  // libraries, and what other folders have, too, are for nobody to begin with.
  const programs = filesIn('corpus', /\.litmus$/).filter(
    (path) =>
      !/^corpus\/(?:(?:cells|columns|corerma|decidability|events)\/|rmw\/T-|libraries\/(?:ack|cq|tso)-)/.test(
        path,
      ),
  );
  const isField = (path: string): boolean => path.startsWith('corpus/field/');
  return [
    ...programs.filter(isField),
    ...C_PROGRAMS(),
    ...programs.filter((path) => !isField(path)),
  ];
}

/** The lessons, their programs and those of the corpus, and a list of all. */
function addPrograms(folder: string): void {
  const all = lessons();
  writeFileSync(join(folder, 'lessons.json'), JSON.stringify(all));
  const taught = all.map(({ name, title, program }) => [`learn/${name}`, title, program] as const);
  const programs = PROGRAMS().map((path) => {
    // What we have computed, the page computes anew.
    const text = readFileSync(path, 'utf8').replaceAll(/^ +computed .*\n/gm, '');
    return [path.slice('corpus/'.length).replace(/\.\w+$/, ''), aboutOf(text), text] as const;
  });
  for (const [name, , text] of [...taught, ...programs]) {
    const path = join(folder, 'programs', `${name}.txt`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const examples = [...taught, ...programs].map(([name, about]) => [name, about]);
  writeFileSync(join(folder, 'examples.json'), JSON.stringify(examples));
}

/** What a program says of itself: its title and its question. */
function aboutOf(text: string): string {
  const [, title = ''] = /^[ *]*(?:\/\* )?RDMA [^\n]*?\s+"([^"]*)"/.exec(text) ?? [];
  const [, question = ''] = /^[ *]*question\s+"([^"]*)"/m.exec(text) ?? [];
  return [title, question].filter((part) => part !== '').join('. ');
}

/** The files of models: those of libraries, and instruction sets, are loaded with what reads programs that need them. */
function addModels(folder: string): object {
  const texts = (files: readonly string[]) =>
    Object.fromEntries(files.map((path) => [path, textOf(path)]));
  // Theorems are asked over many programs, and only they include gb.cat.
  const models = filesIn('models', /\.cat$/).filter(
    (path) => !/^models\/(?:theorems\/|lib\/|gb\.cat$|herd\.cat$|herd\/)/.test(path),
  );
  const parts = {
    libraries: filesIn('models/lib', /\.(cat|impl)$/),
    isas: filesIn('models', /\.isa$/),
    // Only models of the reader's own include files of herd7's library.
    herd: filesIn('models', /^models\/herd(?:\.cat|\/.*\.cat)$/),
  };
  for (const [name, files] of Object.entries(parts))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(texts(files)));
  const asked = shippedModels().filter((name) => loadModel(name).model.ok);
  return {
    models: texts(models),
    asked: [...PREFERRED, ...asked.filter((name) => !PREFERRED.includes(name))],
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

const PREFERRED = ['rdma-tso', 'rdma-ro', 'rdma-manpage', 'sc'];

const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name))
    .filter((path) => ending.test(path))
    .sort();
