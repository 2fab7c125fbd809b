// The steps of the build, in their order. Types are not checked here, and the declarations of the library are not made: tsc does both.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundle, compileModules } from './bundler.js';
import { writeGrammars } from './grammars.js';
import { writePageScripts } from './page-scripts.js';

const DIST = 'dist';

/** Makes `dist` of the sources. */
export async function make(): Promise<void> {
  writeGrammars();
  writePageScripts();
  mkdirSync(DIST, { recursive: true });
  clear();
  copyGrammars();
  await compileModules(DIST);
  await bundle(DIST);
  // These run what was built by now.
  const { writeModels } = await import('./made.js');
  writeModels();
  const { writeCode } = await import('./code.js');
  writeCode();
}

/** The grammar of C is a file of the package, so that those who install it need no compiler. */
function copyGrammars(): void {
  const folder = join(DIST, 'grammars');
  mkdirSync(folder, { recursive: true });
  const require = createRequire(import.meta.url);
  const file = require.resolve('tree-sitter-c/tree-sitter-c.wasm');
  const packed = gzipSync(readFileSync(file), { level: 9 });
  writeFileSync(join(folder, 'tree-sitter-c.wasm.gz'), packed);
}

/** Removes what was made of modules that are gone, and all that is made of many. What tsc has left stays: it knows what it has to do anew. */
function clear(): void {
  for (const folder of ['bundle', 'grammars', 'made'])
    rmSync(join(DIST, folder), { recursive: true, force: true });
  for (const file of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
    const [, module] = /^(.*?)(?:\.d\.ts|\.js|\.js\.map)$/.exec(file) ?? [];
    if (module !== undefined && !existsSync(join('src', `${module}.ts`))) rmSync(join(DIST, file));
  }
}
