import { structureFor } from '../src/check/structure.js';
import { verifyWitness } from '../src/check/witness/verify.js';
import type * as core from '../src/core.js';
import { computeBounds } from '../src/encode/bounds/bounds.js';
import { valueText } from '../src/parse/values.js';
import type { Proposition, Subject } from '../src/program/program.js';
import { allSubjects, subjectName } from '../src/program/subjects.js';
import { prepare } from '../src/rdma/prepare.js';
import type { Decider } from './decided.js';
import { decided } from './decided.js';
import type { Asked } from './explained.js';
import { toldOf } from './explained.js';
import type { Longer, Part, ShownRead } from './question.js';

type Of<Kind extends Longer['kind']> = Extract<Longer, { kind: Kind }>;

const CHANGED = 'this has changed meanwhile';

/** Another execution that shows what was answered, or that there is none. */
export async function anotherOf({ seen }: Of<'another'>, asked: Asked, by: Decider): Promise<Part> {
  const { test, model, focus } = asked;
  const { engine, pool } = by;
  const part = { kind: 'another', number: seen + 2 } as const;
  const none = (text: string): Part => ({ ...part, found: { none: text } });
  const shown = await shownExecution(asked, by);
  if (shown === undefined) return none(CHANGED);
  const { query } = focus;
  const analysed = await pool.analyse({
    kind: 'analysis',
    analysis: 'another',
    engine,
    models: [model],
    input: { test: shown.test, query, answer: shown.answer, seen },
  });
  const found = 'output' in analysed ? analysed.output : undefined;
  if (found === undefined || found.kind === 'unknown')
    return none(`Whether there is another is unknown: ${found?.reason ?? 'the search gave up'}.`);
  if (found.kind === 'none') {
    const upTo = found.upTo === undefined ? '' : `, up to ${found.upTo} iterations of its loops`;
    const all = seen === 0 ? 'This is the only one' : `These were all ${seen + 1}`;
    return none(`${all}${upTo}.`);
  }
  const { answer, endsAsBefore: exactly } = found;
  const { told } = await toldOf({ ...asked, test }, by, { id: 'another', answer, exactly });
  return { ...part, found: told };
}

/** What was read, and may be read otherwise. */
export async function readsOf(asked: Asked, by: Decider): Promise<Part> {
  return { kind: 'reads', reads: await otherReads(asked, by) };
}

/** An execution in which one read has another value and the others are as they are, or why there is none. */
export async function changedOf(
  { subject, value }: Of<'changed'>,
  asked: Asked,
  by: Decider,
): Promise<Part> {
  const { test, model } = asked;
  const text = nameOf(test, subject);
  const reads = await otherReads(asked, by);
  const same = reads.filter((one) => one.text !== text);
  const alone = [text, subject, value] as const;
  const others = same.map((one) => [one.text, one.subject, one.is] as const);
  const changed = { ...asked, test: asking(test, [alone, ...others]), focus: FIRST };
  const { explanation, told } = await toldOf(changed, by, { id: 'changed' });
  const verdict = explanation?.verdict ?? 'unknown';
  const part = {
    kind: 'changed',
    text: `${text} = ${valueText(value)}`,
    verdict,
    explained: told,
  } as const;
  if (verdict !== 'forbidden' || same.length === 0) return part;
  const { answers } = await decided(asking(test, [alone]), asked.source, model, by);
  return { ...part, freely: answers[0].verdict };
}

const FIRST = { model: 0, query: 0 };

/** The test with another query: whether all of these values are possible at once. */
function asking(
  test: core.Test,
  values: readonly (readonly [name: string, subject: Subject, value: number])[],
): core.Test {
  const atoms = values.map(([, left, value]): Proposition => ({
    ...{ kind: 'atom', left, equal: true },
    right: { kind: 'int', value },
  }));
  const condition = atoms.reduce((left, right) => ({ kind: 'and', left, right }));
  const text = values.map(([name, , value]) => `${name} = ${valueText(value)}`).join(' /\\ ');
  const none = { expectations: [], observations: [] };
  const { span } = test.queries[0];
  return { ...test, queries: [{ quantifier: 'exists', condition, text, ...none, span }] };
}

/** The execution that explains the verdict, of the program as it is for the model. */
async function shownExecution(
  { test, source, model, focus }: Asked,
  by: Decider,
): Promise<{ readonly test: core.Test; readonly answer: core.Answer } | undefined> {
  const prepared = prepare(test.program, model, by.engine);
  if (!prepared.ok) return undefined;
  const { answers } = await decided(test, source, model, by);
  const answer = answers.find(({ query }) => query === focus.query);
  return answer?.witness === undefined
    ? undefined
    : { test: { ...test, program: prepared.value.program }, answer };
}

/** Registers, and the private locations into which gets bring what they read. What they can have is what the program alone lets them have, whatever the model says. */
async function otherReads(asked: Asked, by: Decider): Promise<readonly ShownRead[]> {
  const shown = await shownExecution(asked, by);
  if (shown === undefined) return [];
  const { program } = shown.test;
  const structure = structureFor(program, asked.model);
  if ('reason' in structure) return [];
  const verified = verifyWitness(structure, asked.model, shown.answer.witness!);
  const bounds = computeBounds(structure, undefined);
  if ('wrong' in verified || !bounds.ok) return [];
  const { values } = bounds.bounds;
  const valuesOf = (subject: Subject): readonly number[] => {
    if (subject.kind === 'register')
      return values[structure.registers[subject.thread][subject.register]];
    const { owner } = program.locations[subject.location];
    if (owner === undefined) return [];
    const writes = structure.events.filter(({ location }) => location === subject.location);
    return writes.flatMap(({ value }) => (value === undefined ? [] : values[value]));
  };
  return allSubjects(program).flatMap((subject) => {
    const is = verified.run.final(subject);
    const others = [...new Set(valuesOf(subject))].filter((one) => one !== is);
    if (is === undefined || others.length === 0) return [];
    const text = nameOf(asked.test, subject);
    return [{ text, subject, is, others: others.sort((a, b) => a - b) }];
  });
}

const nameOf = ({ program }: core.Test, subject: Subject): string =>
  subjectName(program, subject, true);
