import { readFileSync, statSync } from 'node:fs';
import { structureFor } from '../check/structure.js';
import { loadModelNamed } from '../node/models.js';
import { renderDiagnostic } from '../parse/diagnostics/index.js';
import { openIn } from '../program/events/open.js';
import { isStateQuery } from '../program/program.js';
import { showQuery } from '../program/print.js';
import type { Claim } from '../proof/contradiction.js';
import type { Proof } from '../proof/proof.js';
import type { Certificate } from '../proof/text.js';
import { listingOf } from '../proof/listing.js';
import { leavesOf, parseCertificate } from '../proof/text.js';
import { verifier } from '../proof/verify.js';
import { prepare } from '../rdma/prepare.js';
import type { Settings } from '../libraries/inline.js';
import { modelsOf, testUnder } from './clients.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS } from './exit.js';
import { findTests } from './find.js';
import { isFolder } from './folders.js';
import type { CorpusTest, ModelInputs } from './inputs.js';
import { readCorpus, readModels, renderFor } from './inputs.js';
import { complain } from './print.js';
import { modelDigest, programDigest } from './proofs.js';
import { openReader } from './reader.js';
import { isSealed } from './seal.js';
import { UsageError } from './usage.js';

export interface VerifyOptions {
  readonly model?: readonly string[];
  readonly library?: readonly string[];
  readonly implementation?: readonly string[];
  readonly set?: Settings;
}

/** The engine whose instructions a program is fitted to: that of verdicts. */
const ENGINE = 'auto';

/** The largest file of a proof, in bytes. */
const LARGEST = 64 * 2 ** 20;

/** What is believed without a proof. */
const TRUSTED =
  'Taken for granted: the parsers, the events of the program, the table of terms of the model and its operators.';

/** A proof as it was read, or why it is not one. */
type Read = { readonly path: string } & (
  { readonly certificate: Certificate; readonly text: string } | { readonly unread: string }
);

/** What became of a proof: what it shows, of what, or what is wrong with it. */
export type Outcome = Shown | { readonly wrong: string } | { readonly unread: string };

export interface Shown {
  readonly holds: string;
  readonly claim: Claim;
}

/** A proof, and what became of it. */
export type Judged = { readonly path: string } & (
  { readonly unread: string } | ({ readonly certificate: Certificate } & Outcome)
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
  if (outcomes.some((one) => 'holds' in one)) process.stdout.write(`${TRUSTED}\n`);
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
  const found = findTests(given, ['.proof']);
  const errors = found.flatMap((one) => one.errors);
  const paths = found.flatMap(({ files }) => files);
  const read = paths.map(readCertificate);
  const named = read.flatMap((one) =>
    'certificate' in one ? [one.certificate.heading.model] : [],
  );
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
    const outcome = judge(one.certificate, item, models, options);
    if ('unread' in outcome) complain([`${one.path}: ${outcome.unread}`]);
    return { ...one, ...outcome };
  });
}

/** Reads a proof, or says why it is none. */
export function readCertificate(path: string): Read {
  const refuse = (message: string, hint?: string): Read => {
    const error = { span: { file: path, start: 0, end: 0 }, message, hint };
    return { path, unread: renderDiagnostic(error, new Map()) };
  };
  let bytes: Buffer;
  try {
    if (statSync(path).size > LARGEST) return refuse('larger than 64 MB');
    bytes = readFileSync(path);
  } catch (error) {
    return refuse(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (!isSealed(bytes)) {
    const hint = 'have it written again: remora check FILE --proof FOLDER';
    return refuse(
      'this is no proof as Remora wrote it: it was changed, or a part of it is missing',
      hint,
    );
  }
  const source = { path, text: bytes.toString() };
  const parsed = parseCertificate(source);
  return parsed.ok
    ? { path, certificate: parsed.value, text: source.text }
    : { path, unread: renderFor(source, parsed.errors) };
}

/** Holds a proof against the program: first whether it is about it at all. */
export function judge(
  { heading, listing, proof }: Certificate,
  item: CorpusTest,
  models: Pick<ModelInputs, 'items'>,
  { model: names }: VerifyOptions,
): Outcome {
  if (heading.program !== programDigest(item.source) || heading.test !== item.test.name) {
    return {
      unread: `a proof about another program, or another text of it: that of ${heading.test}`,
    };
  }
  const asked = modelsOf(item, models.items);
  const model = asked.find(
    (one) => one.name === heading.model && modelDigest(one) === heading.modelDigest,
  );
  if (model === undefined) {
    const those = names ?? asked.map(({ name }) => name);
    const instead = those.length > 0 ? `, and not ${those.join(', ')} as it is now` : '';
    return { unread: `a proof about another model: ${heading.model} as it was${instead}` };
  }
  const test = testUnder(item, model);
  const query = test.queries[heading.query];
  if (query === undefined || !isStateQuery(query) || showQuery(query) !== heading.asked) {
    return {
      unread: `the program has no query ${heading.query + 1} with this text: ${heading.asked}`,
    };
  }
  const adapted = prepare(test.program, model, ENGINE);
  if (!adapted.ok) return { unread: adapted.errors.map(({ message }) => message).join('; ') };
  const structure = structureFor(adapted.value.program, model, heading.bound);
  if ('reason' in structure) return { unread: structure.reason };
  if (listingOf(structure).join('\n') !== listing.join('\n')) {
    return { wrong: 'the program has other events than those that the proof lists' };
  }
  const holds = query.quantifier === 'forall';
  const claim = { open: openIn(structure), model, condition: query.condition, asked: !holds };
  const wrong = verifier(claim)(proof);
  if (wrong !== undefined) return { wrong };
  const leaves = leavesOf(proof);
  const bounded = usesBound(proof) ? `, up to ${heading.bound} iterations of loops` : '';
  const what = `${showQuery(query)} ${holds ? 'holds' : 'is forbidden'} under ${model.name}${bounded}`;
  return { holds: `${test.name}: ${what}: ${leaves} ${leaves === 1 ? 'leaf' : 'leaves'}`, claim };
}

const usesBound = (proof: Proof): boolean =>
  proof.kind === 'leaf'
    ? proof.reason.kind === 'bound'
    : proof.parts.some((p) => usesBound(p.proof));
