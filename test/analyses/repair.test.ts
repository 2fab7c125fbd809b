import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLitmus } from '../../src/index.js';
import type { Program, Test } from '../../src/program/program.js';
import { instructionsOf } from '../../src/program/instructions.js';
import { printInstruction, printProgram } from '../../src/program/print.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import type { Costs } from '../../src/rdma/additions.js';
import { ADDITION_KINDS, DEFAULT_COSTS, insert } from '../../src/rdma/additions.js';
import { additionsOf } from '../../src/rdma/offering.js';
import { retagsOf } from '../../src/rdma/retags.js';
import { blockingPolls } from '../../src/rdma/blocking.js';
import { createChooser } from '../../src/analyses/repair/chooser.js';
import { fix } from '../../src/analyses/repair/fix.js';
import type { Acceptance, Goal } from '../../src/analyses/repair/goal.js';
import { repair } from '../../src/analyses/repair/repair.js';
import type { Badness } from '../../src/analyses/repair/solved.js';
import { trySolving } from '../../src/analyses/repair/solved.js';
import { repairOffer } from '../../src/analyses/repair/trial.js';
import { fallbackRepair } from '../../src/analyses/repair/fallback.js';
import { decide } from '../../src/check/decide.js';
import { fixLines } from '../../src/report/fix.js';
import { readProgram, testCases } from '../support/cases.js';
import { adapted, litmus, modelOf, modelsOf, newSolver, verdicts } from '../support/checker.js';
import { one } from '../support/litmus.js';
import { cases, few } from '../support/random.js';
import { stateQuery } from '../../src/program/program.js';

/** The cheapest additions that forbid an outcome, and what stands in its way where it is forbidden. */

function goalOf(test: Test, model: string): Goal {
  const badness: Badness = {
    model: modelOf(model),
    bad: (session) => session.encoding.condition(stateQuery(test, 0).condition),
  };
  return {
    model: modelOf(model),
    try: (offer) => trySolving(offer, badness, newSolver, {}),
    accept(program) {
      const verdict = verdictOf({ ...test, program }, model);
      const kinds: Partial<Record<string, Acceptance['kind']>> = {
        forbidden: 'met',
        allowed: 'missed',
        vacuous: 'vacuous',
      };
      const kind = kinds[verdict];
      return kind === undefined || kind === 'unknown'
        ? { kind: 'unknown', reason: verdict }
        : { kind };
    },
  };
}

function verdictOf(test: Test, model: string): string {
  let verdict = '';
  decide(test, modelOf(model), newSolver, { queries: [0] }, (a) => (verdict = a.verdict));
  return verdict;
}

const ONE_NODE = 'RDMA t node 1 { x = 0; y = 0 }';
const TWO_NODES = 'RDMA t node 1 { y = 0 } node 2 { x = 0 }';

/** `rfence=20, poll=1`: the costs of these, and the usual ones of the others. */
const costsOf = (text: string): Costs => {
  const own = [...text.matchAll(/([\w-]+)=(\d+)/g)].map(([, kind, cost]) => [kind, Number(cost)]);
  return { ...DEFAULT_COSTS, ...Object.fromEntries(own) };
};

/** What `remora explain --fix` prints of the first query. Its answer with the additions is decided anew. */
testCases(join(import.meta.dirname, 'repair'), (input) => {
  const { settings, text } = readProgram(input, ['models', 'wanted', 'costs']);
  const { wanted = 'forbidden', costs = '' } = settings;
  const models = modelsOf(settings);
  const test = adapted(litmus(text), models[0]);
  const deadline = performance.now() + 20_000;
  const circumstances = { models, newSolver, acyclicity: 'elimination', deadline } as const;
  const found = fix({ test, query: 0, costs: costsOf(costs) }, circumstances);
  expect(found.kind).toBe(wanted === 'forbidden' ? 'additions' : 'obstacles');
  if (found.kind === 'additions' && found.repair.kind === 'found') {
    expect(verdicts(found.repair.litmus, models[0])).toEqual([wanted]);
  }
  return fixLines(found, { path: 'case.litmus', text }).join('\n');
});

test('of nodes with several CPUs, each is offered what means something on its own', () => {
  const model = modelOf('rdma-tso+mixed');
  const text = `RDMA t node 1 { x = 0 } node 2 [arm] { y = 0 }
    thread A on 1 { a := x; x := 1; b := x } thread B on 2 { a := y; y := 1; b := y } exists (A:a = 1)`;
  const { program } = adapted(litmus(text, model.instructions), model);
  const offer = repairOffer(program, new Set(['barrier', 'mfence']), false, model, Infinity)!;
  const offered = (kind: string): readonly string[] => {
    const parts = offer.additions.flatMap((one) => (one.kind === kind ? one.parts : []));
    return [...new Set(parts.map(({ thread }) => program.threads[thread].name))];
  };
  expect(offered('barrier')).toEqual(['B']);
  expect(offered('mfence')).toEqual(['A', 'B']);
  const retags = retagsOf(program, model).flatMap((one) => ('calls' in one ? one.calls : []));
  expect(retags.map(({ thread }) => thread)).toEqual([1, 1, 1]);
});

describe('the cheapest additions', () => {
  test('where there is no time for the cheapest, some of which none can be left out', () => {
    const text = `RDMA t node 1 {} node 2 { x = 0; y = 0; z = 0 } node 3 {}
      thread A on 1 { x^2 := 1; y^2 := 1; z^2 := 1 } thread B on 3 { a := z^2; b := y^2; c := x^2 }
      exists ((a = 1 /\\ b = 0) \\/ (b = 1 /\\ c = 0))`;
    const test = adapted(litmus(text), modelOf('rdma-tso'));
    const goal = goalOf(test, 'rdma-tso');
    const options = { costs: DEFAULT_COSTS, deadline: performance.now() + 20_000 };
    const found = fallbackRepair(test.program, goal, options)!;
    expect(found).toMatchObject({ cost: 2, perhapsDear: true });
    for (const left of found.additions) {
      const others = found.additions.filter((a) => a !== left);
      expect(goal.accept(insert(test.program, others).program).kind).toBe('missed');
    }
  });

  test('nothing is added where nothing bad can happen', () => {
    const test = litmus(`${ONE_NODE} thread T on 1 { a := x } exists (a = 1)`);
    const options = { costs: DEFAULT_COSTS, deadline: performance.now() + 20_000 };
    const found = repair(test.program, goalOf(test, 'rdma-tso'), options);
    expect(found).toMatchObject({ kind: 'found', cost: 0, additions: [] });
  });

  test('no time is no answer', () => {
    const test = litmus(`${ONE_NODE} thread T on 1 { a := x } exists (a = 0)`);
    const options = { costs: DEFAULT_COSTS, deadline: performance.now() - 1 };
    expect(repair(test.program, goalOf(test, 'rdma-tso'), options)).toEqual({
      kind: 'unknown',
      reason: 'the time limit was reached while searching for a repair',
      late: true,
    });
  });
});

test('no cheaper additions forbid an outcome of a random program', () => {
  const all = new Set(ADDITION_KINDS);
  let searched = 0;
  fc.assert(
    fc.property(programs({ instructions: 2, threads: 2 }), (source) => {
      const parsed = parseLitmus(`${inBlocks(source)}\nexists (true)`);
      if (!parsed.ok) return;
      const test = parsed.value;
      const outcome = someOutcome(test);
      if (outcome === undefined) return;
      const goal = goalOf(outcome, 'rdma-tso');
      const options = { costs: DEFAULT_COSTS, deadline: performance.now() + 20_000 };
      const found = repair(outcome.program, goal, options);
      expect(found.kind).not.toBe('unknown');
      const { program, additions } = additionsOf(outcome.program, all, 'poll');
      const limit = found.kind === 'found' ? found.cost : Infinity;
      // All sets of at most two additions that would be cheaper.
      const sets = additions.flatMap((a, i) => [[a], ...additions.slice(i + 1).map((b) => [a, b])]);
      for (const set of sets.slice(0, 150)) {
        if (set.reduce((sum, a) => sum + DEFAULT_COSTS[a.kind], 0) >= limit) continue;
        searched += 1;
        expect(goal.accept(insert(program, set).program).kind).not.toBe('met');
      }
    }),
    { numRuns: cases(60), seed: 11 },
  );
  expect(searched).toBeGreaterThan(few(100));
});

/** The test with a query for the first register being 1, if the model allows it. */
function someOutcome(test: Test): Test | undefined {
  const thread = test.program.threads.findIndex((t) => t.registers.length > 0);
  if (thread < 0) return undefined;
  const atom = (value: number) =>
    ({
      kind: 'atom',
      left: { kind: 'register', thread, register: 0 },
      equal: true,
      right: { kind: 'int', value },
    }) as const;
  for (const value of [2, 1, 0]) {
    const asked = { ...test, queries: [{ ...test.queries[0], condition: atom(value) }] };
    if (verdictOf(asked, 'rdma-tso') === 'allowed') return asked;
  }
  return undefined;
}

describe('choosing', () => {
  const cases = fc.record({
    costs: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 }),
    clauses: fc.array(fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
    chained: fc.boolean(),
  });

  test('the cheapest set that holds one of each clause', () => {
    fc.assert(
      fc.property(cases, ({ costs, clauses, chained }) => {
        const after = costs.map((_, i) => (chained && i % 2 === 1 ? i - 1 : undefined));
        const chooser = createChooser(costs, after);
        const usable = clauses
          .map((clause) => clause.filter((i) => i < costs.length))
          .filter((clause) => clause.length > 0);
        usable.forEach((clause) => chooser.needs(clause));
        const subsets = Array.from({ length: 2 ** costs.length }, (_, bits) =>
          costs.flatMap((_, i) => ((bits >> i) & 1 ? [i] : [])),
        ).filter(
          (set) =>
            usable.every((clause) => clause.some((i) => set.includes(i))) &&
            set.every((i) => after[i] === undefined || set.includes(after[i])),
        );
        const cost = (set: readonly number[]): number => set.reduce((s, i) => s + costs[i], 0);
        const choice = chooser.next()!;
        expect(subsets.map(String)).toContain(String(choice));
        expect(cost(choice)).toBe(Math.min(...subsets.map(cost)));
      }),
      { seed: 5 },
    );
  });

  test('a set that will not do is passed over, larger ones are not', () => {
    const chooser = createChooser([1, 3], [undefined, undefined]);
    chooser.needs([0]);
    expect(chooser.next()).toEqual([0]);
    chooser.excludes([0]);
    expect(chooser.next()).toEqual([0, 1]);
    chooser.excludes([0, 1]);
    expect(chooser.next()).toBeUndefined();
  });

  test('what will not do together is passed over in larger sets, too', () => {
    const chooser = createChooser([1, 1, 5], [undefined, undefined, undefined]);
    chooser.needs([0]);
    chooser.needs([1, 2]);
    expect(chooser.next()).toEqual([0, 1]);
    chooser.forbids([0, 1]);
    expect(chooser.next()).toEqual([0, 2]);
    chooser.forbids([0]);
    expect(chooser.next()).toBeUndefined();
  });

  test('it ends at its deadline, however many sets are left', () => {
    const costs = Array.from({ length: 80 }, () => 1);
    const chooser = createChooser(
      costs,
      costs.map(() => undefined),
      performance.now(),
    );
    for (let i = 0; i < 80; i += 2) chooser.needs([i, i + 1]);
    expect(chooser.next()).toBeUndefined();
  });
});

describe('after the deadline', () => {
  const fenced = litmus(`${ONE_NODE} thread T on 1 { x := 1; mfence; a := y }
    thread U on 1 { y := 1; mfence; b := x } exists (T:a = 0 /\\ U:b = 0)`);

  test('no addition is looked at', () => {
    const kinds = new Set(ADDITION_KINDS);
    const offer = (deadline: number) =>
      repairOffer(fenced.program, kinds, false, modelOf('rdma-tso'), deadline);
    expect(offer(0)).toBeUndefined();
    expect(offer(Infinity)?.additions).not.toHaveLength(0);
  });

  test('no obstacle is tried, and it is said so', () => {
    const input = { test: fenced, query: 0, costs: DEFAULT_COSTS };
    const circumstances = {
      models: [modelOf('rdma-tso')],
      newSolver,
      acyclicity: 'elimination',
    } as const;
    const obstacles = (deadline: number) => fix(input, { ...circumstances, deadline });
    expect(obstacles(0)).toMatchObject({ instructions: [], entries: [], finished: false });
    expect(obstacles(Infinity)).toMatchObject({
      instructions: [
        { thread: 'T', text: 'mfence' },
        { thread: 'U', text: 'mfence' },
      ],
      finished: true,
    });
  });
});

test.each([
  ['poll(2); z^2 := x', ['poll(2)']],
  ['z^2 := x; poll(2); poll(2)', ['poll(2)']],
  ['z^2 := x; x := z^2; poll(2); poll(2)', []],
  ['choose { z^2 := x } or { skip }; poll(2)', ['poll(2)']],
  ['choose { z^2 := x } or { w^2 := y }; poll(2)', []],
  ['if (x = 1) { z^2 := x }; poll(2)', ['poll(2)']],
  ['loop { z^2 := x; poll(2) }', []],
  ['loop { z^2 := x; poll(2); poll(2) }', ['poll(2)']],
  ['z^2 := x; loop { poll(2) }', ['poll(2)']],
  ['z^2 := x; loop { w^2 := y; poll(2) } poll(2)', []],
  ['loop { z^2 := x } poll(2)', ['poll(2)']],
])('polls that may have nothing to poll: %s', (body, expected) => {
  const { program } = litmus(one(body));
  const [thread] = program.threads;
  const found = [...blockingPolls(program)].map((i) => printInstruction(program, thread, i));
  expect(found).toEqual(expected);
});

const ANSWERS = 'send(1, 1); z := recv(1)';

test.each([
  ['z^2 :=[unsignalled] x; poll(2)', '', ['T: poll(2)']],
  ['x :=[unsignalled] z^2; z^2 := x; poll(2)', '', []],
  ['flush(z^2); poll(2)', '', []],
  ['z^2.a := x; w^2.b := y; poll(c); poll(c)', '', []],
  ['z^2.a := x; w^2 := y; poll(c); poll(c)', '', ['T: poll(c)']],
  ['send(2, x); poll(2); y := recv(2); pollr(2); pollr(2)', ANSWERS, ['T: pollr(2)']],
  ['send(2, x); poll(2)', 'choose { z := recv(1) } or { skip }', ['T: poll(2)']],
  ['send(2, x); w^2 := y; poll(2)', 'choose { z := recv(1) } or { skip }', ['T: poll(2)']],
  ['z^2 := x; poll(2); send(2, x)', 'choose { z := recv(1) } or { skip }', []],
  ['y := recv(2); pollr(2)', 'loop { send(1, 1) }', ['T: pollr(2)']],
  ['y := recv(2); pollr(2)', 'while (z = 0) { skip }; send(1, 1)', ['T: pollr(2)']],
  ['y := recv(2); x := recv(2); pollr(2)', ANSWERS, []],
  ['y := recv(2); loop { pollr(2) }', ANSWERS, ['T: pollr(2)']],
  [
    'y := recv(2); pollr(2); send(2, x)',
    `z := recv(1); pollr(1); ${ANSWERS}`,
    ['T: pollr(2)', 'U: pollr(1)'],
  ],
  ['send(2, x); y := recv(2); pollr(2)', 'z := recv(1); pollr(1); send(1, 1)', []],
  ['y := recv(2.a); poll(c)', 'send(1.a, 1)', []],
  ['y := recv(2.a); poll(c)', '', ['T: poll(c)']],
  ['y := recv(2.a); poll(c)', 'choose { send(1.a, 1) } or { skip }', ['T: poll(c)']],
  ['y := recv(2.a); z^2.a := x; poll(c); poll(c)', '', ['T: poll(c)']],
  ['y := recv(2.a); z^2.a := x; poll(c); poll(c)', 'send(1.a, 1)', []],
  ['y := recv(2.a); x := recv(2.b); poll(c); poll(c)', 'send(1.b, 1)', ['T: poll(c)']],
  ['y := recv(2.a); poll(c); send(2.a, x)', 'z := recv(1.a); w := recv(1.a); send(1.a, 1)', []],
  ['y := recv(2.a); loop { poll(c) }', 'send(1.a, 1)', ['T: poll(c)']],
])('also of what few programs have: %s, and %s', (first, second, expected) => {
  const { program } = litmus(`RDMA t node 1 { x = 0; y = 0 } node 2 { z = 0; w = 0 } cq c { a, b }
    thread T on 1 { ${first} } thread U on 2 { ${second} }`);
  const polls = blockingPolls(program);
  const found = program.threads.flatMap((thread) =>
    [...instructionsOf(thread.body)]
      .filter((i) => polls.has(i))
      .map((i) => `${thread.name}: ${printInstruction(program, thread, i)}`),
  );
  expect(found).toEqual(expected);
});

test('a repaired program is printed with its additions marked, and read back', () => {
  const source = litmus(`${TWO_NODES} thread T1 on 1 {
    x^2 := 1; a := y; if (a = 0) { x^2 := 2; y := 1 } else { y := 2 } } exists (true)`);
  const all = additionsOf(source.program, new Set(ADDITION_KINDS), 'poll');
  const { program, added: marked } = insert(all.program, all.additions);
  const text = printProgram(program, { marked: new Map([...marked].map((i) => [i, 'added'])) });
  const lines = text.split('\n').filter((line) => line.endsWith('# added'));
  expect(lines).toHaveLength(marked.size);
  expect(shape(litmus(`RDMA t ${text.replace(/^/, '\n')} exists (true)`).program)).toEqual(
    shape(program),
  );
});

const shape = (program: Program): unknown =>
  program.threads.map((t) => t.body.map((i) => printInstruction(program, t, i)));
