import type { Program } from '../../program/program.js';
import type { Costs } from '../../rdma/additions.js';
import { kindsByCost } from '../../rdma/additions.js';
import { additionsOf } from '../../rdma/offering.js';
import { operationNotKnown } from '../../rdma/postings.js';
import { memoriesOf } from '../../rdma/retags.js';
import type { StatusTest } from '../../rdma/statuses.js';
import { mayFail, statusTestsOf } from '../../rdma/statuses.js';
import type { TestedProgram } from '../../rdma/tested.js';
import { withTests } from '../../rdma/tested.js';
import type { Acceptance, Goal } from './goal.js';
import type { KnownPolls } from './trial.js';
import { completionUnder, isSpoilt, knownPolls } from './trial.js';
import type { Open } from './usefulness.js';
import { usefulness } from './usefulness.js';

/** At most so many tests are made together. */
const MOST = 3;

/** Tests of statuses that are made together. */
export interface TestSet {
  readonly price: number;
  /** The program with them; undefined: some poll may have nothing to poll, or a status is of other work. */
  readonly make: () => TestedProgram | undefined;
  /** As of the goal, for this program with more that was added. The tests have to be of use there, too. */
  readonly accept: (program: Program, tested: TestedProgram) => Acceptance;
}

/** Sets of tests that are each of use, cheap sets first. */
export interface TestSets {
  readonly sets: readonly TestSet[];
  /** What larger sets cost at least, if there are any. They are not tried. */
  readonly larger: number;
}

/** @param open opens a session in which it is seen whether tests are of use */
export function testSets(program: Program, goal: Goal, costs: Costs, open: Open): TestSets {
  const none = { sets: [], larger: Infinity };
  if (!mayFail(program) || operationNotKnown(program) !== undefined) return none;
  if (completionUnder(goal.model) === 'wait') return none;
  const kinds = new Set(
    kindsByCost(program, goal.model, costs).filter((kind) => kind.endsWith('poll')),
  );
  const offer = additionsOf(program, kinds, 'poll', false, memoriesOf(goal.model));
  const isUseful = usefulness(program, open);
  const polls = knownPolls(program);
  const price = (tests: readonly StatusTest[]): number =>
    tests
      .flatMap((test) => [...test.kinds, 'status' as const])
      .reduce((sum, kind) => sum + costs[kind], 0);
  const make = (tests: readonly StatusTest[]): TestedProgram | undefined => {
    // Flushes need locations of their own.
    const isPlain = tests.every((test) => test.kinds.every((kind) => kind === 'poll'));
    const tested = withTests(isPlain ? program : offer.program, tests);
    return isSpoilt(tested.program, withNames(polls, tested.named)) ? undefined : tested;
  };
  const accept: TestSet['accept'] = (changed, tested) => {
    const accepted = goal.accept(changed);
    return accepted.kind === 'met' && !isUseful(changed, tested) ? { kind: 'vacuous' } : accepted;
  };
  const single = statusTestsOf(program, offer.additions).filter((test) => {
    const tested = make([test]);
    return tested !== undefined && isUseful(tested.program, tested);
  });
  const cheapest = single.map((test) => price([test])).sort((a, b) => a - b);
  return {
    sets: subsets(single)
      .map((tests) => ({ price: price(tests), make: () => make(tests), accept }))
      .sort((a, b) => a.price - b.price),
    larger:
      single.length > MOST ? cheapest.slice(0, MOST + 1).reduce((a, b) => a + b, 0) : Infinity,
  };
}

/** All sets of up to so many tests, each in the order of the list. */
function subsets(list: readonly StatusTest[]): readonly (readonly StatusTest[])[] {
  let last: readonly (readonly StatusTest[])[] = [[]];
  const all: (readonly StatusTest[])[] = [];
  for (let size = 1; size <= MOST; size++) {
    last = last.flatMap((some) =>
      list.slice(list.indexOf(some.at(-1)!) + 1).map((one) => [...some, one]),
    );
    all.push(...last);
  }
  return all;
}

/** What is known of the polls of a program, where some of them get registers for their status. */
function withNames({ blocking, statuses }: KnownPolls, named: TestedProgram['named']): KnownPolls {
  const known = named.flatMap(({ insteadOf, instructions: [poll] }) =>
    blocking.has(insteadOf) ? [poll] : [],
  );
  return { blocking: new Set([...blocking, ...known]), statuses };
}
