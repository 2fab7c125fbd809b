import { describe, expect, test } from 'vitest';
import { enumerate } from '../../src/check/decide.js';
import { quietLoops } from '../../src/check/quiet-loops.js';
import { DISK } from '../../src/node/models.js';
import { readLitmus } from '../../src/node/tests.js';
import { Libraries } from '../../src/program/libraries.js';
import { observedSubjects } from '../../src/program/subjects.js';
import { newSolver } from '../support/checker.js';
import { valueOf } from '../support/litmus.js';

/** Loops that try, or look by gets, again and again: their last iteration stands for all, where nobody sees the others. */

const libraries = new Libraries(DISK);

/** A loop, what comes before it, and what is found at its end. */
interface Case {
  readonly before?: string;
  readonly condition: string;
  readonly body: string;
  readonly found?: string;
}

const TRIES: Case = {
  before: 'f := 1',
  condition: 'f != 0',
  body: 'o :=^d rcas(l^1, 0, 1); wait(d); f := o',
};
const LOOKS: Case = {
  before: 'f := 0',
  condition: 'f = 0',
  body: 'o :=^d y^1; wait(d); f := o',
};

const QUIET: Readonly<Record<string, Case>> = {
  'a remote CAS': TRIES,
  'a remote CAS by another name': {
    ...TRIES,
    body: 'o :=^d rcas(l^1, 0, 1); wait(d); f := o; g := f',
  },
  gets: LOOKS,
  'two gets': {
    ...LOOKS,
    before: 'f := 0; g := 0',
    body: 'o :=^d y^1; p :=^d x^1; wait(d); f := o; g := p',
    found: 'g',
  },
  'a get after a get': {
    ...LOOKS,
    body: 'o :=^d y^1; wait(d); f := o; if (f != 0) { o :=^d x^1; wait(d); f := o }',
  },
  'a get, and a put that is waited for before': {
    ...LOOKS,
    before: 's := 1; x^1 :=^d s; f := 0',
  },
  'a fence': { ...LOOKS, body: 'mfence; o :=^d y^1; wait(d); f := o' },
};

const unrolled = ({ before = 'skip', condition, body }: Case, times: number): string => {
  const turn = (left: number): string =>
    left === 0 ? `assume(!(${condition}))` : `if (${condition}) { ${body}; ${turn(left - 1)} }`;
  return `${before}; ${turn(times)}`;
};
const loop = ({ before = 'skip', condition, body }: Case): string =>
  `${before}; while (${condition}) { ${body} }`;

/** Programs around a thread on node 2, which has the loop and then looks for x and releases a lock. */
const AROUND: Readonly<Record<string, (code: string, found: string) => string>> = {
  'somebody who writes': (code, found) => `
    thread T1 on 2 { ${code}; a := ${found}; q :=^w x^1; wait(w); b := q }
    thread T2 on 1 { x := 1; y := 1; x := 2; l := 1; l := 0; c := x }`,
  'somebody who puts': (code, found) => `
    thread T1 on 2 { ${code}; a := ${found}; q :=^w x^1; wait(w); b := q }
    thread T2 on 3 { s := 1; x^1 := s; y^1 := s; r := 2; x^1 := r; c := 0 }`,
  'somebody who has the lock': (code, found) => `
    thread T1 on 2 { ${code}; a := ${found}; q :=^w x^1; wait(w); b := q; l^1 := 0 }
    thread T2 on 3 { p :=^d rcas(l^1, 0, 2); wait(d); c := p; s := 1; x^1 := s; y^1 := s; r := 2; x^1 := r; if (c = 0) { l^1 := 0 } }`,
};

function statesOf(threads: string) {
  const text = `RDMA t uses sv node 1 { x = 0; y = 0; l = 0 } node 2 { u = 0 } node 3 { z = 0 } ${threads} locations [a; b; c]`;
  const client = valueOf(readLitmus(text, 'case.litmus', [], { libraries }).test);
  const [model] = client.models!;
  const { states, incomplete, upTo } = enumerate(
    client,
    model,
    newSolver,
    observedSubjects(client),
    2,
  );
  expect(incomplete).toBeUndefined();
  return {
    states: states.map((state) => JSON.stringify(state)),
    upTo,
    quiet: quietLoops(client.program, model),
  };
}

describe.each(Object.entries(QUIET))('%s', (_, one) => {
  test.each(Object.entries(AROUND))('beside %s', (_, around) => {
    const found = one.found ?? 'f';
    const { states, upTo, quiet } = statesOf(around(loop(one), found));
    expect(quiet).toEqual([0]);
    expect(upTo).toBeUndefined();
    expect(states.length).toBeGreaterThan(1);
    for (const times of [1, 2, 3]) {
      expect(statesOf(around(unrolled(one, times), found)).states).toEqual(states);
    }
  });
});

/** By one iteration these have other states than by two, in one of the programs around them. */
const SEEN: Readonly<Record<string, Case>> = {
  'an answer that is read before': { ...LOOKS, body: 'f := o; o :=^d y^1; wait(d)' },
  'iterations that are counted': {
    ...LOOKS,
    before: 'f := 0; g := 0',
    body: `${LOOKS.body}; g := g + 1`,
    found: 'g',
  },
  'what an iteration keeps for the next': {
    ...LOOKS,
    before: 'f := 0; h := 0; g := 0',
    body: `g := h; ${LOOKS.body}; h := 1`,
    found: 'g',
  },
  'a sum that grows': { ...LOOKS, body: 'o :=^d rfaa(y^1, 1); wait(d); f := o' },
  'a CAS whose success is not enough': {
    before: 'f := 0',
    condition: 'f != 1',
    body: 'o :=^d rcas(l^1, 0, 1); wait(d); f := o',
  },
};

test.each(Object.entries(SEEN))('not %s', (_, one) => {
  const found = one.found ?? 'f';
  const differ = Object.values(AROUND).filter((around) => {
    expect(statesOf(around(loop(one), found)).quiet).toEqual([]);
    const [once, twice] = [1, 2].map(
      (times) => statesOf(around(unrolled(one, times), found)).states,
    );
    return once.join() !== twice.join();
  });
  expect(differ).not.toEqual([]);
});

/** What could be left out, but takes more to be sure of. */
test.each([
  ['an answer in memory that is read afterwards', { ...LOOKS, found: 'o' }],
  ['a condition over memory', { ...LOOKS, condition: 'o = 0' }],
  ['an answer that nobody waits for', { ...LOOKS, body: 'o :=^d y^1; f := o' }],
  [
    'an answer that is waited for by another name',
    { ...LOOKS, body: 'o :=^d y^1; wait(e); f := o' },
  ],
  [
    'an answer that nobody waits for in one case',
    { ...LOOKS, body: 'o :=^d y^1; choose { wait(d) } or { skip } f := o' },
  ],
  [
    'an answer that is not always asked for',
    { ...LOOKS, body: 'choose { o :=^d y^1; wait(d); f := o } or { f := 0 }' },
  ],
  ['a put', { ...LOOKS, body: 's := 1; z^3 := s; o :=^d y^1; wait(d); f := o' }],
  ['an answer in memory of others', { ...LOOKS, body: 'u :=^d y^1; wait(d); f := u' }],
] as const)('nor %s', (name, one) => {
  const other = name.endsWith('others') ? 'thread T3 on 2 { c := u }' : 'thread T3 on 2 { c := 1 }';
  const found = 'found' in one ? one.found : 'f';
  const { quiet } = statesOf(`thread T1 on 2 { ${loop(one)}; a := ${found}; b := 0 }
    thread T2 on 1 { y := 1 } ${other}`);
  expect(quiet).toEqual([]);
});

test('CPUs try, too', () => {
  const contend = (code: string): string => `
    thread T1 on 1 { ${code}; a := x; x := a + 1; l := 0 }
    thread T2 on 1 { ${code}; b := x; x := b + 1; l := 0; c := 0 }`;
  const one = { before: 'f := 1', condition: 'f != 0', body: 'f := CAS(l, 0, 1)' };
  const { states, quiet } = statesOf(contend(loop(one)));
  expect(quiet).toEqual([0, 1]);
  expect(states).toHaveLength(2);
  for (const times of [1, 2])
    expect(statesOf(contend(unrolled(one, times))).states).toEqual(states);
  const other = { ...one, body: 'f := xchg(l, 1)' };
  expect(statesOf(contend(loop(other))).quiet).toEqual([]);
});
