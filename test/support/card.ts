import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { buildCard } from '../../src/node/card.js';
import { ROOT } from './run.js';

/**
 * Tests with the weak card are skipped where there is no C compiler or no header of libibverbs, and their names say so. With
 * `REMORA_NATIVE=1` both must be there, or these tests fail.
 */
const onPath = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

const isThere = onPath('cc') && existsSync('/usr/include/infiniband/verbs.h');

export const SKIP_CARD = !isThere && process.env['REMORA_NATIVE'] !== '1';

/** To be put in the names of those tests. */
export const CARD = SKIP_CARD
  ? 'the weak card (SKIPPED; Debian: apt-get install gcc libibverbs-dev)'
  : 'the weak card';

/** Builds are kept with what else the package's tools keep. */
export const CARD_CACHE = join(ROOT, 'node_modules/.cache/remora');

/** Builds the card; `more` are options for the compiler. */
export function card(compiler = 'cc', more: readonly string[] = []): string {
  const built = buildCard(compiler, ['-Wall', '-Wextra', '-Werror', ...more], CARD_CACHE);
  if (built.problem !== undefined) throw new Error(built.problem);
  return built.library;
}

/** What sanitizers ask of the compiler, and their libraries, which are loaded before all others. */
export const SANITIZED = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
export const sanitizers = (): readonly string[] =>
  ['libasan.so', 'libubsan.so'].map((name) =>
    spawnSync('gcc', [`-print-file-name=${name}`], { encoding: 'utf8' }).stdout.trim(),
  );

/** Builds a program of verbs from a file of `test/cards`. */
export function compile(file: string): string {
  const program = join(mkdtempSync(join(tmpdir(), 'remora-card-')), 'program');
  const options = ['-std=c11', '-O1', '-g', '-Wall', '-Wextra', '-Werror', '-pthread'];
  const source = join(ROOT, 'test/cards', file);
  const run = spawnSync('cc', [...options, '-o', program, source, '-libverbs'], {
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return program;
}

/** Variables of the environment. */
export type Settings = Readonly<Record<string, string>>;

/** What a program printed with the card in the place of libibverbs. */
export function runWith(
  libraries: string,
  [program, ...args]: readonly string[],
  settings: Settings,
): { readonly stdout: string; readonly stderr: string; readonly status: number | null } {
  const env = { PATH: process.env['PATH'], LD_PRELOAD: libraries, ...settings };
  return spawnSync(program, args, { env, encoding: 'utf8', timeout: 60_000 });
}
