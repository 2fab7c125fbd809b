import { readFileSync, statSync } from 'node:fs';
import { fail, ok } from '../diagnostics/index.js';
import type { Result, SourceFile } from '../diagnostics/index.js';

/**
 * Reads a text file.
 *
 * @returns the file, or one diagnostic: no such file, a directory, not readable, empty, not UTF-8
 *   (with line and column of the first byte that is not)
 */
export function readSource(path: string): Result<SourceFile> {
  let bytes: Uint8Array;
  try {
    if (statSync(path).isDirectory()) return unreadable(path, 'is a directory, not a file');
    bytes = readFileSync(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return unreadable(path, code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`);
  }
  return decodeSource(path, bytes);
}

/** The text of a file's bytes, or one diagnostic where they are empty or not UTF-8. */
export function decodeSource(path: string, bytes: Uint8Array): Result<SourceFile> {
  if (bytes.length === 0) return unreadable(path, 'the file is empty');
  const text = decode(bytes);
  if (text !== undefined) return ok({ path, text });
  const { line, column } = firstBadByte(bytes);
  return unreadable(path, `not UTF-8 text: invalid byte at line ${line}, column ${column}`);
}

function unreadable(path: string, message: string): Result<SourceFile> {
  return fail([{ span: { file: path, start: 0, end: 0 }, message }]);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** One-based position of the first byte that does not continue valid UTF-8. */
function firstBadByte(bytes: Uint8Array): { line: number; column: number } {
  const newline = 0x0a;
  let start = 0;
  for (let line = 1; ; line++) {
    const next = bytes.indexOf(newline, start);
    const end = next === -1 ? bytes.length : next;
    // No byte of a longer UTF-8 sequence is a newline, so that each line can be tried alone.
    if (decode(bytes.subarray(start, end)) === undefined) {
      let good = end - 1;
      while (decode(bytes.subarray(start, good)) === undefined) good--;
      return { line, column: [...(decode(bytes.subarray(start, good)) ?? '')].length + 1 };
    }
    start = end + 1;
  }
}
