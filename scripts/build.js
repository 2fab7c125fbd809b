// Builds `dist`, unless it was built from the present sources already: `npm ci`, `npm run corpus` and `npm test`
// each ask for a build, and one is enough.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, withoutComments } from './bundler.js';

const DIST = 'dist';

/** Tells from which sources `dist` was built. It is written last, so that half a build does not count. */
const STAMP = join(DIST, '.built-from');

const sources = digest(
  ['src', 'models', 'scripts', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
    .flatMap(filesOf)
    .filter((file) => !file.endsWith('.grammar.ts')),
);
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) {
  rmSync(DIST, { recursive: true, force: true });
  await import('./grammars.js');
  const tsc = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'];
  const { status } = spawnSync(process.execPath, tsc, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  await withoutComments(DIST);
  await bundle(DIST);
  await import('./made.js');
  await import('./code.js');
  writeFileSync(STAMP, sources);
}

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true })
    .sort()
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}

/** Contents and names of files, not their times: a checkout changes times, and removing a file changes no other file's time. */
function digest(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
