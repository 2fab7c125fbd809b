import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { CodeFile, KeptCode } from './kept-code.js';
import { builtFile, keepForUser, keptCode, ownFile } from './kept-code.js';

/** What the bundle is: a function that gives the modules that can be started, by their names. */
type Bundle = (
  require: (name: string) => unknown,
  /** Its own URL: modules find the package's files by it. */
  url: string,
  /** To be called before flags of V8 change (see `flags.ts`). */
  leaveCode: () => void,
) => Readonly<Record<string, () => unknown>>;

/** Where a command starts: its process is the one that keeps code. */
const COMMANDS = 'cli/main';

/** Node's own modules that take milliseconds to load, and that short runs do without. */
const LATE = new Set(
  ['child_process', 'crypto', 'os', 'v8', 'worker_threads', 'zlib'].map((name) => `node:${name}`),
);

/** Milliseconds after which a user's code is made anew: it gains the functions that were called since. */
const DAY = 24 * 60 * 60 * 1000;

/** The bundle, compiled. */
export interface Compiled {
  readonly script: Script;
  /** Where the build leaves V8's code for it. */
  readonly built: CodeFile;
  /** Where this run should leave it, since later starts are quicker with it. */
  readonly own?: CodeFile;
}

/**
 * Compiles the bundle, which is a script that `npm run build` leaves at a URL. V8's code for it is taken from the build, if that was
 * made by this version of Node under these flags, and otherwise from where an earlier run of this user has left it.
 */
export function compileBundle(bundle: URL): Compiled {
  const filename = fileURLToPath(bundle);
  // The build leaves ASCII alone: V8 takes half the memory for it.
  const text = readFileSync(filename, 'latin1');
  const built = builtFile(bundle, text);
  const compile = (code: KeptCode | undefined): Script =>
    new Script(text, { filename, cachedData: code?.bytes });
  const code = keptCode(built);
  if (code !== undefined) return { script: compile(code), built };
  const own = ownFile(built);
  const kept = own && keptCode(own);
  const script = compile(kept);
  const isFresh = script.cachedDataRejected === false && kept!.age < DAY;
  return { script, built, ...(!isFresh && { own }) };
}

/** Starts a module of the bundle, and gives what it exports. */
export function start(bundle: URL, name: string, compiled = compileBundle(bundle)): unknown {
  const { script, own } = compiled;
  const run = script.runInThisContext() as Bundle;
  let due = name === COMMANDS ? own : undefined;
  const leaveCode = (): void => {
    if (due !== undefined) keepForUser(due, script);
    due = undefined;
  };
  if (due !== undefined) process.once('exit', leaveCode);
  return run(requireLate(bundle), bundle.href, leaveCode)[name]();
}

/** Loads modules for the bundle, some of them only when something of them is used. */
function requireLate(bundle: URL): (name: string) => unknown {
  const require = createRequire(bundle);
  return (name) =>
    LATE.has(name)
      ? new Proxy({}, { get: (_, key) => (require(name) as Record<string | symbol, unknown>)[key] })
      : (require(name) as unknown);
}
