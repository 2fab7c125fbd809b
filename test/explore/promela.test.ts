import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { spin } from '../../bench/spin.js';
import { isForSpin, runsInPromela } from '../../src/explore/promela/promela.js';
import type { Model } from '../../src/model/term.js';
import type { Test } from '../../src/program/program.js';
import { cat, modelOf } from '../support/checker.js';
import { decidedRuns, testUnder } from '../support/explored.js';
import { litmus } from '../support/litmus.js';
import { ALL } from '../support/random.js';
import { randomLocks } from '../support/random-locks.js';
import { SKIP_SPIN, SPIN, needSpin } from '../support/spin.js';

/** `remora export --promela --model`: what SPIN answers about the printed machine, beside what `remora explore` answers about it. */

const OWN: Model = cat(readFileSync('test/files/models/weak-puts.cat', 'utf8'));
const modelNamed = (name: string): Model => (name === 'weak-puts' ? OWN : modelOf(name));

const queriesOf = ({ queries }: Test): readonly number[] =>
  [...queries.keys()].filter((q) => isForSpin(queries[q]));

interface Limits {
  readonly room?: number;
  readonly limit?: number;
}

/** The printed model, or why there is none. */
function printed(text: string, model: string, limits: Limits = {}) {
  const subject = testUnder(litmus(text), modelNamed(model));
  const source = { path: 'case.litmus', text };
  const all = { deadline: Infinity, ...limits };
  return runsInPromela(subject, modelNamed(model), queriesOf(subject), source, all);
}

/** Its text. */
function textPrinted(...asked: Parameters<typeof printed>): string {
  const found = printed(...asked);
  if ('reason' in found) throw new Error(found.reason);
  return found.text;
}

/** SPIN leaves out blanks and adds parentheses. */
const bare = (text: string): string => text.replace(/[() ]/g, '');

/** What SPIN says of each query of a printed model, in order, and whether it left what was explored. */
function bySpin(subject: Test, model: string) {
  const { errors } = spin(model, 'states', 'small');
  const [, watching = ''] = model.split('proctype queries');
  const watched = [...watching.matchAll(/ assert\((.*)\) }/g)].map(([, ok]) => bare(ok));
  const violated = errors.flatMap((error) => {
    const [, ok] = /^assertion violated (.*)$/.exec(error) ?? [];
    return ok === undefined ? [] : [bare(ok)];
  });
  const isStuck = errors.some((error) => error.includes('invalid end state'));
  let next = 0;
  const verdicts = queriesOf(subject).map((q) => {
    const { quantifier } = subject.queries[q];
    const others = (ok: string): boolean => !watched.includes(ok) && ok !== '!beyond';
    const fails =
      quantifier === 'deadlock'
        ? isStuck
        : quantifier === 'assertions'
          ? violated.some(others)
          : violated.includes(watched[next++]);
    return `${quantifier} ${fails ? 'fails' : 'holds'}`;
  });
  return { verdicts, isBeyond: violated.includes('!beyond') };
}

const byRemora = (subject: Test, model: string, limits: Limits = {}): readonly string[] =>
  decidedRuns(subject, modelNamed(model), queriesOf(subject), limits).map(
    ({ query, verdict }) => `${subject.queries[query].quantifier} ${verdict}`,
  );

const PETERSON = (fence: string): string => `RDMA peterson
node 1 { f = 0; g = 0; v = 0 }
thread T on 1 { loop { f := 1; v := 1; ${fence} a := g; b := v; while (a = 1 && b = 1) { a := g; b := v } critical c { skip } f := 0 } }
thread U on 1 { loop { g := 1; v := 2; ${fence} a := f; b := v; while (a = 1 && b = 2) { a := f; b := v } critical c { skip } g := 0 } }
exclusive c of T, U
deadlock`;

const COLLECTED = (polls: string): string => `RDMA collected
node 1 { x = 0 } node 2 { y = 0 } node 3 { a = 0; b = 0 }
cq c { p, q }
thread T on 3 { loop { a := x^1.p; b := y^2.q; ${polls}; critical c { skip } } }
thread U on 1 { loop { critical c { x := 1 - x } } }
exclusive c of T, U
deadlock`;

/** Two threads that pass a token by messages. @param waits how the second one waits for it */
const TOKEN = (waits: string, then: string): string => `RDMA token
node 1 { a = 0 } node 2 { b = 0; c = 0 }
thread T on 1 { a := recv(2); loop { critical c { skip }; send(2, 1); pollr(2); a := recv(2) } }
thread U on 2 { b := recv(1); c := recv(1); loop { ${waits}; b := recv(1); critical c { ${then} }; send(1, 2) } }
exclusive c of T, U`;

/** Locks of CPUs alone, threads that are stuck, and completions that are counted. */
const LOCAL: Readonly<Record<string, string>> = {
  'a poll of nothing':
    'RDMA t node 1 {} node 2 {} thread T on 1 { loop { poll(2); critical c { skip } } } deadlock',
  'a completion queue, each completion polled': COLLECTED('poll(c); poll(c)'),
  'a completion queue, polled once more': COLLECTED('poll(c); poll(c); poll(c)'),
  'a token, taken': TOKEN('pollr(1)', 'r := c; assert(r = 0)'),
  'a token, not waited for': TOKEN('skip', 'skip'),
  'local without fences': PETERSON(''),
  'local with fences': PETERSON('mfence;'),
};

/** A lock by its name: of these, or of the corpus. */
const textOf = (lock: string): string =>
  LOCAL[lock] ?? readFileSync(`corpus/locks/${lock}.litmus`, 'utf8');

const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ['tas', 'rdma-tso', ['exclusive holds', 'assertions holds', 'deadlock holds']],
  ['tas', 'rdma-ro', ['exclusive holds', 'assertions fails', 'deadlock holds']],
  ['tas-wait-elsewhere', 'rdma-wait', ['exclusive holds', 'assertions fails']],
  ['peterson', 'rdma-ro', ['exclusive fails']],
  ['peterson', 'weak-puts', ['exclusive fails']],
  ['alock-no-fence', 'rdma-tso', ['exclusive fails']],
  ['alock-1-1', 'rdma-ro', ['exclusive holds', 'deadlock holds']],
  ['alock-1-1-first-come-polled', 'rdma-tso', ['never fails', 'never holds']],
  ['local without fences', 'x86-tso', ['exclusive fails', 'deadlock holds']],
  ['local with fences', 'x86-tso', ['exclusive holds', 'deadlock holds']],
  ['a poll of nothing', 'rdma-tso', ['deadlock fails']],
  ['a completion queue, each completion polled', 'rdma-tso', ['exclusive fails', 'deadlock holds']],
  ['a completion queue, polled once more', 'rdma-tso', ['exclusive holds', 'deadlock fails']],
  ['a token, taken', 'rdma-tso', ['exclusive holds', 'assertions fails']],
  ['local without fences', 'sc', ['exclusive holds', 'deadlock holds']],
  // A third of the time of all.
  ...(ALL ? ([['a token, not waited for', 'rdma-ro', ['exclusive fails']]] as const) : []),
];

/** With `npm run test:all` also: a third of the corpus, some minutes of processor time. */
const EVERY = ['rdma-tso', 'rdma-ro', 'rdma-tso-nopcie', 'rdma-wait', 'sc', 'weak-puts'].flatMap(
  (model) =>
    readdirSync('corpus/locks')
      .map((name) => name.replace('.litmus', ''))
      .filter((name) => (model === 'rdma-wait' ? name.includes('wait') : !name.includes('wait')))
      .filter((name, i) => i % 3 === 0 && !/budget|alock-[12]-|barrier|mcs-three|reader/.test(name))
      .map((name) => [name, model] as const),
);

const REMOTE = ['z^2 := x; poll(2)', 'y := z^2; poll(2)', 'z^2 := y', 'poll(2)'];

describe.skipIf(SKIP_SPIN)(SPIN, () => {
  beforeAll(needSpin);

  test.each(CASES)('%s under %s: %j', (lock, model, verdicts) => {
    const text = textOf(lock);
    const there = bySpin(litmus(text), textPrinted(text, model));
    expect(there).toEqual({ verdicts, isBeyond: false });
    expect(byRemora(litmus(text), model)).toEqual(verdicts);
  });

  // Compiling takes a second for each, so `test:long` tries none of these, and few of the random ones.
  test.runIf(ALL).each(EVERY)('%s under %s', (lock, model) => {
    const text = textOf(lock);
    if (queriesOf(litmus(text)).length === 0) return;
    const { verdicts, isBeyond } = bySpin(litmus(text), textPrinted(text, model));
    expect(isBeyond).toBe(false);
    // Threads that go round for ever and get nowhere are no invalid end state.
    const here = byRemora(litmus(text), model);
    expect(verdicts.filter((_, i) => here[i] !== 'deadlock fails')).toEqual(
      here.filter((verdict) => verdict !== 'deadlock fails'),
    );
  });

  test.each(['rdma-tso', 'rdma-ro'])('random locks under %s', (model) => {
    const counts = { fails: 0, holds: 0 };
    const limits = { room: 2, limit: 20_000 };
    for (const text of fc.sample(randomLocks(REMOTE), { numRuns: ALL ? 60 : 2, seed: 5 })) {
      const subject = litmus(text);
      const here = byRemora(subject, model, limits);
      const found = printed(text, model, limits);
      // There are more states without reductions.
      if ('reason' in found) continue;
      const there = bySpin(subject, found.text);
      expect([text, there.isBeyond]).toEqual([text, false]);
      for (const [i, verdict] of here.entries()) {
        if (verdict === 'deadlock fails') continue;
        expect([text, there.verdicts[i]]).toEqual([text, verdict]);
        counts[verdict.endsWith('fails') ? 'fails' : 'holds'] += 1;
      }
    }
    expect(Math.min(counts.fails, counts.holds)).toBeGreaterThan(ALL ? 30 : 0);
  });

  describe('a wrong model is found out', () => {
    const text = textOf('tas');
    const right = textPrinted(text, 'rdma-tso');
    const verdictsOf = (model: string) => bySpin(litmus(text), model);

    test('a guard that is always true: two are in', () => {
      const wrong = right.replaceAll(/T\d_r == 0/g, 'true');
      expect(wrong).not.toBe(right);
      expect(verdictsOf(wrong).verdicts).toContain('exclusive fails');
    });

    test('a write that is left out: two are in', () => {
      const wrong = right.replaceAll(/memory_l = T\d_call_\d_1; /g, '');
      expect(wrong).not.toBe(right);
      expect(verdictsOf(wrong).verdicts).toContain('exclusive fails');
    });

    test('values that no exploration has seen', () => {
      const one = textPrinted(textOf('alock-1-1'), 'rdma-tso');
      const wrong = one.replace('int memory_tailL;', 'int memory_tailL = 2;');
      expect(wrong).not.toBe(one);
      expect(bySpin(litmus(textOf('alock-1-1')), wrong).isBeyond).toBe(true);
    });
  });
});

test('the same every time', () => {
  expect(textPrinted(textOf('tas'), 'rdma-tso')).toBe(textPrinted(textOf('tas'), 'rdma-tso'));
});

test.each([
  ['loop { x := 2 * x + 1 }', 'the value of x grows beyond 100000'],
  ['loop { r := x; s := 1 / r }', 'some run divides by zero'],
  [
    'r := x; s := r * r; assert(s = 0)',
    'SPIN has no numbers beyond 2147483647, and the step at 1:41 r := x may need them',
  ],
])('none where nothing is known of all states: %s', (body, reason) => {
  const text = `RDMA t node 1 { x = 0 } thread T on 1 { ${body} } assertions`;
  expect(() => textPrinted(text, 'rdma-tso')).toThrow(reason);
});

test('none beyond the limit of states', () => {
  expect(() => textPrinted(textOf('tas'), 'rdma-tso', { limit: 100 })).toThrow(
    'limit of 100 states',
  );
});

test('what there is no room for is said, and no fault of the program', () => {
  const text = `RDMA t node 1 { x = 0 } node 2 { z = 0 } thread T on 1 { loop { z^2 := x } } deadlock`;
  const model = textPrinted(text, 'rdma-tso', { room: 1 });
  expect(model).toContain("No more than 1 are unfinished at a time of T's calls to 2");
});
