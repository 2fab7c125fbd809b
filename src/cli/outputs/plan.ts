/**
 * The one rule for every output of every command. An output is checked before work begins: it never takes the
 * place of an input, nor of a file that Remora did not write, unless that is forced. It is written beside its
 * place and renamed, so that there is what there was until all of it is on the disk.
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
  /** Writes it; gives why it cannot be, if so, for people: then everything is as it was. */
  readonly write: (content: string | Uint8Array) => readonly string[];
}

/** What stands for standard output in the place of a file; a file of this name is `./-`. */
export const STDOUT = '-';

/** Under what circumstances an output may take the place of something. */
export interface OverwriteRule {
  /** The files that the command reads. */
  readonly inputs: readonly string[];
  /** Whether inputs and files of others may be written over. */
  readonly force?: boolean | undefined;
}

export interface OutputPlan {
  readonly outputs: readonly Output[];
  /** Why some cannot be written, ready to print. */
  readonly errors: readonly string[];
}

/**
 * Finds out whether outputs may be written, and leaves everything as it is.
 *
 * @param makesFolders whether folders are made that the outputs are to be in
 * @param toStdout whether `-` is standard output, where nothing else is printed then
 */
export function planOutputs(
  wanted: readonly WantedOutput[],
  rule: OverwriteRule & { readonly makesFolders?: boolean; readonly toStdout?: boolean },
): OutputPlan {
  const outputs: Output[] = [];
  const errors: string[] = [];
  const taken = new Set<string>();
  const inputs = identities(rule.inputs);
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
      // Work may take long. A file that was put there meanwhile is not written over either.
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
  /** Its path, or where that leads if it is a link. */
  readonly file: string;
  /** What is there. */
  readonly old?: BigIntStats;
  /** Whether that is a device or a pipe, which keeps nothing that could be lost. */
  readonly streams: boolean;
}

/** Finds the place of an output, or what keeps it from being written there. */
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

/** Why an output may not take the place of what is there, but for force. */
function objection(
  target: OutputTarget,
  inputs: ReadonlySet<string>,
  force: boolean | undefined,
): string | undefined {
  if (force === true || target.streams) return undefined;
  const problem = inputs.has(fileIdentity(target))
    ? 'this is an input of this command'
    : isForeign(target)
      ? 'Remora did not write this file, or it was changed since'
      : undefined;
  return problem && `${problem}: ${FORCE}`;
}

/** What a message tells people to do about it. */
export const FORCE = '--force writes over it';

/** Remora writes no larger files, so a larger one is not its own. */
const LARGEST = 2n ** 28n;

/** Would something be lost that Remora did not write? An empty file has nothing to lose. */
function isForeign({ file, old }: OutputTarget): boolean {
  if (old === undefined || old.size === 0n) return false;
  if (old.size > LARGEST) return true;
  try {
    return !hasChecksum(readFileSync(file));
  } catch {
    return true;
  }
}

/** A key of a file. It is the same for all names of the file. */
const numbers = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** The keys of those files that exist. */
export const identities = (files: readonly string[]): ReadonlySet<string> =>
  new Set(
    files
      .filter((file) => existsSync(file))
      .map((file) => numbers(statSync(file, { bigint: true }))),
  );

/** The key of a place, where there may be no file yet. */
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

/** Opens a device or a pipe to write to. Throws where nobody reads from a pipe: that could take for ever. */
export function openStream(file: string): number {
  const probe = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    // There is a reader. As the first stream is still open, it does not see an end before the second.
    return openSync(file, constants.O_WRONLY);
  } finally {
    closeSync(probe);
  }
}

/** Why something cannot be written, from what the system says. */
export function failure(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  if (code === 'ENOENT') return 'there is no such folder to write to';
  return code === 'ENXIO' ? 'nobody reads from this pipe' : `cannot be written (${code})`;
}
