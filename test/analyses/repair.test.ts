import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLitmus } from '../../src/index.js';
import { namesOf } from '../../src/model/print.js';
import type { Instruction, Program, Test } from '../../src/program/program.js';
import { printInstruction, printProgram } from '../../src/program/print.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import type { Costs } from '../../src/rdma/additions.js';
import { ADDITION_KINDS, DEFAULT_COSTS, additionsOf, insert } from '../../src/rdma/additions.js';
import { blockingPolls } from '../../src/rdma/blocking.js';
import { cellsInTheWay } from '../../src/analyses/repair/cells.js';
import { createChooser } from '../../src/analyses/repair/chooser.js';
import { obstaclesOf } from '../../src/analyses/repair/removals.js';
import type { Acceptance, Goal, Repair } from '../../src/analyses/repair/goal.js';
import { repair } from '../../src/analyses/repair/repair.js';
import { someRepair } from '../../src/analyses/repair/some.js';
import { decide } from '../../src/check/decide.js';
import { adapted, litmus, modelOf, newSolver } from '../support/checker.js';
import { one } from '../support/litmus.js';

/** The cheapest additions that forbid an outcome, and what stands in its way where it is forbidden. */

function goalOf(test: Test, model: string): Goal {
  return {
    model: modelOf(model),
    bad: (session) => session.encoding.condition(test.queries[0].condition),
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

function repaired(text: string, model = 'rdma-tso', costs = DEFAULT_COSTS): Repair {
  const test = adapted(litmus(text), modelOf(model));
  const options = { costs, deadline: performance.now() + 20_000 };
  return repair(test.program, goalOf(test, model), newSolver, options);
}

/** What is added, thread by thread, and what it costs. */
function added(found: Repair): string {
  if (found.kind !== 'found') return found.kind;
  const { program } = found;
  const lines = program.threads.flatMap((t) => {
    const print = (i: Instruction): string => {
      const text = printInstruction(program, t, i);
      return found.added.has(i) ? `+${text}` : text;
    };
    return `${t.name}: ${t.body.map(print).join('; ')}`;
  });
  return [String(found.cost), ...lines].join(' | ');
}

const ONE_NODE = 'RDMA t node 1 { x = 0; y = 0 }';
const TWO_NODES = 'RDMA t node 1 { y = 0 } node 2 { x = 0 }';

describe('the cheapest additions', () => {
  test('store buffering of CPUs takes a memory fence in each thread', () => {
    const text = `${ONE_NODE} thread T1 on 1 { x := 1; a := y } thread T2 on 1 { y := 1; b := x }
      exists (a = 0 /\\ b = 0)`;
    expect(added(repaired(text))).toBe(
      '4 | T1: x := 1; +mfence; a := y | T2: y := 1; +mfence; b := x',
    );
  });

  test('a polled put may still be on its way: a get flushes it (TSO paper, on Fig. 3)', () => {
    const text = `${TWO_NODES} thread T1 on 1 { x^2 := 1; poll(2); y := 1 }
      thread T2 on 2 { a := y^1; poll(1); b := x } exists (a = 1 /\\ b = 0)`;
    expect(added(repaired(text))).toBe(
      '10 | T1: x^2 := 1; poll(2); +flushed2 := flush2^2; +poll(2); y := 1 | T2: a := y^1; poll(1); b := x',
    );
  });

  test('polls before it are polled first', () => {
    const text = `${TWO_NODES} thread T1 on 1 { x^2 := 1; y := 1 }
      thread T2 on 2 { a := y^1; poll(1); b := x } exists (a = 1 /\\ b = 0)`;
    expect(added(repaired(text))).toBe(
      '15 | T1: x^2 := 1; +flushed2 := flush2^2; +poll(2); +poll(2); y := 1 | T2: a := y^1; poll(1); b := x',
    );
  });

  const GET_PUT = `RDMA t node 1 { a = 0 } node 2 { x = 0; y = 0 }
    thread T1 on 1 { a := x^2; y^2 := 1 } thread T2 on 2 { b := y; x := 1 }
    exists (a = 1 /\\ b = 1)`;
  test('a get before a put takes a remote fence', () => {
    expect(added(repaired(GET_PUT))).toBe(
      '1 | T1: a := x^2; +rfence(2); y^2 := 1 | T2: b := y; x := 1',
    );
  });

  test('or what is cheaper', () => {
    const dear: Costs = { ...DEFAULT_COSTS, rfence: 20 };
    expect(added(repaired(GET_PUT, 'rdma-tso', dear))).toBe(
      '5 | T1: a := x^2; +poll(2); y^2 := 1 | T2: b := y; x := 1',
    );
  });

  test('under waits, a wait is added where an operation has an identifier', () => {
    const text = `RDMA t node 1 { a = 0 } node 2 { x = 1 }
      thread T on 1 { a :=^d x^2; r := a } exists (r = 0)`;
    expect(added(repaired(text, 'rdma-wait'))).toBe('5 | T: a :=^d x^2; +wait(d); r := a');
  });

  test('in a loop, an addition is there in every iteration', () => {
    const inside = `RDMA t bound 2 node 1 { a = 0; b = 0 } node 2 { x = 1 }
      thread T on 1 { n := 0; while (n < 2) { a := x^2; r := a; b := r; n := n + 1 } }
      exists (b = 0)`;
    const found = repaired(inside);
    expect(found).toMatchObject({ kind: 'found', cost: 5 });
    if (found.kind !== 'found') return;
    // What the last iteration reads was got and polled in the one before.
    expect(printProgram(found.program)).toContain('b := r; n := n + 1; poll(2) }');
  });

  test('where a later poll needs the completion, several gets at one place', () => {
    const late = `RDMA t node 1 { x = 0; p = 0 } node 2 { y = 0; q = 0 }
      thread A on 1 { q^2 := 1; a := p; poll(2) } thread B on 2 { p^1 := 1; b := q; poll(1) }
      exists (a = 0 /\\ b = 0)`;
    expect(added(repaired(late))).toMatch(/(\+flushed2 := flush2\^2; \+poll\(2\); ){2}a := p/);
  });

  test('of equal costs, as late as can be', () => {
    const batch = 'q^2 := w; p^2 := x; poll(2); x := 1';
    const text = `RDMA t node 1 { w = 0; x = 0 } node 2 { p = 0; q = 0 }
      thread T on 1 { ${batch} } exists (p = 1)`;
    expect(added(repaired(text))).toContain('p^2 := x; poll(2); +poll(2); x := 1');
  });

  test('where there is no time for the cheapest, some of which none can be left out', () => {
    const text = `RDMA t node 1 {} node 2 { x = 0; y = 0; z = 0 } node 3 {}
      thread A on 1 { x^2 := 1; y^2 := 1; z^2 := 1 } thread B on 3 { a := z^2; b := y^2; c := x^2 }
      exists ((a = 1 /\\ b = 0) \\/ (b = 1 /\\ c = 0))`;
    const test = adapted(litmus(text), modelOf('rdma-tso'));
    const goal = goalOf(test, 'rdma-tso');
    const options = { costs: DEFAULT_COSTS, deadline: performance.now() + 20_000 };
    const found = someRepair(test.program, goal, newSolver, options)!;
    expect(found).toMatchObject({ cost: 2, perhapsDear: true });
    for (const left of found.additions) {
      const others = found.additions.filter((a) => a !== left);
      expect(goal.accept(insert(test.program, others).program).kind).toBe('missed');
    }
  });

  test('nothing is added where nothing bad can happen', () => {
    expect(added(repaired(`${ONE_NODE} thread T on 1 { a := x } exists (a = 1)`))).toBe(
      '0 | T: a := x',
    );
  });

  test('where nothing helps, that is said', () => {
    expect(added(repaired(`${ONE_NODE} thread T on 1 { a := x } exists (a = 0)`))).toBe('none');
  });

  test('no time is no answer', () => {
    const test = litmus(`${ONE_NODE} thread T on 1 { a := x } exists (a = 0)`);
    const options = { costs: DEFAULT_COSTS, deadline: performance.now() - 1 };
    expect(repair(test.program, goalOf(test, 'rdma-tso'), newSolver, options)).toEqual({
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
      const found = repair(outcome.program, goal, newSolver, options);
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
    { numRuns: 60, seed: 11 },
  );
  expect(searched).toBeGreaterThan(100);
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

describe('what stands in the way', () => {
  const obstacles = (text: string, model = 'rdma-tso'): readonly string[] => {
    const test = adapted(litmus(text), modelOf(model));
    const { program } = test;
    return obstaclesOf(program, goalOf(test, model), newSolver, {}).map(
      (o) =>
        `${printInstruction(program, program.threads[o.thread], o.instruction)} of ${program.threads[o.thread].name}`,
    );
  };

  test('each of two memory fences', () => {
    const text = `${ONE_NODE} thread T1 on 1 { x := 1; mfence; a := y }
      thread T2 on 1 { y := 1; mfence; b := x } exists (a = 0 /\\ b = 0)`;
    expect(obstacles(text)).toEqual(['mfence of T1', 'mfence of T2']);
  });

  test('a poll that is not needed is not named', () => {
    const text = `RDMA t node 1 { a = 0 } node 2 { x = 0; y = 0 }
      thread T1 on 1 { a := x^2; rfence(2); y^2 := 1; poll(2); poll(2); c := a }
      thread T2 on 2 { b := y; x := 1 } exists (a = 1 /\\ b = 1)`;
    expect(obstacles(text)).toEqual(['rfence(2) of T1']);
  });
});

describe('the entries of tables that stand in the way', () => {
  const entries = (text: string): readonly string[] => {
    const test = litmus(text);
    const options = { deadline: performance.now() + 20_000 };
    const goal = goalOf(test, 'rdma-tso');
    const names = namesOf(modelOf('rdma-tso'));
    return cellsInTheWay(test.program, goal, newSolver, options).cells.map((together) =>
      together.map((cell) => `${cell.table}: ${names.body(cell.term)}`).join(' and '),
    );
  };

  test('of one table, or of both where one would do', () => {
    const text = `RDMA t node 1 {} node 2 { x = 0; y = 0 }
      thread T1 on 1 { x^2 := 1; y^2 := 1 } thread T2 on 2 { a := y; b := x }
      exists (a = 1 /\\ b = 0)`;
    expect(entries(text)).toEqual([
      'ippo: po & (CPU * CPU) and oppo: po & (CPU * CPU)',
      'oppo: qpo & (nrW * nrW)',
    ]);
  });

  test('none where something else forbids it', () => {
    const text = `${ONE_NODE} thread T1 on 1 { x := 1 } thread T2 on 1 { x := 2 }
      exists (x = 0)`;
    expect(entries(text)).toEqual([]);
  });
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
