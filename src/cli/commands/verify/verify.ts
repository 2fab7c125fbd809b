import { loadModelNamed } from '../../../node/models.js';
import { askDratTrim } from '../../proofs/drat-trim.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS } from '../../command/exit.js';
import { findTests } from '../../inputs/find.js';
import { isFolder } from '../../outputs/folders.js';
import { readCorpus } from '../../inputs/corpus.js';
import { readModels } from '../../inputs/models.js';
import type { Outcome, VerifyOptions } from '../../proofs/judge.js';
import { ENGINE, judge } from '../../proofs/judge.js';
import { complain } from '../../print/print.js';
import type { AnyProof } from '../../proofs/read.js';
import { PROOFS, fileOfProof, isInClauses, readProof, stepsOf } from '../../proofs/read.js';
import { openReader } from '../../inputs/reader.js';
import { UsageError } from '../../command/usage.js';

/** What is believed without a proof. */
const TRUSTED =
  'Taken for granted: the parsers, the events of the program, the table of terms of the model and its operators.';
const TRUSTED_OF_CLAUSES =
  'Taken for granted of clauses: the same, the bounds of values and relations, and the encoding.';

/** A proof, and what became of it. */
export type Judged = { readonly path: string } & (
  { readonly unread: string } | ({ readonly value: AnyProof } & Outcome)
);

/** `remora verify`: does each proof show that the program cannot do what was asked? */
export async function verify(
  file: string,
  given: readonly string[],
  options: VerifyOptions,
): Promise<number> {
  const outcomes = await judgeAll(file, given, options);
  if (outcomes === undefined) return BAD_INPUT;
  process.stdout.write(outcomes.map(outcomeLine).join(''));
  const held = outcomes.filter((one) => 'holds' in one);
  if (held.length > 0) process.stdout.write(`${TRUSTED}\n`);
  if (held.some(({ value }) => isInClauses(value))) process.stdout.write(`${TRUSTED_OF_CLAUSES}\n`);
  return codeOf(outcomes);
}

/** What a proof shows, or why it shows nothing; of what was not read, a message was printed. */
export function outcomeLine(one: Judged): string {
  if ('holds' in one) return `${one.path}: ${one.holds}\n`;
  return 'wrong' in one ? `${one.path}: not shown: ${one.wrong}\n` : '';
}

/** The exit code for proofs: none may be unread, and none wrong. */
export function codeOf(outcomes: readonly Outcome[]): number {
  if (outcomes.some((one) => 'unread' in one)) return BAD_INPUT;
  return outcomes.some((one) => 'wrong' in one) ? DEPARTS : AS_EXPECTED;
}

/**
 * Checks proofs about a litmus file. What is no proof about it is reported.
 *
 * @returns undefined where the file, a model or a path could not be read: that is reported, too
 */
export async function judgeAll(
  file: string,
  given: readonly string[],
  options: VerifyOptions,
): Promise<readonly Judged[] | undefined> {
  if (isFolder(file))
    throw new UsageError(`${file} is a folder: name one litmus file, and the proofs about it`);
  const reader = await openReader([file]);
  const found = findTests(given, PROOFS);
  const errors = found.flatMap((one) => one.errors);
  const paths = new Set(found.flatMap(({ files }) => files.map(fileOfProof)));
  const read = [...paths].map(readProof);
  const named = read.flatMap((one) => ('unread' in one ? [] : [one.value.heading.model]));
  const names =
    options.model ?? [...new Set(named)].filter((name) => loadModelNamed(name).model.ok);
  const models = readModels(names, ENGINE, reader);
  const corpus = readCorpus([file], models, reader, options);
  complain([...errors, ...models.errors, ...corpus.errors]);
  const [item] = corpus.tests;
  if (item === undefined || errors.length + models.errors.length > 0) return undefined;
  return read.map((one): Judged => {
    if ('unread' in one) {
      complain([one.unread]);
      return one;
    }
    const outcome = confirmed(one.path, one.value, judge(one.value, item, models, options));
    if ('unread' in outcome) complain([`${one.path}: ${outcome.unread}`]);
    return { ...one, ...outcome };
  });
}

/** Does `drat-trim` accept clauses and steps that hold, too, where it is installed? */
function confirmed(path: string, value: AnyProof, outcome: Outcome): Outcome {
  if (!isInClauses(value) || !('holds' in outcome)) return outcome;
  const answer = askDratTrim(path, stepsOf(path));
  if (answer === undefined) return outcome;
  if (answer.accepts) return { ...outcome, holds: `${outcome.holds}; drat-trim agrees` };
  return { wrong: `drat-trim does not accept it: ${answer.said}` };
}
