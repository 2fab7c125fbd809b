import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Script } from 'node:vm';

/** Bytes at the end of a file with V8's code that say what it is of. A file that was cut does not have them. */
const TAIL = 160;

/** The bundle begins with a comment of so many characters, a digest of the rest. */
export const STAMP = 68;

/** Milliseconds after which code is removed that nobody made anew: it is of another build, or another Node. */
const MONTH = 30 * 24 * 60 * 60 * 1000;

const EXTENSION = '.code';

/** A file that may have V8's code for a bundle. */
export interface CodeFile {
  readonly path: string;
  /** What it has to be of: the bundle, the version of Node, and the flags of V8. */
  readonly of: string;
}

export interface KeptCode {
  readonly bytes: Buffer;
  /** Milliseconds since it was made. */
  readonly age: number;
}

/** Where the build leaves V8's code for a bundle. */
export function builtFile(bundle: URL, text: string): CodeFile {
  const { version, platform, arch, execArgv, env } = process;
  const flags = checksum([...execArgv, env['NODE_OPTIONS']].join(' ').trim());
  const of = [text.slice(0, STAMP).trim(), version, platform, arch, flags].join(' ');
  return { path: fileURLToPath(new URL('remora.code', bundle)), of };
}

/** Where runs of this user leave the same; undefined where there is no folder for it that nobody else may write to. */
export function ownFile({ of }: CodeFile): CodeFile | undefined {
  const folder = cacheFolder();
  return folder === undefined
    ? undefined
    : { path: join(folder, `${checksum(of)}${EXTENSION}`), of };
}

/** The code in a file, if it is there and of what it has to be of. */
export function keptCode({ path, of }: CodeFile): KeptCode | undefined {
  try {
    const bytes = readFileSync(path);
    const end = bytes.length - TAIL;
    if (bytes.toString('latin1', end) !== of.padEnd(TAIL)) return undefined;
    return { bytes: bytes.subarray(0, end), age: Date.now() - statSync(path).mtimeMs };
  } catch {
    return undefined;
  }
}

/** Leaves V8's code for all functions of a script that have run so far. A start reads the whole file, or none. @throws Error */
export function keepCode({ path, of }: CodeFile, script: Script): void {
  const draft = `${path}.${process.pid}`;
  const tail = Buffer.from(of.padEnd(TAIL), 'latin1');
  try {
    writeFileSync(draft, Buffer.concat([script.createCachedData(), tail]));
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The same for a user. Nothing depends on it: where it fails, the next start takes longer. */
export function keepForUser(file: CodeFile, script: Script): void {
  try {
    keepCode(file, script);
    const folder = dirname(file.path);
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (name.includes(EXTENSION) && Date.now() - statSync(path).mtimeMs > MONTH) unlinkSync(path);
    }
  } catch {
    // A full disk, or another run that removes the same.
  }
}

/** The user's folder for V8's code. It is made if it is not there, and not used where somebody else could have put something into it. */
function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: given, HOME: home } = process.env;
  const caches = given || (home && join(home, '.cache'));
  if (!caches || !isAbsolute(caches)) return undefined;
  const folder = join(caches, 'remora', 'code');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    return uid === process.getuid?.() && (mode & 0o022) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Names differ by it. What is in a file says what it is of, so that two that meet are only made anew. (FNV-1a, 32 bits.) */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
