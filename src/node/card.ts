/**
 * The weak card (`cards/weak`): a library in C that takes the place of libibverbs and does at random what a fabric may do.
 * It is built where it is used, since it has to fit the headers that are there.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { constants, homedir, tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources of the card. */
export const CARD_FOLDER = fileURLToPath(new URL('../../cards/weak', import.meta.url));

/** The run time of tests that `remora emit` writes. */
export const RUN_TIME_FOLDER = fileURLToPath(new URL('../../cards/run', import.meta.url));

const FABRIC = /\{\.name = "([\w-]+)"/g;

/** The fabrics that the card can be: names of models without `rdma-`. The card itself says which. */
export const cardFabrics = (): readonly string[] =>
  [...readFileSync(join(CARD_FOLDER, 'settings.c'), 'utf8').matchAll(FABRIC)].map(
    ([, name]) => name,
  );

/** The path of the library, or why there is none. */
export type BuiltCard =
  | { readonly library: string; readonly problem?: undefined }
  | { readonly library?: undefined; readonly problem: string };

const OPTIONS = ['-std=c11', '-D_GNU_SOURCE', '-O2', '-g', '-fPIC', '-shared', '-pthread'];

/**
 * Builds the card with the C compiler `compiler`, unless it was built before, into a folder that is kept for that. `more` are
 * further options for the compiler. It takes some two seconds.
 */
export function buildCard(
  compiler = process.env['CC'] ?? 'cc',
  more: readonly string[] = [],
  cache = cacheFolder(),
): BuiltCard {
  const files = readdirSync(CARD_FOLDER)
    .filter((file) => /\.(?:[ch]|map)$/.test(file))
    .sort();
  const made = createHash('sha256').update([compiler, ...OPTIONS, ...more].join('\n'));
  for (const file of files) made.update(readFileSync(join(CARD_FOLDER, file)));
  const build = made.digest('hex').slice(0, 15);
  const library = join(cache, `weak-card-${build}.so`);
  if (existsSync(library)) return { library };
  try {
    mkdirSync(cache, { recursive: true });
  } catch (error) {
    return { problem: `the folder ${cache} cannot be made: ${(error as Error).message}` };
  }
  // Under a name of its own, since others may build it at the same time.
  const own = `${library}.${process.pid}`;
  const sources = files.filter((file) => file.endsWith('.c'));
  const args = [
    ...OPTIONS,
    ...more,
    `-DREMORA_BUILD=0x${build}`,
    '-Wl,--version-script=verbs.map',
    '-o',
    own,
    ...sources,
  ];
  const run = spawnSync(compiler, args, { cwd: CARD_FOLDER, encoding: 'utf8' });
  const problem = problemOf(compiler, run.error, run.status, run.stderr);
  if (problem !== undefined) {
    rmSync(own, { force: true });
    return { problem };
  }
  renameSync(own, library);
  return { library };
}

function problemOf(
  compiler: string,
  error: Error | undefined,
  status: number | null,
  stderr: string,
): string | undefined {
  if (error !== undefined) {
    return `the weak card is built with a C compiler, and ${compiler} cannot be started; CC names another (Debian: apt-get install gcc libibverbs-dev)`;
  }
  if (status === 0) return undefined;
  if (stderr.includes('infiniband/verbs.h')) {
    return 'the weak card needs the headers of libibverbs (Debian: apt-get install libibverbs-dev)';
  }
  return `${compiler} cannot build the weak card: ${stderr.trim().split('\n')[0]}`;
}

function cacheFolder(): string {
  const given = process.env['XDG_CACHE_HOME'];
  const home = given ?? (homedir() === '' ? undefined : join(homedir(), '.cache'));
  return join(home ?? tmpdir(), 'remora');
}

/** What the card is told. */
export interface CardSettings {
  readonly fabric: string;
  readonly seed: number;
  readonly log?: string;
}

/** The variables of the environment that make a program use the card. */
export function cardEnvironment(
  library: string,
  { fabric, seed, log }: CardSettings,
): Readonly<Record<string, string>> {
  const earlier = process.env['LD_PRELOAD'];
  return {
    LD_PRELOAD: earlier === undefined || earlier === '' ? library : `${library}:${earlier}`,
    REMORA_CARD_FABRIC: fabric,
    REMORA_CARD_SEED: String(seed),
    // Programs of one user meet here; a room of their own is named by the variable.
    REMORA_CARD_ROOM: process.env['REMORA_CARD_ROOM'] ?? commonRoom(library),
    ...(log === undefined ? {} : { REMORA_CARD_LOG: log }),
  };
}

function commonRoom(library: string): string {
  const folder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  return join(folder, `${basename(library, '.so')}-${userInfo().uid}`);
}

/** How a program ended: its exit code, 128 and more after a signal, or why it cannot be started. */
export type Ended = { readonly code: number } | { readonly problem: string };

/** Runs a program with the card in the place of libibverbs. What it reads and writes is that of this process. */
export function runWithCard(
  library: string,
  settings: CardSettings,
  [program, ...args]: readonly string[],
): Promise<Ended> {
  const env = { ...process.env, ...cardEnvironment(library, settings) };
  const child = spawn(program, args, { stdio: 'inherit', env });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, pass);
  return new Promise((resolve) => {
    const end = (ended: Ended): void => {
      for (const signal of signals) process.off(signal, pass);
      resolve(ended);
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      end({
        problem: `${program} cannot be started: ${error.code === 'ENOENT' ? 'no such program' : error.message}`,
      }),
    );
    child.on('exit', (code, signal) =>
      end({ code: code ?? 128 + constants.signals[signal ?? 'SIGTERM'] }),
    );
  });
}
