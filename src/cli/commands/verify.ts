import { Argument } from 'commander';
import { loadModelNamed } from '../../node/models.js';
import { declare } from '../command/declare.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS } from '../command/exit.js';
import { inlining, model } from '../command/options.js';
import { UsageError } from '../command/usage.js';
import { readCorpus } from '../inputs/corpus.js';
import { findTests } from '../inputs/find.js';
import { readModels } from '../inputs/models.js';
import { openReader } from '../inputs/reader.js';
import { isFolder } from '../outputs/folders.js';
import { complain, lines } from '../print/print.js';
import { askDratTrim } from '../proofs/drat-trim.js';
import type { ProofOutcome, VerifyOptions } from '../proofs/judge.js';
import { PROOF_ENGINE, judgeProof } from '../proofs/judge.js';
import type { AnyProof } from '../proofs/read.js';
import { PROOFS, fileOfProof, isInClauses, readProof, stepsPath } from '../proofs/read.js';
import { conclude } from '../run/answer.js';

export const verifyCommand = () =>
  declare(
    {
      name: 'verify',
      summary: 'check proofs that something cannot happen',
      description:
        'Checks proofs that check and test wrote with --proof, by a checker that shares nothing with ' +
        'searches and solvers, and says what it takes for granted. Of proofs in clauses, it encodes the program anew ' +
        'and follows the steps; drat-trim is asked, too, where it is installed.',
      arguments: [
        new Argument('<file>', 'the litmus file'),
        new Argument('<proof...>', 'proofs about it (.proof, .cnf), or folders of them'),
      ],
      options: [model('the one that the proof names'), ...inlining()],
      examples: [
        ['remora check corpus/tso/MP1.litmus --proof proofs', 'makes proofs'],
        ['remora verify corpus/tso/MP1.litmus proofs/MP1', 'checks them'],
      ],
      codes: {
        asExpected: 'every proof shows what it says',
        departs: 'some proof does not',
        badInput: 'wrong usage, or a proof that is changed, cut off, or about something else',
        interrupted: false,
      },
    },
    verify,
  );

/** The message about what is believed without a proof. */
const TRUSTED =
  'Taken for granted: the parsers, the events of the program, the table of terms of the model and its operators.';
const TRUSTED_OF_CLAUSES =
  'Taken for granted of clauses: the same, the bounds of values and relations, and the encoding.';

/** A proof, and the outcome of its check. */
type Judged = { readonly path: string } & (
  | { readonly unread: string }
  | ({ readonly value: AnyProof } & ProofOutcome)
);

/** Checks whether each proof shows its verdict. */
async function verify(
  file: string,
  given: readonly string[],
  options: VerifyOptions,
): Promise<number> {
  const outcomes = await judgeAll(file, given, options);
  if (outcomes === undefined) return BAD_INPUT;
  const shown = outcomes.filter((one) => 'holds' in one);
  const trusted = [
    ...(shown.length > 0 ? [TRUSTED] : []),
    ...(shown.some(({ value }) => isInClauses(value)) ? [TRUSTED_OF_CLAUSES] : []),
  ];
  const text = outcomes.map(outcomeLine).join('') + lines(trusted);
  return conclude({ format: 'text', text, code: codeOf(outcomes) });
}

/** What a proof shows, or why it shows nothing. For a proof that was not read, a message was printed before. */
export function outcomeLine(one: Judged): string {
  if ('holds' in one) return `${one.path}: ${one.holds}\n`;
  return 'wrong' in one ? `${one.path}: not shown: ${one.wrong}\n` : '';
}

/** The exit code for proofs: 0 only if all were read and none is wrong. */
export function codeOf(outcomes: readonly ProofOutcome[]): number {
  if (outcomes.some((one) => 'unread' in one)) return BAD_INPUT;
  return outcomes.some((one) => 'wrong' in one) ? DEPARTS : AS_EXPECTED;
}

/**
 * Checks proofs about a litmus file. Files that are no proofs about it are reported.
 *
 * @returns undefined if the file, a model or a path could not be read, which is reported, too
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
  const models = readModels(names, PROOF_ENGINE, reader);
  const corpus = readCorpus([file], models, reader, options);
  complain([...errors, ...models.errors, ...corpus.errors]);
  const [item] = corpus.tests;
  if (item === undefined || errors.length + models.errors.length > 0) return undefined;
  return read.map((one): Judged => {
    if ('unread' in one) {
      complain([one.unread]);
      return one;
    }
    const outcome = confirmed(one.path, one.value, judgeProof(one.value, item, models, options));
    if ('unread' in outcome) complain([`${one.path}: ${outcome.unread}`]);
    return { ...one, ...outcome };
  });
}

/** For clauses and steps that hold, asks `drat-trim`, too, if it is installed. */
function confirmed(path: string, value: AnyProof, outcome: ProofOutcome): ProofOutcome {
  if (!isInClauses(value) || !('holds' in outcome)) return outcome;
  const answer = askDratTrim(path, stepsPath(path));
  if (answer === undefined) return outcome;
  if (answer.accepts) return { ...outcome, holds: `${outcome.holds}; drat-trim agrees` };
  return { wrong: `drat-trim does not accept it: ${answer.said}` };
}
