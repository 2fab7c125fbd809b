import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { fail, ok, position } from '../parse/diagnostics/index.js';
import type { Result, SourceFile } from '../parse/diagnostics/index.js';
import { isC } from '../program/read.js';

/** The largest size of a file, in bytes. Larger ones are not litmus files or models. */
export const LARGEST_FILE = 2 ** 20;

const MEGABYTE = 2 ** 20;

/**
 * Reads a text file. Pipes and devices are not opened: nobody could end the wait for what may never come.
 *
 * @param largest how many bytes it may have, in whole megabytes
 * @returns the file, or one diagnostic: no such file, not a regular file, not readable, empty, not UTF-8
 *   (with line and column of the first byte that is not), too large
 */
export function readSource(path: string, largest = LARGEST_FILE): Result<SourceFile> {
  let bytes: Uint8Array;
  try {
    const problem = noFile(statSync(path));
    if (problem !== undefined) return unreadable(path, problem);
    bytes = readStart(path, largest);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return unreadable(path, code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`);
  }
  return decodeSource(path, bytes, largest);
}

/** That something is no regular file, which alone is opened. */
export const noFile = (status: Stats): string | undefined =>
  status.isFile() ? undefined : `is a ${kindOf(status)}, not a file`;

/** Names what stands in the place of a regular file. */
function kindOf(status: Stats): string {
  if (status.isDirectory()) return 'directory';
  if (status.isFIFO()) return 'pipe';
  return status.isSocket() ? 'socket' : 'device';
}

/** Room for the largest file so far, used again for each: to make it takes longer than to read most files. */
let room: Uint8Array | undefined;

/** The bytes of a file, or the first of them: one more than it may have. Good until the next call. */
function readStart(path: string, largest: number): Uint8Array {
  if (room === undefined || room.length <= largest) room = new Uint8Array(largest + 1);
  const bytes = room.subarray(0, largest + 1);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** The text of a file's bytes, or one diagnostic where they are empty, not UTF-8 or too many. */
export function decodeSource(
  path: string,
  bytes: Uint8Array,
  largest = LARGEST_FILE,
): Result<SourceFile> {
  if (bytes.length === 0) return unreadable(path, 'the file is empty');
  const tooLarge = bytes.length > largest;
  // Many C files have comments in older encodings. Elsewhere, the reader of C refuses what stands for a byte that is no character.
  const text =
    decode(bytes, tooLarge) ?? (isC(path) ? new TextDecoder('utf-8').decode(bytes) : undefined);
  if (text === undefined) {
    const { line, column } = firstBadByte(bytes);
    return unreadable(path, `not UTF-8 text: invalid byte at line ${line}, column ${column}`);
  }
  return tooLarge ? unreadable(path, `larger than ${largest / MEGABYTE} MB`) : ok({ path, text });
}

function unreadable(path: string, message: string): Result<SourceFile> {
  return fail([{ span: { file: path, start: 0, end: 0 }, message }]);
}

/** The text of bytes; `open` allows for a last character that is not complete. */
function decode(bytes: Uint8Array, open: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: open });
  } catch {
    return undefined;
  }
}

/** One-based position of the first byte that does not continue valid UTF-8. */
function firstBadByte(bytes: Uint8Array): { line: number; column: number } {
  // Bisection: beginnings that end before the byte are valid, and longer ones are not.
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decode(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  const text = decode(bytes.subarray(0, good), true) ?? '';
  return position(text, text.length);
}
