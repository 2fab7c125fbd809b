/**
 * The rule for every output of every command. Outputs are checked before work begins: an output never replaces an
 * input, nor a file that Remora did not write, without `--force`. It is written under another name and renamed, so that
 * the old file stays until all of the new one is on the disk.
 */
import type { BigIntStats } from 'node:fs';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { once } from '../../parse/once.js';
import { isFolder, makeFolders, mayMake } from './folders.js';
import { replaceFile } from './replace.js';
import type { OutputKind } from './checksum.js';
import { hasChecksum, withChecksum } from './checksum.js';

/** A file that a command was asked to write. */
export interface WantedOutput {
  readonly kind: OutputKind;
  readonly path: string;
}

/** The output of an option, if it is given. */
export const wantedAs = (kind: OutputKind, path: string | undefined): readonly WantedOutput[] =>
  path === undefined ? [] : [{ kind, path }];

/** A file that may be written. */
export interface Output extends WantedOutput {
  /** Writes the file. If it cannot, returns why, for people; then nothing has changed. */
  readonly write: (content: string | Uint8Array) => readonly string[];
}

/** The name for standard output instead of a file. A file named `-` is written `./-`. */
export const STDOUT = '-';

/** When an output may replace a file. */
export interface OverwriteRule {
  /** The files that the command reads. */
  readonly inputs: readonly string[];
  /** Whether inputs, and files that Remora did not write, may be replaced. */
  readonly force?: boolean | undefined;
}

export interface OutputPlan {
  readonly outputs: readonly Output[];
  /** Why some cannot be written, ready to print. */
  readonly errors: readonly string[];
}

/**
 * Finds out whether outputs may be written, and changes nothing.
 *
 * @param makesFolders whether missing folders of outputs will be made
 * @param toStdout whether `-` is standard output; nothing else is printed there then
 */
export function planOutputs(
  wanted: readonly WantedOutput[],
  rule: OverwriteRule & { readonly makesFolders?: boolean; readonly toStdout?: boolean },
): OutputPlan {
  const outputs: Output[] = [];
  const errors: string[] = [];
  const taken = new Set<string>();
  // There may be many, and most outputs are new files, which no input is.
  const inputs = once(() => identities(rule.inputs));
  for (const { kind, path } of wanted) {
    if (path === STDOUT && rule.toStdout === true) {
      if (taken.has(path)) errors.push(`${path}: two outputs cannot go to standard output`);
      taken.add(path);
      const write = (content: string | Uint8Array): readonly string[] => {
        process.stdout.write(content);
        return [];
      };
      outputs.push({ kind, path, write });
      continue;
    }
    const target = targetOf(path, rule.makesFolders);
    const problem = 'problem' in target ? target.problem : objection(target, inputs, rule.force);
    const key = 'problem' in target ? path : fileIdentity(target);
    if (problem !== undefined) errors.push(`${path}: ${problem}`);
    else if (taken.has(key)) errors.push(`${path}: two outputs cannot go to one file`);
    else if ('file' in target) {
      if (!target.streams) taken.add(key);
      // Work may take long, so the rule is checked again: somebody may have put a file there meanwhile.
      const write = (content: string | Uint8Array): readonly string[] => {
        const now = targetOf(path, rule.makesFolders);
        const late = 'problem' in now ? now.problem : objection(now, inputs, rule.force);
        return late === undefined
          ? writeTo(path, target, withChecksum(content, kind))
          : [`${path}: ${late}`];
      };
      outputs.push({ kind, path, write });
    }
  }
  return { outputs, errors };
}

/** The place of an output. */
export interface OutputTarget {
  /** Its path, or the target of the link. */
  readonly file: string;
  /** The file that is there, if there is one. */
  readonly old?: BigIntStats;
  /** Whether it is a device or a pipe, whose contents cannot be lost. */
  readonly streams: boolean;
}

/** Finds the place of an output, or why it cannot be written there. */
export function targetOf(
  path: string,
  makesFolders = false,
): OutputTarget | { readonly problem: string } {
  if (path === STDOUT) return { problem: `no file; one of this name is ./${STDOUT}` };
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) {
      if (makesFolders) mayMake(dirname(path));
      else accessSync(dirname(path), constants.W_OK);
      return { file: path, streams: false };
    }
    const old = statSync(path, { throwIfNoEntry: false, bigint: true });
    if (old === undefined) return { problem: 'this is a link to nothing' };
    if (old.isDirectory()) return { problem: 'this is a folder, not a file' };
    accessSync(path, constants.W_OK);
    if (!old.isFile()) return { file: path, old, streams: true };
    const file = entry.isSymbolicLink() ? realpathSync(path) : path;
    accessSync(dirname(file), constants.W_OK);
    return { file, old, streams: false };
  } catch (error) {
    return { problem: failure(error) };
  }
}

/** Why an output may not replace the file that is there, without force. */
function objection(
  target: OutputTarget,
  inputs: () => ReadonlySet<string>,
  force: boolean | undefined,
): string | undefined {
  if (force === true || target.streams || target.old === undefined) return undefined;
  const problem = inputs().has(numbers(target.old))
    ? 'this is an input of this command'
    : isForeign(target)
      ? 'Remora did not write this file, or it was changed since'
      : undefined;
  return problem && `${problem}: ${FORCE}`;
}

/** The hint of such messages. */
export const FORCE = '--force writes over it';

/** Remora writes no larger files, so a larger one is not from Remora. */
const LARGEST = 2n ** 28n;

/** Would something be lost that Remora did not write? Not with an empty file. */
function isForeign({ file, old }: OutputTarget): boolean {
  if (old === undefined || old.size === 0n) return false;
  if (old.size > LARGEST) return true;
  try {
    return !hasChecksum(readFileSync(file));
  } catch {
    return true;
  }
}

/** The key of a file, which is the same for all its names. */
const numbers = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** The keys of those files that exist. */
export const identities = (files: readonly string[]): ReadonlySet<string> =>
  new Set(
    files
      .filter((file) => existsSync(file))
      .map((file) => numbers(statSync(file, { bigint: true }))),
  );

/** The key of a place, which may have no file yet. */
export function fileIdentity({ file, old }: OutputTarget): string {
  if (old !== undefined) return numbers(old);
  const folder = dirname(file);
  return join(isFolder(folder) ? realpathSync(folder) : resolve(folder), basename(file));
}

function writeTo(path: string, { file, streams }: OutputTarget, bytes: Buffer): readonly string[] {
  try {
    if (streams) {
      const stream = openStream(file);
      try {
        writeFileSync(stream, bytes);
      } finally {
        closeSync(stream);
      }
    } else {
      makeFolders(dirname(file));
      replaceFile(file, bytes);
    }
    return [];
  } catch (error) {
    return [`${path}: ${failure(error)}`];
  }
}

/**
 * Opens a device or a pipe to write to. Throws if nobody reads from a pipe, since opening it would wait, perhaps for
 * ever.
 */
export function openStream(file: string): number {
  const probe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    // There is a reader. As the first stream is still open, it does not see an end before the second.
    return openSync(file, constants.O_WRONLY);
  } finally {
    closeSync(probe);
  }
}

/** Why something cannot be written, from the error of the system. */
export function failure(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  if (code === 'ENOENT') return 'there is no such folder to write to';
  return code === 'ENXIO' ? 'nobody reads from this pipe' : `cannot be written (${code})`;
}
