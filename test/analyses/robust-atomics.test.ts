import { describe, expect, test } from 'vitest';
import { analyse } from '../../src/analyses/robust/analysis.js';
import { fixRobustness } from '../../src/analyses/robust/fix.js';
import type { Robustness } from '../../src/analyses/robust/result.js';
import { COMPARISONS } from '../../src/analyses/robust/result.js';
import { DEFAULT_COSTS } from '../../src/rdma/additions.js';
import { adapted, litmus, modelOf, newSolver, verdicts } from '../support/checker.js';

/** Robustness of programs with remote atomics: in SC, each is one step. */

const SC = modelOf('sc');

function robustness(text: string, model: string): readonly Robustness[] {
  const m = modelOf(model);
  const given = {
    models: [m, SC],
    newSolver,
    deadline: Infinity,
    acyclicity: 'elimination',
  } as const;
  return analyse({ program: adapted(litmus(text), m).program, comparisons: COMPARISONS }, given);
}

const words = (text: string, model: string): readonly string[] =>
  robustness(text, model).map(({ verdict }) => verdict);

/** Programs with an outcome that SC forbids and the models allow. Each model is named with its verdict. */
const OUTCOMES: readonly (readonly [string, string, string])[] = [
  [
    'FAA-put',
    `node 1 {} node 2 { x = 0 } node 3 {} thread A on 1 { a := rfaa(x^2, 1) } thread B on 3 { x^2 := 5 }
     exists (a = 0 /\\ x = 1)`,
    'rdma-sc rdma-tso rdma-tso-nopcie',
  ],
  [
    'FAA-store',
    `node 1 {} node 2 { x = 0 } thread A on 1 { a := rfaa(x^2, 1) } thread B on 2 { x := 5 }
     exists (a = 0 /\\ x = 1)`,
    'rdma-sc rdma-tso rdma-tso-nopcie',
  ],
  [
    'CAS-cpuCAS',
    `node 1 {} node 2 { x = 0 } thread A on 1 { a := rcas(x^2, 0, 1) }
     thread B on 2 { b := CAS(x, 0, 2) } exists (a = 0 /\\ b = 0)`,
    'rdma-sc rdma-tso rdma-tso-nopcie',
  ],
  [
    'FAA-told',
    `node 1 { f = 0 } node 2 { x = 0 } thread A on 1 { a := rfaa(x^2, 1); poll(2); f := 1 }
     thread B on 2 { b := f^1; poll(1); c := x } exists (b = 1 /\\ c = 0)`,
    'rdma-sc rdma-tso rdma-tso-nopcie',
  ],
  [
    'FAA-flush',
    `node 1 { f = 0 } node 2 { x = 0; y = 0 }
     thread A on 1 { x^2 := 1; a := rfaa(y^2, 0); poll(2); poll(2); f := 1 }
     thread B on 2 { b := f^1; poll(1); c := x } exists (b = 1 /\\ c = 0)`,
    'rdma-tso-nopcie',
  ],
  [
    'CAS-put-other-poll',
    `node 1 {} node 2 { x = 0 } node 3 { y = 0 }
     thread A on 1 { a := rcas(x^2, 0, 1); poll(2); y^3 := 1 } thread B on 3 { c := y; d := x^2 }
     exists (c = 1 /\\ d = 0)`,
    'rdma-sc rdma-tso rdma-tso-nopcie',
  ],
  [
    'get-FAA',
    `node 1 {} node 2 { x = 0 } thread A on 1 { a := x^2; b := rfaa(x^2, 1) } exists (a = 1)`,
    'rdma-sc rdma-tso rdma-tso-nopcie',
  ],
  [
    'response-no-poll',
    `node 1 { a = 9 } node 2 { x = 0 } thread A on 1 { a := rcas(x^2, 0, 1); c := a } exists (c = 9)`,
    'rdma-sc rdma-tso rdma-tso-nopcie',
  ],
  [
    'SB-FAA',
    `node 1 { y = 0 } node 2 { x = 0 } thread A on 1 { a := rfaa(x^2, 1); poll(2); b := y }
     thread B on 2 { c := rfaa(y^1, 1); poll(1); d := x } exists (b = 0 /\\ d = 0)`,
    'rdma-sc rdma-tso rdma-tso-nopcie',
  ],
  [
    'spin-put-other',
    `node 1 {} node 2 { l = 0 } node 3 {} node 4 { d = 0 }
     thread A on 1 { a := rcas(l^2, 0, 1); poll(2); d^4 := 1; poll(4); l^2 := 0 }
     thread B on 3 { b := rcas(l^2, 0, 1); poll(2); e := d^4 } exists (a = 0 /\\ b = 0 /\\ e = 0)`,
    'rdma-sc rdma-tso rdma-tso-nopcie',
  ],
];

describe('an outcome that SC forbids and a model allows', () => {
  test.each(OUTCOMES)('%s', (_, body, allowing) => {
    const text = `RDMA t ${body}`;
    expect(verdicts(text, 'sc')).toEqual(['forbidden']);
    for (const model of ['rdma-sc', 'rdma-tso', 'rdma-tso-nopcie']) {
      const allowed = allowing.split(' ').includes(model);
      expect(verdicts(text, model)).toEqual([allowed ? 'allowed' : 'forbidden']);
      if (allowed) {
        expect(words(text, model)).toEqual(['not robust', 'not robust', 'not robust']);
      }
    }
  });
});

/** Programs of which nothing but SC can be seen. */
test.each([
  [
    'atomics of one node are atomic among themselves',
    `node 1 {} node 2 { x = 0 } node 3 {} thread A on 1 { a := rcas(x^2, 0, 1) }
     thread B on 3 { b := rfaa(x^2, 2) }`,
  ],
  [
    'polled atomics are SC whatever their nodes',
    `node 1 {} node 2 {} node 3 { x = 0 } node 4 { y = 0 }
     thread A on 1 { a := rfaa(x^3, 1); poll(3); b := rfaa(y^4, 0) }
     thread B on 2 { c := rfaa(y^4, 1); poll(4); d := rfaa(x^3, 0) }`,
  ],
  [
    'a put and an atomic behind it',
    `node 1 {} node 2 { x = 0 } thread A on 1 { x^2 := 1; a := rfaa(x^2, 1) }`,
  ],
])('%s', (_, body) => {
  for (const model of ['rdma-sc', 'rdma-tso', 'rdma-tso-nopcie']) {
    expect(words(`RDMA t ${body} exists (true)`, model)).toEqual(['robust', 'robust', 'robust']);
  }
});

test('a card whose atomics are global makes them one step with CPUs, too', () => {
  const [, [, store], [, cas]] = OUTCOMES;
  for (const body of [store, cas]) {
    expect(words(`RDMA t ${body}`, 'rdma-tso-glob')[0]).toBe('robust');
  }
});

test('the cycle names both parts of an atomic, and each edge by a name', () => {
  const cycleOf = (body: string): string => {
    const [{ violation }] = robustness(`RDMA t ${body}`, 'rdma-tso');
    return violation!.cycle!.map(({ event, relation }) => `${event.label} ${relation}`).join(' ');
  };
  expect(cycleOf(OUTCOMES[2][1])).toBe('nAR rb CAS rb nrW atomic');
  expect(cycleOf(OUTCOMES[3][1])).toBe('nAR po lW rf nrR po lR rb nrW atomic');
});

test('--fix adds what makes it robust: a get that flushes the write part, or else an atomic', () => {
  const text = `RDMA t ${OUTCOMES[3][1]}`;
  const fixed = (model: string) => {
    const m = modelOf(model);
    const given = {
      models: [m, SC],
      newSolver,
      acyclicity: 'elimination',
      deadline: performance.now() + 20_000,
    } as const;
    const input = {
      test: adapted(litmus(text), m),
      comparison: 'complete',
      costs: DEFAULT_COSTS,
    } as const;
    const found = fixRobustness(input, given);
    return found.kind === 'found' ? found.additions.map((a) => a.text) : found;
  };
  expect(fixed('rdma-tso')).toEqual(['flushed2 := flush2^2; poll(2)']);
  expect(fixed('rdma-tso-nopcie')).toEqual(['flushed2 := rfaa(flush2^2, 0); poll(2)']);
});
