import { C_ENDINGS, isC } from '../../program/read.js';
import { existsSync, statSync } from 'node:fs';
import type { Result, SourceFile } from '../../parse/diagnostics/index.js';
import { fail } from '../../parse/diagnostics/index.js';
import { mayHaveHead } from '../../c/beginning.js';
import { findTests } from './find.js';
import { STDIN, STDIN_NAME } from './stdin.js';
import { loadC } from '../../node/c.js';
import { LARGEST_FILE, decodeSource, readSource } from '../../node/read.js';

export { STDIN, STDIN_NAME };

/** Reads the inputs of one command, and remembers them, so that no output replaces an input. */
export interface InputReader {
  /** Reads a file, or standard input for `-`. Fails as `readSource` does; `-` can be read once. */
  read(path: string, largest?: number): Result<SourceFile>;
  /** The paths of the files that were asked for so far. */
  readonly files: readonly string[];
}

/** The bytes from standard input, or why it cannot be read. */
type Received = { readonly bytes: Buffer } | { readonly problem: string };

const READ_ALREADY = { problem: 'was read already: - can stand for one file only' };

/** A reader for these names. If one of them is `-`, it first waits until standard input ends. */
export async function openReader(names: readonly string[]): Promise<InputReader> {
  const received = names.includes(STDIN) ? await receive(LARGEST_FILE) : undefined;
  const hasC = findTests(names, C_ENDINGS).some(({ files }) => files.some(isC));
  if (hasC || (received !== undefined && nameOf(received) !== STDIN_NAME)) await loadC();
  return createReader(received);
}

/** A reader of files, and of standard input if it has been received. */
export function createReader(received?: Received): InputReader {
  const files: string[] = [];
  let rest = received;
  return {
    files,
    read(path, largest) {
      if (path === STDIN) {
        const input = rest ?? READ_ALREADY;
        rest = undefined;
        return 'bytes' in input
          ? decodeSource(nameOf(input), input.bytes)
          : unreadable(input.problem);
      }
      files.push(path);
      const read = readSource(path, largest);
      if (read.ok || !isStream(path)) return read;
      const hint = `write ${STDIN} to have it read from standard input`;
      return fail(read.errors.map((error) => ({ ...error, hint })));
    },
  };
}

/** What standard input is called: C has the ending of C. */
function nameOf(received: Received): string {
  if (!('bytes' in received)) return STDIN_NAME;
  const text = received.bytes.toString('utf8');
  return mayHaveHead(text) || LOOKS_LIKE_C.test(text) ? `${STDIN_NAME}.c` : STDIN_NAME;
}

/** Neither litmus files nor models begin so. */
const LOOKS_LIKE_C = /^\s*(?:\/\*|\/\/|#\s*include\s*[<"])/;

/**
 * Waits until standard input ends, and returns its bytes, whether it is a file, a pipe, a socket or a terminal. After
 * more than `limit` bytes it waits no longer.
 */
export async function receive(limit: number): Promise<Received> {
  if (process.stdin.readableDidRead) return READ_ALREADY;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) break;
    }
    return { bytes: Buffer.concat(chunks) };
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

const unreadable = (message: string): Result<never> =>
  fail([{ span: { file: STDIN_NAME, start: 0, end: 0 }, message }]);

/** Is this a pipe, a socket or a terminal, into which others write while it is read? */
function isStream(path: string): boolean {
  if (!existsSync(path)) return false;
  const status = statSync(path);
  return status.isFIFO() || status.isSocket() || status.isCharacterDevice();
}
