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

/** The registers that may have another value than in the execution that is shown. */
export async function readsOf(asked: Asked, by: Decider): Promise<Part> {
  return { kind: 'reads', reads: await otherReads(asked, by) };
}

/** An execution in which one register has another value and the others are as they are, or why there is none. */
export async function changedOf(
  { thread, register, value }: Of<'changed'>,
  asked: Asked,
  by: Decider,
): Promise<Part> {
  const { test, model } = asked;
  const reads = await otherReads(asked, by);
  const same = reads.filter((one) => one.thread !== thread || one.register !== register);
  const alone = isValue({ thread, register }, value);
  const condition = same.reduce<Proposition>(
    (all, one) => ({ kind: 'and', left: all, right: isValue(one, one.is) }),
    alone,
  );
  const valueOf = (one: Register, is: number): string => `${nameOf(test, one)} = ${valueText(is)}`;
  const text = valueOf({ thread, register }, value);
  const others = same.map((one) => valueOf(one, one.is));
  const about = (condition: Proposition, texts: readonly string[]): core.Test => ({
    ...test,
    queries: [
      {
        ...{ quantifier: 'exists', condition, expectations: [], observations: [] },
        text: `exists (${texts.join(' /\\ ')})`,
        span: test.queries[0].span,
      },
    ],
  });
  const focus = { model: 0, query: 0 };
  const changed = { ...asked, test: about(condition, [text, ...others]), focus };
  const { explanation, told } = await toldOf(changed, by, { id: 'changed' });
  const verdict = explanation?.verdict ?? 'unknown';
  const part = { kind: 'changed', text, verdict, explained: told } as const;
  if (verdict !== 'forbidden' || same.length === 0) return part;
  const { answers } = await decided(about(alone, [text]), asked.source, model, by);
  return { ...part, freely: answers[0].verdict };
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

/** What registers can have is what the program alone lets them have, whatever the model says. */
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
  return allSubjects(program).flatMap((subject) => {
    if (subject.kind !== 'register') return [];
    const { thread, register } = subject;
    const is = verified.run.final(subject);
    const others = values[structure.registers[thread][register]].filter((one) => one !== is);
    if (is === undefined || others.length === 0) return [];
    return [{ text: nameOf(asked.test, subject), thread, register, is, others }];
  });
}

type Register = Pick<Extract<Subject, { kind: 'register' }>, 'thread' | 'register'>;

const isValue = ({ thread, register }: Register, value: number): Proposition => ({
  kind: 'atom',
  left: { kind: 'register', thread, register },
  equal: true,
  right: { kind: 'int', value },
});

const nameOf = ({ program }: core.Test, { thread, register }: Register): string =>
  subjectName(program, { kind: 'register', thread, register }, true);
