// Builds `dist`, unless it was built from the present sources already: `npm ci`, `npm run corpus` and `npm test`
// each ask for a build, and one is enough. It is JavaScript, which starts at once: mostly there is nothing to do.
// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Tells from which sources `dist` was built. It is written last, so that half a build does not count. */
const STAMP = join('dist', '.built-from');

const sources = digest(
  ['src', 'models', 'scripts', 'package-lock.json', 'tsconfig.base.json']
    .flatMap(filesOf)
    .filter((file) => !/\.(grammar|bundle)\.ts$/.test(file)),
  process.env['REMORA_MAPS'],
);
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) {
  rmSync(STAMP, { force: true });
  const { register } = await import('tsx/esm/api');
  register();
  const { make } = await import('./make.js');
  await make();
  writeFileSync(STAMP, sources);
}

/**
 * All files at a path.
 *
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}

/**
 * Contents and names of files, not their times: a checkout changes times, and removing a file changes no other file's time.
 *
 * @param {readonly string[]} files
 * @param {string | undefined} maps whether source maps are made, too
 */
function digest(files, maps = '') {
  const hash = createHash('sha256').update(maps);
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
