import { INTERRUPTION } from '../../check/result.js';
import type { Outcomes } from '../../check/result.js';
import type { Expectation, Observation } from '../../parse/litmus-ast.js';
import { valueText } from '../../parse/values.js';
import type { Program, Proposition, StateQuery, Subject, Test } from '../../program/program.js';

import type { Engine } from '../../rdma/engines.js';
import { prepare } from '../../rdma/prepare.js';
import { askWhy } from '../ask/explain.js';
import type { Explanation } from '../explain/explanation.js';
import type { Pool } from '../workers.js';

/**
 * Refinement (LOCO paper, Def. 3.10): every outcome of a client with implementations in the place of calls is one
 * that its libraries allow. Outcomes are the final values of the threads' private names.
 */

/** A client as its libraries specify it, and as implementations make it. Each brings its model. */
export interface RefinementPair {
  readonly specification: Test;
  readonly implementation: Test;
}

/** What came of one client. */
export interface Refinement {
  readonly client: string;
  /** The libraries that it was decided by, together. */
  readonly libraries: string;
  readonly verdict: 'refines' | 'does not refine' | 'unknown';
  /** How many outcomes the libraries allow, and how many of these the implementation has. */
  readonly specified: number;
  readonly implemented: number;
  /** Why it is unknown; `INTERRUPTION`: it was ended before. */
  readonly reason?: string;
  /** The implementation has no execution at all, although the libraries allow some: then it hangs. */
  readonly hangs: boolean;
  readonly failure?: RefinementFailure;
  readonly milliseconds: number;
}

/** An outcome of the implementation that the libraries forbid. */
export interface RefinementFailure {
  readonly outcome: readonly PrivateValue[];
  /** The execution that shows it, and why the libraries forbid it; each re-checked without a solver. */
  readonly execution?: Explanation;
  readonly forbidden?: Explanation;
}

export interface PrivateValue {
  readonly thread: string;
  readonly name: string;
  readonly value: number;
}

export interface RefineOptions {
  readonly engine: Engine;
  readonly bound?: number;
  /** Whether a failure is explained. */
  readonly explained: boolean;
}

/** Holds the outcomes of a client with implementations against those that its libraries allow. */
export async function refine(
  pool: Pool,
  pair: RefinementPair,
  options: RefineOptions,
): Promise<Refinement> {
  const start = performance.now();
  const { specification, implementation } = pair;
  const names = privateNames(specification.program);
  const [allowed, made] = await Promise.all([
    list(pool, specification, names, options),
    list(pool, implementation, names, options),
  ]);
  const known = new Set(allowed.states.map(keyOf));
  const extra = made.states.filter((state) => !known.has(keyOf(state)));
  const counted = {
    client: specification.name,
    libraries: specification.models?.[0].name ?? '',
    specified: allowed.states.length,
    implemented: made.states.length - extra.length,
  };
  const ended = (verdict: Refinement['verdict'], more: Partial<Refinement> = {}): Refinement => ({
    ...counted,
    verdict,
    hangs: false,
    ...more,
    milliseconds: performance.now() - start,
  });
  const open = openReason(allowed, 'the libraries');
  // Where not all is known that the libraries allow, an outcome that is missing may be among the rest.
  if (extra.length > 0 && open !== undefined) return ended('unknown', { reason: open });
  if (extra.length > 0) {
    const outcome = valuesOf(names, extra[0]);
    return ended('does not refine', { failure: await failure(pool, pair, outcome, options) });
  }
  const rest = openReason(made, 'the implementation');
  if (rest !== undefined) return ended('unknown', { reason: rest });
  return ended('refines', { hangs: made.states.length === 0 && allowed.states.length > 0 });
}

/** Why a list may not be complete. */
function openReason(
  { incomplete, upTo }: Pick<Outcomes, 'incomplete' | 'upTo'>,
  whose: string,
): string | undefined {
  if (incomplete === INTERRUPTION) return incomplete;
  if (incomplete !== undefined) return `${whose}: ${incomplete}`;
  if (upTo === undefined) return undefined;
  return `${whose}: loops were unrolled ${upTo} ${upTo === 1 ? 'time' : 'times'}, and may go on`;
}

interface PrivateName {
  readonly thread: string;
  readonly name: string;
}

/** The private names of all threads, in order. */
function privateNames(program: Program): readonly PrivateName[] {
  const names: PrivateName[] = [];
  for (const [index, { name: thread, registers }] of program.threads.entries()) {
    for (const name of registers) names.push({ thread, name });
    for (const { name, owner, hidden } of program.locations) {
      if (owner === index && hidden !== true) names.push({ thread, name });
    }
  }
  return names;
}

/** What has a name in a program. Instructions in the place of calls leave all names of the client as they are. */
function subjectOf(program: Program, { thread, name }: PrivateName): Subject {
  const owner = program.threads.findIndex((t) => t.name === thread);
  const register = program.threads[owner].registers.indexOf(name);
  if (register >= 0) return { kind: 'register', thread: owner, register };
  const location = program.locations.findIndex((l) => l.owner === owner && l.name === name);
  if (location < 0) throw new Error(`${thread} has no '${name}'`);
  return { kind: 'location', location };
}

type State = readonly number[];

const keyOf = (state: State): string => state.join(' ');

async function list(
  pool: Pool,
  test: Test,
  names: readonly PrivateName[],
  { engine, bound }: RefineOptions,
): Promise<Omit<Outcomes, 'states'> & { readonly states: readonly State[] }> {
  const { models: [model] = [] } = test;
  const prepared = prepare(test.program, model, engine);
  if (!prepared.ok) {
    const incomplete = prepared.errors[0].message;
    return { states: [], flags: [], incomplete, milliseconds: 0 };
  }
  const { program } = prepared.value;
  const subjects = names.map((name) => subjectOf(program, name));
  const found = await pool.outcomes({
    kind: 'outcomes',
    counted: false,
    engine,
    models: [model],
    test: { ...test, program, models: undefined },
    subjects,
    bound,
  });
  return { ...found, states: found.states.map((state) => Object.values(state)) };
}

const valuesOf = (names: readonly PrivateName[], state: State): readonly PrivateValue[] =>
  names.map((name, i) => ({ ...name, value: state[i] }));

async function failure(
  pool: Pool,
  { specification, implementation }: RefinementPair,
  outcome: readonly PrivateValue[],
  { explained, bound }: RefineOptions,
): Promise<RefinementFailure> {
  if (!explained) return { outcome };
  const [execution, forbidden] = await Promise.all(
    [implementation, specification].map(async (test) => {
      const asked = { ...test, queries: [queryOf(test, outcome)], models: undefined };
      const why = await askWhy(pool, asked, (test.models ?? []).slice(0, 1), 0, { bound });
      if (!why.ok) throw new Error(why.errors[0].message);
      return why.value;
    }),
  );
  return { outcome, execution, forbidden };
}

/** The question whether a test can end in an outcome. */
function queryOf(test: Test, outcome: readonly PrivateValue[]): StateQuery {
  const atoms = outcome.map(({ thread, name, value }): Proposition => ({
    kind: 'atom',
    left: subjectOf(test.program, { thread, name }),
    equal: true,
    right: { kind: 'int', value },
  }));
  const [first, ...others] = atoms;
  const condition = others.reduce<Proposition>(
    (left, right) => ({ kind: 'and', left, right }),
    first ?? { kind: 'true' },
  );
  const text = outcome.map(({ name, value }) => `${name} = ${valueText(value)}`).join(' /\\ ');
  const none: { expectations: readonly Expectation[]; observations: readonly Observation[] } = {
    expectations: [],
    observations: [],
  };
  return {
    quantifier: 'exists',
    text: text === '' ? 'true' : text,
    condition,
    ...none,
    span: { file: test.file, start: 0, end: 0 },
  };
}

/** The name of a private name for people, with its thread where several have it. */
export const outcomeText = (outcome: readonly PrivateValue[]): string =>
  outcome
    .map(({ thread, name, value }) => {
      const shared = outcome.some((other) => other.name === name && other.thread !== thread);
      return `${shared ? `${thread}:` : ''}${name} = ${valueText(value)}`;
    })
    .join(', ');
