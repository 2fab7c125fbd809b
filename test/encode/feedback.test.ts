import { describe, expect, test } from 'vitest';
import { derivedValueSets, valueSets } from '../../src/encode/bounds/values.js';
import { decideByCandidates, outcomesByCandidates } from '../../src/check/by-candidates.js';
import { enumerate } from '../../src/check/decide.js';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Model } from '../../src/model/term.js';
import type { Test } from '../../src/program/program.js';
import { finalState } from '../../src/program/final.js';
import { allSubjects } from '../../src/program/subjects.js';
import * as m from '../../src/model/relation/matrix.js';
import type { Verified } from '../../src/check/witness/verify.js';
import { hasManyValues } from '../engines/programs.js';
import { SHIPPED, cat, litmus, modelOf, newSolver, verdicts } from '../support/checker.js';

/** Programs that compute with what they have written: a value depends on others by way of memory. */

const TOO_MANY = 'a value can be more than 1024 different numbers';

const on = (threads: string): Test =>
  litmus(`RDMA t node 1 { x = 1; y = 1 } node 2 { z = 1 } ${threads} exists (true)`);

/** One thread that computes with its own locations, again and again. */
const ALONE = [
  'x := 3*x + y; y := 5*x + 7*y; x := x - y',
  'x := 3*x + y; y := 5*x + 7*y; x := x - y; y := x + 2*y; x := x*3 - y; y := x + y; x := x - 5*y; y := y - x',
].map((body) => on(`thread T1 on 1 { ${body} }`));

const LIMITS = { limit: 200_000, deadline: Infinity };

const solved = (t: Test, model: Model) => {
  const { states, incomplete } = enumerate(t, model, newSolver, allSubjects(t.program));
  return incomplete ?? states;
};

const counted = (t: Test, model: Model) => {
  const found = outcomesByCandidates(t, model, allSubjects(t.program), false, LIMITS);
  return found.incomplete ?? found.states;
};

describe('one thread alone has one final state', () => {
  const expected = [
    { x: -23, y: 27, z: 1 },
    { x: 245, y: -314, z: 1 },
  ];

  test.each(SHIPPED)('under %s', (name) => {
    const model = modelOf(name);
    ALONE.forEach((t, i) => {
      expect(hasManyValues(t)).toBe(true);
      expect(solved(t, model)).toEqual([expected[i]]);
      expect(counted(t, model)).toEqual([expected[i]]);
    });
  });

  test('where branches are, too', () => {
    const t = on(
      'thread T1 on 1 { a := y; if (a = 1) { x := 3*x + y; y := 5*x + 7*y; x := x - y } }',
    );
    expect(hasManyValues(t)).toBe(true);
    expect(solved(t, modelOf('rdma-tso'))).toEqual([{ x: -23, y: 27, z: 1, a: 1 }]);
  });
});

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
