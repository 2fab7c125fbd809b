import { clausesOf } from '../check/clauses.js';
import { structureFor } from '../check/structure.js';
import { wrongWithClauses } from '../check/verify-clauses.js';
import type { Settings } from '../libraries/inline.js';
import type { Model } from '../model/term.js';
import { loadModelNamed } from '../node/models.js';
import { modelOver } from '../program/events/narrow.js';
import { openIn } from '../program/events/open.js';
import type { EventStructure } from '../program/events/structure.js';
import { showQuery } from '../program/print.js';
import type { StateQuery } from '../program/program.js';
import { isStateQuery } from '../program/program.js';
import type { Claim } from '../proof/contradiction.js';
import type { Head } from '../proof/heading.js';
import { eventLines } from '../proof/heading.js';
import type { Proof } from '../proof/proof.js';
import type { Certificate } from '../proof/text.js';
import { leavesOf } from '../proof/text.js';
import { verifier } from '../proof/verify.js';
import { prepare } from '../rdma/prepare.js';
import { modelsOf, testUnder } from './clients.js';
import { askDratTrim } from './drat-trim.js';
import { AS_EXPECTED, BAD_INPUT, DEPARTS } from './exit.js';
import { findTests } from './find.js';
import { isFolder } from './folders.js';
import type { CorpusTest, ModelInputs } from './inputs.js';
import { readCorpus, readModels } from './inputs.js';
import { complain } from './print.js';
import { modelDigest, programDigest } from './proofs.js';
import type { AnyProof, ClauseProof } from './read-proof.js';
import { CLAUSES, readProof, stepsOf } from './read-proof.js';
import { openReader } from './reader.js';
import { UsageError } from './usage.js';
import { VERSION } from './version.js';

export interface VerifyOptions {
  readonly model?: readonly string[];
  readonly library?: readonly string[];
  readonly implementation?: readonly string[];
  readonly set?: Settings;
}

/** The engine whose instructions a program is fitted to: that of verdicts. */
const ENGINE = 'auto';

/** What is believed without a proof. */
const TRUSTED =
  'Taken for granted: the parsers, the events of the program, the table of terms of the model and its operators.';
const TRUSTED_OF_CLAUSES =
  'Taken for granted of clauses: the same, the bounds of values and relations, and the encoding.';

/** What became of a proof. */
type Outcome =
  { readonly holds: string } | { readonly wrong: string } | { readonly unread: string };

/** `remora verify`: does each proof show that the program cannot do what was asked? */
export async function verify(
  file: string,
  given: readonly string[],
  options: VerifyOptions,
): Promise<number> {
  if (isFolder(file))
    throw new UsageError(`${file} is a folder: name one litmus file, and the proofs about it`);
  const reader = await openReader([file]);
  const found = findTests(given, ['.proof', CLAUSES]);
  const errors = found.flatMap((one) => one.errors);
  const paths = found.flatMap(({ files }) => files);
  const read = paths.map(readProof);
  const named = read.flatMap((one) => ('unread' in one ? [] : [one.value.heading.model]));
  const names =
    options.model ?? [...new Set(named)].filter((name) => loadModelNamed(name).model.ok);
  const models = readModels(names, ENGINE, reader);
  const corpus = readCorpus([file], models, reader, options);
  complain([...errors, ...models.errors, ...corpus.errors]);
  const [item] = corpus.tests;
  if (item === undefined || errors.length + models.errors.length > 0) return BAD_INPUT;
  const outcomes = read.map((one): Outcome => {
    if ('unread' in one) {
      complain([one.unread]);
      return one;
    }
    const outcome = confirmed(one.path, one.value, judge(one.value, item, models, options));
    if ('unread' in outcome) complain([`${one.path}: ${outcome.unread}`]);
    else if ('holds' in outcome) process.stdout.write(`${one.path}: ${outcome.holds}\n`);
    else process.stdout.write(`${one.path}: not shown: ${outcome.wrong}\n`);
    return outcome;
  });
  const held = read.filter((_, i) => 'holds' in outcomes[i]);
  if (held.length > 0) process.stdout.write(`${TRUSTED}\n`);
  if (held.some((one) => 'value' in one && isInClauses(one.value)))
    process.stdout.write(`${TRUSTED_OF_CLAUSES}\n`);
  if (outcomes.some((one) => 'unread' in one)) return BAD_INPUT;
  return outcomes.some((one) => 'wrong' in one) ? DEPARTS : AS_EXPECTED;
}

/** Does `drat-trim` accept clauses and steps that hold, too, where it is installed? */
function confirmed(path: string, value: AnyProof, outcome: Outcome): Outcome {
  if (!isInClauses(value) || !('holds' in outcome)) return outcome;
  const answer = askDratTrim(path, stepsOf(path));
  if (answer === undefined) return outcome;
  if (answer.accepts) return { holds: `${outcome.holds}; drat-trim agrees` };
  return { wrong: `drat-trim does not accept it: ${answer.said}` };
}

const isInClauses = (value: AnyProof): value is ClauseProof => 'steps' in value;

/** Holds a proof against the program. */
export function judge(
  proof: AnyProof,
  item: CorpusTest,
  models: ModelInputs,
  options: VerifyOptions,
): Outcome {
  const subject = subjectOf(proof, item, models, options);
  if (!('structure' in subject)) return subject;
  const { structure, model, query, name } = subject;
  const holds = query.quantifier === 'forall';
  const claim = { open: openIn(structure), model, condition: query.condition, asked: !holds };
  const found = isInClauses(proof) ? judgeClauses(proof, claim) : judgeTree(proof, claim);
  if ('wrong' in found) return found;
  const bounded = found.usesBound ? `, up to ${structure.bound} iterations of loops` : '';
  const what = `${showQuery(query)} ${holds ? 'holds' : 'is forbidden'} under ${model.name}${bounded}`;
  return { holds: `${name}: ${what}: ${found.size}` };
}

/** What is wrong with a proof; or how large it is, and whether it rests on the bound of loops. */
type Judgement =
  { readonly wrong: string } | { readonly size: string; readonly usesBound: boolean };

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

function judgeTree({ proof }: Certificate, claim: Claim): Judgement {
  const wrong = verifier(claim)(proof);
  if (wrong !== undefined) return { wrong };
  return { size: count(leavesOf(proof), 'leaf', 'leaves'), usesBound: usesBound(proof) };
}

function judgeClauses(proof: ClauseProof, { open, model, condition, asked }: Claim): Judgement {
  const { structure } = open;
  const encoded = clausesOf(structure, modelOver(structure, model), condition, asked);
  if ('reason' in encoded) return { wrong: encoded.reason };
  const wrong = wrongWithClauses(encoded, proof, proof.steps);
  if (wrong !== undefined) {
    const by =
      proof.remora === VERSION ? '' : ` (it was encoded by ${proof.remora}, not ${VERSION})`;
    return { wrong: `${wrong}${by}` };
  }
  const sizes = [
    count(proof.clauses.length, 'clause', 'clauses'),
    count(proof.cycles.length, 'cycle', 'cycles'),
    count(proof.steps.filter(({ deletes }) => deletes !== true).length, 'step', 'steps'),
  ];
  // Which clauses are about the bound is not told apart.
  return { size: sizes.join(', '), usesBound: structure.cuts.length > 0 };
}

/** What a proof is about, as the program is now; or why it is about something else. */
function subjectOf(
  { heading, events }: Head,
  item: CorpusTest,
  models: ModelInputs,
  { model: names }: VerifyOptions,
):
  | {
      readonly structure: EventStructure;
      readonly model: Model;
      readonly query: StateQuery;
      readonly name: string;
    }
  | Outcome {
  if (heading.program !== programDigest(item.source)) {
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
  if (eventLines(structure).join('\n') !== events.join('\n')) {
    return { wrong: 'the program has other events than those that the proof lists' };
  }
  return { structure, model, query, name: test.name };
}

const usesBound = (proof: Proof): boolean =>
  proof.kind === 'leaf'
    ? proof.reason.kind === 'bound'
    : proof.parts.some((p) => usesBound(p.proof));
