import { readFileSync, statSync } from 'node:fs';
import { noFile } from '../../node/read.js';
import type { Diagnostic, Result, SourceFile } from '../../parse/diagnostics/index.js';
import { fail, ok, renderDiagnostic } from '../../parse/diagnostics/index.js';
import type { ClauseFile } from '../../proof/dimacs.js';
import { parseClauses, parseSteps } from '../../proof/dimacs.js';
import type { RefutationStep } from '../../proof/refutation.js';
import type { Certificate } from '../../proof/text.js';
import { parseCertificate } from '../../proof/text.js';
import { renderFor } from '../inputs/messages.js';
import type { OutputKind } from '../outputs/checksum.js';
import { hasChecksum } from '../outputs/checksum.js';

/** The largest file of a proof, in bytes. */
const LARGEST = 64 * 2 ** 20;

/** Clauses, and the steps from them to a contradiction. */
export interface ClauseProof extends ClauseFile {
  readonly steps: readonly RefutationStep[];
}

/** A proof of either kind. */
export type AnyProof = Certificate | ClauseProof;

export const isInClauses = (value: AnyProof): value is ClauseProof => 'steps' in value;

/** A proof as it was read, or why it is not one. */
export type ReadProof = { readonly path: string } & (
  | { readonly value: AnyProof }
  | { readonly unread: string }
);

const CLAUSES = '.cnf';
const STEPS = '.drat';

/** The endings of proofs. The steps of clauses are in a file beside them. */
export const PROOFS: readonly string[] = ['.proof', CLAUSES];

/** The file with the steps for a file of clauses, beside it. */
export const stepsPath = (path: string): string => path.slice(0, -CLAUSES.length) + STEPS;

/** The file from which a proof is read: for a file of steps, the file of clauses beside it. */
export const fileOfProof = (path: string): string =>
  path.endsWith(STEPS) ? path.slice(0, -STEPS.length) + CLAUSES : path;

/** Reads a proof from a file, or from the two files of one in clauses. */
export function readProof(path: string): ReadProof {
  const read = path.endsWith(CLAUSES)
    ? readClauses(path)
    : readChecked(path, 'proof', parseCertificate);
  return 'unread' in read ? { path, unread: read.unread } : { path, value: read.value };
}

type ReadValue<T> = { readonly value: T } | { readonly unread: string };

function readClauses(path: string): ReadValue<ClauseProof> {
  const clauses = readChecked(path, 'cnf', parseClauses);
  if ('unread' in clauses) return clauses;
  const steps = readChecked(stepsPath(path), 'drat', parseSteps);
  if ('unread' in steps) return steps;
  return { value: { ...clauses.value, steps: steps.value } };
}

function readChecked<T>(
  path: string,
  kind: OutputKind,
  parse: (source: SourceFile) => Result<T>,
): ReadValue<T> {
  const text = checkedText(path, kind);
  if (!text.ok) return { unread: renderDiagnostic(text.errors[0], new Map()) };
  const source = { path, text: text.value };
  const parsed = parse(source);
  return parsed.ok ? { value: parsed.value } : { unread: renderFor(source, parsed.errors) };
}

/** The text of a file, if Remora wrote it and nobody changed it. */
function checkedText(path: string, kind: OutputKind): Result<string> {
  const refuse = (message: string, hint?: string): Result<string> => {
    const error: Diagnostic = { span: { file: path, start: 0, end: 0 }, message, hint };
    return fail([error]);
  };
  let bytes: Buffer;
  try {
    const status = statSync(path);
    const problem = noFile(status);
    if (problem !== undefined) return refuse(problem);
    if (status.size > LARGEST) return refuse('larger than 64 MB');
    bytes = readFileSync(path);
  } catch (error) {
    return refuse(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (hasChecksum(bytes, kind)) return ok(bytes.toString());
  return refuse(
    'this is no proof as Remora wrote it: it was changed, or a part of it is missing',
    'have it written again: remora check FILE --proof FOLDER',
  );
}
