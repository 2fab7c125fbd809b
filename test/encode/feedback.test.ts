import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areMany, derivedValueSets, valueSets } from '../../src/encode/bounds/values.js';
import { decideByCandidates, outcomesByCandidates } from '../../src/check/by-candidates.js';
import { enumerate } from '../../src/check/decide.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Model } from '../../src/model/term.js';
import { OPERATIONAL_MODELS, exploreOutcomes } from '../../src/rdma/machines/index.js';
import type { Test } from '../../src/program/program.js';
import { finalState } from '../../src/program/final.js';
import { allSubjects } from '../../src/program/subjects.js';
import * as m from '../../src/model/relation/matrix.js';
import type { Verified } from '../../src/check/witness/verify.js';
import { SHIPPED, cat, litmus, modelOf, newSolver, verdicts } from '../support/checker.js';
import { cases, few } from '../support/random.js';

/** Programs that compute with what they have written: a value depends on others by way of memory. */

const TOO_MANY = 'a value can be more than 1024 different numbers';

const on = (threads: string): Test =>
  litmus(`RDMA t node 1 { x = 1; y = 1 } node 2 { z = 1 } ${threads} exists (true)`);

/** One thread that computes with its own locations, again and again. */
const ALONE = [
  'x := 3*x + y; y := 5*x + 7*y; x := x - y',
  'x := 3*x + y; y := 5*x + 7*y; x := x - y; y := x + 2*y; x := x*3 - y; y := x + y; x := x - 5*y; y := y - x',
].map((body) => on(`thread T1 on 1 { ${body} }`));

/** Threads that compute with what the other has written. */
const TOGETHER = [
  'thread T1 on 1 { x := 3*x + y; x := x + 5*y } thread T2 on 1 { y := 5*x + 7*y; y := x - y }',
  `thread T1 on 1 { x := z^2; poll(2); y := 3*x + y; z^2 := y; poll(2); x := z^2; poll(2); y := 2*x - y; z^2 := y }
   thread T2 on 2 { z := 5*z - 3; z := z*z + 3 }`,
].map(on);

const LIMITS = { limit: 200_000, deadline: Infinity };

const solved = (t: Test, model: Model) => {
  const { states, incomplete } = enumerate(t, model, newSolver, allSubjects(t.program));
  return incomplete ?? states;
};

const counted = (t: Test, model: Model) => {
  const found = outcomesByCandidates(t, model, allSubjects(t.program), false, LIMITS);
  return found.incomplete ?? found.states;
};

/** Are there many values if every read may read from every write? */
function circles({ program }: Test): boolean {
  const structure = unroll(program);
  const { events } = structure;
  const mayRead = m.emptyRel(events.length);
  for (const w of events) {
    if (w.value === undefined) continue;
    for (const r of events) {
      if (r.label.endsWith('R') && r.location === w.location) m.relate(mayRead, w.id, r.id);
    }
  }
  return areMany(valueSets(structure, mayRead));
}

describe('one thread alone has one final state', () => {
  const expected = [
    { x: -23, y: 27, z: 1 },
    { x: 245, y: -314, z: 1 },
  ];

  test.each(SHIPPED)('under %s', (name) => {
    const model = modelOf(name);
    ALONE.forEach((t, i) => {
      expect(circles(t)).toBe(true);
      expect(solved(t, model)).toEqual([expected[i]]);
      expect(counted(t, model)).toEqual([expected[i]]);
    });
  });

  test('where branches are, too', () => {
    const t = on(
      'thread T1 on 1 { a := y; if (a = 1) { x := 3*x + y; y := 5*x + 7*y; x := x - y } }',
    );
    expect(circles(t)).toBe(true);
    expect(solved(t, modelOf('rdma-tso'))).toEqual([{ x: -23, y: 27, z: 1, a: 1 }]);
  });
});

/** The others differ in remote atomics alone. */
const MACHINES = [...OPERATIONAL_MODELS].filter(([, { atomics }]) => atomics === undefined);

describe.each(MACHINES)('the machine of %s agrees', (name, hardware) => {
  const model = modelOf(name);

  test('on threads that compute with each other', () => {
    for (const t of TOGETHER) {
      const { states } = exploreOutcomes(t.program, hardware);
      expect(circles(t)).toBe(true);
      expect(states.length).toBeGreaterThan(3);
      expect(solved(t, model)).toEqual(states);
      expect(counted(t, model)).toEqual(states);
    }
  });

  test('on random programs', () => {
    let telling = 0;
    fc.assert(
      fc.property(computing, (threads) => {
        const t = on(threads);
        const { states, incomplete } = exploreOutcomes(t.program, hardware);
        if (incomplete !== undefined) return;
        const found = solved(t, model);
        if (found === TOO_MANY) return;
        expect(found).toEqual(states);
        expect(counted(t, model)).toEqual(states);
        if (circles(t)) telling += 1;
      }),
      { numRuns: cases(40), seed: 12 },
    );
    expect(telling).toBeGreaterThan(few(20));
  });
});

/** Two threads over `x` and `y`, which may send them to `z` and back. */
const computing: fc.Arbitrary<string> = (() => {
  const name = fc.constantFrom('x', 'y');
  const factor = fc.constantFrom(1, 2, 3);
  const compute = fc
    .tuple(name, factor, name, fc.constantFrom('+', '-'), name)
    .map(([to, k, a, sign, b]) => `${to} := ${k}*${a} ${sign} ${b}`);
  const send = name.map((from) => `z^2 := ${from}; poll(2)`);
  const fetch = name.map((to) => `${to} := z^2; poll(2)`);
  const instruction = fc.oneof(
    { weight: 4, arbitrary: compute },
    { weight: 1, arbitrary: send },
    { weight: 1, arbitrary: fetch },
  );
  const body = (maxLength: number) => fc.array(instruction, { minLength: 2, maxLength });
  return fc
    .tuple(body(3), body(2))
    .map(([a, b]) => `thread T1 on 1 { ${a.join('; ')} } thread T2 on 1 { ${b.join('; ')} }`);
})();

describe('a model that lets a thread read what it writes later', () => {
  const weak = cat('acyclic mo as order');
  const [three, eight] = ALONE;

  test('has all the states that there are', () => {
    const { program } = three;
    const subjects = allSubjects(program);
    const all = new Set<string>();
    const grounded = new Set<string>();
    const visit = ({ run, events, execution }: Verified): void => {
      const state = JSON.stringify(finalState(program, subjects, run.final));
      all.add(state);
      // A value comes from itself where reads and what is computed from them go round in a circle.
      const computed = events.flatMap((r, i) =>
        events.flatMap((w, j) =>
          r.label === 'lR' && w.label === 'lW' && r.span === w.span ? [[i, j] as const] : [],
        ),
      );
      const flow = m.unionRel(execution.relations.get('rf')!, m.relOf(events.length, computed));
      if (m.isAcyclic(flow)) grounded.add(state);
    };
    const { incomplete } = enumerateCandidates(unroll(program), weak, visit, LIMITS);
    expect(incomplete).toBeUndefined();
    const { states } = enumerate(three, weak, newSolver, subjects);
    const found = states.map((state) => JSON.stringify(state));
    expect(found.filter((state) => !all.has(state))).toEqual([]);
    expect([...grounded].filter((state) => !found.includes(state))).toEqual([]);
    expect(grounded.size).toBeGreaterThan(3);
  });

  test('is undecided where values have no end', () => {
    expect(solved(eight, weak)).toBe(TOO_MANY);
    const queries = 'exists (x = 0) forall (x = 0)';
    const text = `RDMA t node 1 { x = 1; y = 1 } thread T1 on 1 {
      x := 3*x + y; y := 5*x + 7*y; x := x - y; y := x + 2*y; x := x*3 - y; y := x + y; x := x - 5*y; y := y - x
    } ${queries}`;
    expect(verdicts(text, weak)).toEqual([`unknown: ${TOO_MANY}`, `unknown: ${TOO_MANY}`]);
  });
});

describe('the enumeration needs no bounds of values', () => {
  test('what leaves the exact integers leaves the answer open', () => {
    const t = on(`thread T1 on 1 { ${'x := x * 1000000; '.repeat(4)} }`);
    const beyond = 'a value can leave the integers that are exact (2^53)';
    expect(counted(t, modelOf('sc'))).toBe(beyond);
    const [answer] = decideByCandidates(t, modelOf('sc'), [0], true, LIMITS);
    expect(answer).toMatchObject({ verdict: 'unknown', reason: beyond });
  });

  test('in a register as well', () => {
    const t = on('thread T1 on 1 { x := 1000000; a := x * x * x }');
    expect(counted(t, modelOf('sc'))).toBe('a value can leave the integers that are exact (2^53)');
  });
});

test('no value comes from itself in a derivation', () => {
  const { program } = on('thread T1 on 1 { x := y + 1 } thread T2 on 1 { y := x + 1 }');
  const structure = unroll(program);
  const pairs = structure.events.flatMap((w) =>
    structure.events.flatMap((r) =>
      w.value !== undefined && r.label === 'lR' && r.location === w.location
        ? [[w.id, r.id] as const]
        : [],
    ),
  );
  const mayRead = m.relOf(structure.events.length, pairs);
  const sets = (of: typeof valueSets) => {
    const found = of(structure, mayRead);
    if (!found.ok) throw new Error(found.reason);
    return structure.values.flatMap((v, id) => (v.op === 'read' ? [found.sets[id]] : []));
  };
  expect(sets(derivedValueSets)).toEqual([
    [1, 2],
    [1, 2],
  ]);
  // Round by round, it grows as long as there are writes.
  expect(sets(valueSets)[0].length).toBeGreaterThan(2);
});
