import type { InstructionSet } from '../../model/instructions/set.js';
import { printInstruction } from '../../program/print.js';
import type { Program, Proposition, Test } from '../../program/program.js';
import { isStateQuery } from '../../program/program.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import { locationName, readDraft, registerName } from '../../rdma/classes/read.js';
import type { Weakening } from '../../rdma/classes/weaken.js';
import type { Circumstances } from '../circumstances.js';
import type { Judged } from './minimal.js';
import { Minimal } from './minimal.js';
import type { ModelPart } from './parts.js';

/** Tests of which it is asked whether they are minimal. */
export interface JudgeInput {
  readonly test: Test;
  /** What weaker programs may be made of. */
  readonly alphabet: Alphabet;
  readonly instructions: InstructionSet;
}

/** Whether a query is a minimal test of the model. */
export interface JudgedQuery {
  readonly query: number;
  readonly verdict: 'minimal' | 'not minimal' | 'allowed' | 'impossible' | 'not compared';
  /** Why it was not compared. */
  readonly reason?: string;
  /** Names of the condition that it can do without. */
  readonly needless: readonly string[];
  /** In words, weaker programs in which the condition is forbidden, too. */
  readonly weaker: readonly string[];
  readonly about: readonly ModelPart[];
}

/** Judges the queries of a test, under the model of the circumstances. */
export function judgeTest(
  { test, alphabet, instructions }: JudgeInput,
  { models }: Circumstances,
): readonly JudgedQuery[] {
  const { program, queries } = test;
  const minimal = new Minimal(models[0], alphabet, instructions, alphabet);
  const draft = readDraft(program, alphabet);
  return queries.flatMap((query, index): readonly JudgedQuery[] => {
    if (!isStateQuery(query)) return [];
    const values = query.quantifier === 'exists' ? conjuncts(program, query.condition) : undefined;
    if ('reason' in draft) return [notCompared(index, draft.reason)];
    if (values === undefined) return [notCompared(index, 'it asks for more than some values')];
    return [told(minimal.judge(draft, values), index, program)];
  });
}

const NOTHING = { needless: [], weaker: [], about: [] };

const notCompared = (query: number, reason: string): JudgedQuery => ({
  ...{ query, verdict: 'not compared', reason },
  ...NOTHING,
});

function told(judged: Judged, query: number, program: Program): JudgedQuery {
  switch (judged.kind) {
    case 'open':
      return notCompared(query, judged.reason);
    case 'allowed':
    case 'impossible':
      return { query, verdict: judged.kind, ...NOTHING };
    case 'minimal':
      return { query, verdict: 'minimal', ...NOTHING, about: judged.about };
    case 'not': {
      const { needless, forbidding } = judged;
      const weaker = forbidding.map((one) => inWords(one, program));
      return { query, verdict: 'not minimal', needless, weaker, about: [] };
    }
  }
}

const HOW: { readonly [kind in Weakening['kind']]: string } = {
  removed: 'is not there',
  'not waited for': 'does not wait',
  'without its tag': 'has no tag',
  'own queue pair': 'is on a queue pair of its own',
  'own thread': 'is in a thread of its own',
};

function inWords({ kind, thread, call, location }: Weakening, program: Program): string {
  const how = HOW[kind];
  if (thread === undefined || call === undefined) {
    return `${program.locations[location!].name} ${how}`;
  }
  const of = program.threads[thread];
  const texts = of.body.map((one) => printInstruction(program, of, one));
  const alike = [...texts.keys()].filter((i) => texts[i] === texts[call]);
  const nth = alike.length === 1 ? '' : ` (${alike.indexOf(call) + 1} of ${alike.length})`;
  return `${texts[call]}${nth} of ${of.name} ${how}`;
}

/** The values that a condition asks for, by the names that drafts have; undefined: it is no conjunction of such. */
function conjuncts(
  program: Program,
  condition: Proposition,
): ReadonlyMap<string, string> | undefined {
  switch (condition.kind) {
    case 'atom': {
      const { left, right, equal } = condition;
      if (!equal || right.kind !== 'int') return undefined;
      const name =
        left.kind === 'location'
          ? locationName(program, left.location)
          : registerName(program, left.thread, left.register);
      return new Map([[name, `${right.value}`]]);
    }
    case 'and': {
      const sides = [condition.left, condition.right].map((one) => conjuncts(program, one));
      return sides.some((one) => one === undefined)
        ? undefined
        : new Map(sides.flatMap((one) => [...one!]));
    }
    case 'true':
    case 'not':
    case 'or':
      return undefined;
  }
}
