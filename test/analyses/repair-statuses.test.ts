import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FixInput } from '../../src/analyses/repair/fix.js';
import { fix } from '../../src/analyses/repair/fix.js';
import type { Acceptance, Goal } from '../../src/analyses/repair/goal.js';
import { testSets } from '../../src/analyses/repair/test-sets.js';
import { repairOffer } from '../../src/analyses/repair/trial.js';
import { decide } from '../../src/check/decide.js';
import { openSession } from '../../src/check/session.js';
import type { Model } from '../../src/model/term.js';
import type { Program } from '../../src/program/program.js';
import { ADDITION_KINDS, DEFAULT_COSTS } from '../../src/rdma/additions.js';
import { adapted, litmus, modelOf, newSolver, verdicts } from '../support/checker.js';
import { ALL, few } from '../support/random.js';

/** Tests of statuses in random programs: what is printed is right, and nothing is cheaper where it says so. */

/** So many sets of additions are tried in one program that has some tests. */
const SETS = 20;

/** What has no answer by then is not looked at. */
const TIME = 4000;

/** Work on a queue pair that may break and on another, with polls of what is open. */
const bodies = fc
  .array(fc.constantFrom('x', 'x', 'y', 'f', 'poll', 'status'), { minLength: 2, maxLength: 4 })
  .map((kinds) => {
    let open = 0;
    const written = kinds.flatMap((kind, n) => {
      if (kind === 'f') return [`f^2.b := ${n + 1}`];
      const isPoll = kind === 'poll' || kind === 'status';
      if (isPoll && open === 0) return [];
      open += isPoll ? -1 : 1;
      if (isPoll) return [`${kind === 'poll' ? '' : `s${n} := `}poll(2.a)`];
      return [`${kind}^2.a := ${n + 1}`];
    });
    return [...written, 'f^2.b := 9'].join('; ');
  });

const programs = fc
  .tuple(bodies, fc.constantFrom('r != 0 /\\ p = 0', 'r = 9 /\\ p = 0', 'r != 0 /\\ q = 0'))
  .map(
    ([body, asked]) => `RDMA t
node 1 {}
node 2 { x = 0; y = 0; f = 0 }
qp a : T1 -> 2 [fallible]
thread T1 on 1 { ${body} }
thread T2 on 2 { r := f; p := x; q := y }
exists (${asked})`,
  );

/** The costs of sets of tests with up to two additions that rule the outcome out, of those that cost less than some limit. */
function cheaper({ test, query }: FixInput, model: Model, limit: number): readonly number[] {
  const accept = (program: Program): Acceptance => {
    let verdict = '';
    const ask = { queries: [query] };
    decide({ ...test, program }, model, newSolver, ask, (a) => (verdict = a.verdict));
    return { kind: verdict === 'forbidden' ? 'met' : 'missed' };
  };
  const goal: Goal = { model, accept, try: () => ({ reason: 'not asked' }) };
  const open = (program: Program) => openSession(program, model, newSolver);
  const plain = { price: 0, program: test.program, accept };
  const tested = testSets(test.program, goal, DEFAULT_COSTS, open).sets.flatMap((set) => {
    const made = set.price < limit ? set.make() : undefined;
    if (made === undefined) return [];
    const own = (changed: Program): Acceptance => set.accept(changed, made);
    return [{ price: set.price, program: made.program, accept: own }];
  });
  return [plain, ...tested].flatMap(({ price, program, accept: own }) => {
    const offer = repairOffer(program, new Set(ADDITION_KINDS), false, model, Infinity)!;
    const sets = offer.additions.flatMap((_, i) => [
      [i],
      ...offer.additions.slice(i + 1).map((__, j) => [i, i + 1 + j]),
    ]);
    const costOf = (set: readonly number[]): number =>
      set.reduce((sum, i) => sum + DEFAULT_COSTS[offer.additions[i].kind], price);
    return [[], ...sets]
      .filter((set) => costOf(set) < limit && !offer.blocks(set))
      .slice(0, SETS)
      .filter((set) => own(offer.make(set).program).kind === 'met')
      .map(costOf);
  });
}

test('what is found is right, and nothing is cheaper where it says so', () => {
  let found = 0;
  let none = 0;
  for (const [n, text] of fc.sample(programs, { seed: 5, numRuns: ALL ? 40 : 3 }).entries()) {
    const model = modelOf(n % 2 === 0 ? 'rdma-tso' : 'rdma-manpage');
    if (verdicts(text, model)[0] !== 'allowed') continue;
    const input = { test: adapted(litmus(text), model), query: 0, costs: DEFAULT_COSTS };
    const circumstances = { models: [model], newSolver, acyclicity: 'elimination' } as const;
    const answer = fix(input, { ...circumstances, deadline: performance.now() + TIME });
    if (answer.kind !== 'additions') throw new Error(text);
    const { repair } = answer;
    if (repair.kind === 'unknown') continue;
    if (repair.kind === 'found')
      expect(verdicts(repair.litmus, model), text).toEqual(['forbidden']);
    if (repair.unsure === true || (repair.kind === 'found' && repair.perhapsDear)) continue;
    if (repair.kind === 'found') found += 1;
    else none += 1;
    const limit = repair.kind === 'found' ? repair.cost : 25;
    expect(cheaper(input, model, limit), text).toEqual([]);
  }
  expect(found).toBeGreaterThanOrEqual(few(4));
  expect(none).toBeGreaterThanOrEqual(few(4));
});
