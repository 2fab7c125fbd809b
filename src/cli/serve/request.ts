/** What a client asks for, what comes of it, and why it may not. */
import type { SIGNALS } from '../signals.js';

/** Where a stream of the client goes. */
export interface StreamOfClient {
  readonly isTTY: boolean;
  readonly columns?: number;
}

/** A command line, and what it would see of its surroundings if it ran in the client. */
export interface Request {
  /** Of the client. A server runs only what its own build asks. */
  readonly build: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly umask: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly stdout: StreamOfClient;
  readonly stderr: StreamOfClient;
}

export type Signal = (typeof SIGNALS)[number];

/** How a command ended. */
export type End = { readonly code: number } | { readonly signal: NodeJS.Signals };

/** Why a server does not run a command. */
export interface Refusal {
  readonly message: string;
  /** Whether the client may run it. */
  readonly runsHere: boolean;
}

/** The variables that a command looks at, or a solver that it starts is found by. */
export const VARIABLES = ['PATH', 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'TERM'] as const;

/** How long a frame of a client may be: a command line is shorter on every system but odd ones. */
export const LARGEST_FRAME = 4 * 2 ** 20;

/** Longer output, and longer standard input, goes in several frames. */
export const CHUNK = 2 ** 16;

/** A request from its text; undefined if it is none. */
export function readRequest(text: string): Request | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isRequest(value) ? value : undefined;
}

function isRequest(value: unknown): value is Request {
  if (!isRecord(value)) return false;
  const { build, words, cwd, umask, environment, stdout, stderr } = value;
  const isText = (one: unknown): boolean => typeof one === 'string';
  const variables: readonly string[] = VARIABLES;
  return (
    isText(build) &&
    Array.isArray(words) &&
    words.every(isText) &&
    isText(cwd) &&
    Number.isInteger(umask) &&
    (umask as number) >= 0 &&
    (umask as number) <= 0o777 &&
    isRecord(environment) &&
    Object.entries(environment).every(([name, of]) => variables.includes(name) && isText(of)) &&
    isStream(stdout) &&
    isStream(stderr)
  );
}

const isStream = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['isTTY'] === 'boolean' &&
  ['undefined', 'number'].includes(typeof value['columns']);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
