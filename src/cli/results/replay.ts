/**
 * Replays the executions in files of results. A digest shows that nobody changed a line by accident; a replay shows
 * that an `allowed` or `fails` is true, whoever wrote it.
 */
import { structureFor } from '../../check/structure.js';
import { verifyWitness } from '../../check/witness/verify.js';
import { holds } from '../../check/witness/witness.js';
import type { Witness } from '../../check/witness/witness.js';
import type { Model } from '../../model/term.js';
import { readLitmus } from '../../node/tests.js';
import { once } from '../../parse/once.js';
import { finalState } from '../../program/final.js';
import type { FinalState } from '../../program/final.js';
import { Libraries } from '../../program/libraries.js';
import type { Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import { observedSubjects } from '../../program/subjects.js';
import type { Engine } from '../../rdma/engines.js';
import { takesAll } from '../../rdma/prepare.js';
import { adapt } from '../../rdma/translate.js';
import { isClient, modelsOf, testUnder } from '../inputs/clients.js';
import { loadSavedModel } from './saved-models.js';
import { filesWith } from './saved-files.js';
import type { FileEntry, Header, RunModel } from './format.js';
import type { ClaimedAnswer, SavedResults } from './read.js';
import { contentOf } from '../inputs/shard.js';

/**
 * The outcome of replaying: errors, each with its place, and the executions that were not replayed for lack of a model.
 */
export interface Replayed {
  readonly errors: readonly string[];
  readonly left: readonly string[];
}

/** Replays the executions of a file of results. */
export function replayed(path: string, { header, claims }: SavedResults): Replayed {
  const errors: string[] = [];
  const left: string[] = [];
  // Machines give runs, not executions.
  if (!takesAll(header.engine as Engine)) return { errors, left };
  const models = once(() => header.models.map((one) => asItWas(one)));
  const under = new Map<FileEntry, Finder>();
  for (const claim of claims) {
    const find = under.get(claim.entry) ?? finderOf(claim.entry, header, models());
    under.set(claim.entry, find);
    const found = find(claim.model);
    if (found === undefined) left.push(claim.model);
    else {
      const wrong = wrongWith(claim, found, header.bound);
      if (wrong !== undefined) errors.push(`${path}:${claim.line}: ${wrong}`);
    }
  }
  return { errors, left };
}

/** The message that some executions were not replayed, as one line. */
export function notReplayed(left: readonly string[]): readonly string[] {
  if (left.length === 0) return [];
  const count = left.length === 1 ? '1 witness was' : `${left.length} witnesses were`;
  const models = [...new Set(left)].join('; ');
  return [`${count} not replayed, as the model is not here with the text that it had: ${models}`];
}

/** A model, if it still has the text that it had. */
function asItWas(one: RunModel): Model | undefined {
  const { model, sources: all } = loadSavedModel(one);
  const text = [...all.values()].map((source) => source.text).join('\n');
  return model.ok && contentOf(text) === one.content ? model.value : undefined;
}

interface Subject {
  readonly test: Test;
  readonly model: Model;
}

/** Gives a test as it is asked under the model of this name; undefined if the model is not there. */
type Finder = (model: string) => Subject | undefined;

function finderOf(
  { file, source, libraries }: FileEntry,
  header: Header,
  models: readonly (Model | undefined)[],
): Finder {
  const known = models.map((model, i) => model ?? header.models[i].model);
  const { test, inlined: others = [] } = readLitmus(source, file, known, {
    libraries: new Libraries(filesWith(libraries)),
    instead: header.library,
  });
  if (!test.ok) return () => undefined;
  const inlined = others.flatMap((one) => (one.test.ok ? [one.test.value] : []));
  const item = { test: test.value, inlined };
  // `compare` decides clients under library files with other names than their own.
  const compared = header.command === 'compare' && isClient(test.value);
  const there = models.flatMap((model) => model ?? []);
  const asked = compared ? [] : modelsOf(item, there);
  return (name) => {
    const model = asked.find((one) => one.name === name);
    return model && { test: testUnder(item, model), model };
  };
}

/** Why an answer is not shown by its execution. */
function wrongWith(
  { answer: { query: index, verdict, witness, state, flags } }: ClaimedAnswer,
  { test, model }: Subject,
  bound: number | undefined,
): string | undefined {
  const query = test.queries[index];
  if (query === undefined) return `the test has no query ${index + 1}`;
  if (!isStateQuery(query)) return undefined;
  const { quantifier, condition } = query;
  const universal = quantifier === 'forall';
  if (universal !== (verdict === 'fails')) return `'${verdict}' is no answer to ${quantifier}`;
  if (witness === undefined) return `'${verdict}' without an execution that shows it`;
  const found = execute(test, model, witness, bound);
  if ('wrong' in found) return `there is no such execution: ${found.wrong}`;
  const { final, run, raised } = found;
  if (!sameState(state, final)) return 'the final state is not that of the execution';
  if (holds(condition, run.final) === universal) return `the execution does not show '${verdict}'`;
  return flags.join('\n') === raised.join('\n')
    ? undefined
    : 'the flags are not those of the execution';
}

/** The final state of an execution, and the flags that it raises; or why the model has no such execution. */
function execute(test: Test, model: Model, witness: Witness, bound: number | undefined) {
  const adapted = adapt(test.program, model);
  if (!adapted.ok) return { wrong: `the program has no translation for ${model.name}` };
  const { program } = adapted.value;
  const structure = structureFor(program, model, bound);
  if ('reason' in structure) return { wrong: structure.reason };
  if (witness.choices.length !== structure.choices) return { wrong: 'it makes other choices' };
  const verified = verifyWitness(structure, model, witness);
  if ('wrong' in verified) return verified;
  const { run, judgement } = verified;
  const broken = judgement.axioms.find((axiom) => !axiom.holds);
  if (broken !== undefined) return { wrong: `${broken.axiom.name} of ${model.name} fails` };
  const final = finalState(program, observedSubjects({ ...test, program }), run.final);
  return { run, final, raised: judgement.flags.map((flag) => flag.name) };
}

function sameState(a: FinalState = {}, b: FinalState): boolean {
  const names = Object.keys(b);
  return Object.keys(a).length === names.length && names.every((name) => a[name] === b[name]);
}
