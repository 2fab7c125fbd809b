import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answers, cat, states, verdicts } from '../support/checker.js';
import { one, two } from '../support/litmus.js';

describe('vacuous tests', () => {
  const query = 'exists (x = 0) ~exists (x = 0) forall (x = 1)';
  const reason = (text: string, model: Parameters<typeof verdicts>[1]): string => {
    const [first, ...rest] = verdicts(text, model);
    expect(rest).toEqual([first, first]);
    expect(states(text, model)).toEqual([]);
    return first;
  };

  test('a poll of nothing', () => {
    expect(reason(one('z^2 := x; poll(2); poll(2)', query), 'rdma-tso')).toBe(
      'vacuous: T polls node 2 more often than it has operations towards it',
    );
    expect(reason(one('poll(2); z^2 := x', query), 'rdma-sc')).toBe(
      'vacuous: T polls node 2 more often than it has operations towards it',
    );
  });

  test('an assumption that fails', () => {
    expect(reason(one('assume(y = 1)', query), 'sc')).toBe(
      'vacuous: no path of the program can be executed: an `assume` or a CAS that no run satisfies',
    );
    expect(reason(one('assume(y = 1); z^2 := x; poll(2)', query), 'rdma-tso')).toBe(
      'vacuous: no path of the program can be executed: an `assume` or a CAS that no run satisfies, or a poll with nothing to poll',
    );
  });

  test('an axiom that rules out everything', () => {
    expect(reason(one('z^2 := x', query), 'x86-tso')).toBe(
      "vacuous: axiom 'cpu-only' of x86-tso rules out every execution",
    );
  });

  test('axioms that do together', () => {
    const model = cat(
      'include "rdma.cat" empty [lR] ; rb as a ~empty [lR] ; rb as b flag ~empty lR as c',
    );
    const text = two(`thread T on 1 { a := x; x := 1 } ${query}`);
    expect(reason(text, model)).toBe(
      'vacuous: the axioms a, b of own together rule out every execution',
    );
  });

  test('an execution that loops cut off is not missed', () => {
    const text = two(`thread T on 1 { while (x = 0) { skip } } ${query}`);
    expect(verdicts(text, 'sc')[0]).toBe('unknown: no run ends within the loop bound of 3');
  });
});

describe('no run ends within the loop bound, and none ends at all', () => {
  const vacuous = (body: string, model = 'rdma-tso'): string =>
    verdicts(one(body, 'exists (x = 0)'), model)[0];
  const polls = 'vacuous: T polls node 2 more often than it has operations towards it';

  test.each([
    ['a poll of nothing before a loop', 'poll(2); while (x = 0) { x := 1 }'],
    ['in a loop', 'z^2 := x; poll(2); while (x = 0) { y := 1 } poll(2)'],
    [
      'in both branches',
      'while (x = 0) { y := 1 } if (y = 1) { poll(2) } else { mfence; poll(2) }',
    ],
    ['where a loop only polls', 'z^2 := x; loop { poll(2); x := 1 } poll(2); poll(2)'],
  ])('%s', (_, body) => {
    expect(vacuous(body)).toBe(polls);
  });

  test('what is always false, and loops that never end', () => {
    expect(vacuous('loop { x := 1 } assume(0)')).toBe('vacuous: T assumes what is always false');
    expect(vacuous('while (1) { x := 1 }')).toBe('vacuous: a loop of T never ends');
    const both = 'choose { while (2) { x := 1 } } or { loop { y := 1 } assume(1 = 2) }';
    expect(vacuous(both)).toBe('vacuous: a loop of T never ends');
  });

  test('an axiom that the events of every run break', () => {
    const loop = 'while (x = 0) { x := 1 } z^2 := x';
    expect(vacuous(loop, 'x86-tso')).toBe(
      "vacuous: axiom 'cpu-only' of x86-tso rules out every execution",
    );
    // Here, some runs may do without.
    expect(vacuous('while (x = 0) { skip } while (y = 1) { z^2 := x }', 'x86-tso')).toBe(
      'unknown: no run ends within the loop bound of 3',
    );
  });

  test.each([
    ['in memory', 'loop { x := x + 1 } assume(x = 7)', 7],
    ['in a register', 'a := 0; loop { a := a + 1 } assume(a = 7); x := 7', 7],
    ['in a loop that is known', 'a := 0; while (a < 7) { a := a + 1 } assume(a = 7); x := 7', 7],
    ['of what is issued', 'loop { z^2 := y } poll(2); poll(2); poll(2); poll(2); x := 7', 4],
  ])('an end beyond the bound is not denied: %s', (_, body, bound) => {
    const text = one(body, 'exists (x = 7)');
    expect(verdicts(text, 'sc')[0]).toBe('unknown: no run ends within the loop bound of 3');
    expect(verdicts(text, 'sc', bound)[0]).toBe('allowed');
  });

  test('nor what another thread does beyond the bound', () => {
    const text = two(`thread T on 1 { loop { x := x + 1 } } thread U on 1 { assume(x = 10) }
      exists (x = 10)`);
    expect(verdicts(text, 'sc')[0]).toBe('unknown: no run ends within the loop bound of 3');
    expect(verdicts(text, 'sc', 10)[0]).toBe('allowed');
  });

  test.each(['sc', 'rdma-tso'])('what is said of all runs holds for longer ones: %s', (model) => {
    let [empty, complete] = [0, 0];
    fc.assert(
      fc.property(looping, (threads) => {
        const text = `RDMA t node 1 { x = 0 } node 2 { z = 0 } ${threads} exists (x = 0)`;
        const [verdict] = verdicts(text, model, 1);
        const [short, long] = [states(text, model, 1), states(text, model, 3)];
        if (verdict.startsWith('vacuous')) {
          empty += 1;
          expect(long.filter((state) => state.includes('='))).toEqual([]);
        } else if (!short.some((line) => /^(up to|incomplete)/.test(line))) {
          complete += 1;
          expect(long).toEqual(short);
        }
      }),
      { numRuns: 150, seed: 8 },
    );
    expect(empty).toBeGreaterThan(15);
    expect(complete).toBeGreaterThan(10);
  });
});

/** One or two threads with loops, assumptions and polls. */
const looping: fc.Arbitrary<string> = (() => {
  const plain = fc.constantFrom(
    'x := x + 1',
    'z^2 := x',
    'poll(2)',
    'assume(x = 2)',
    'assume(x < 2)',
    'assume(0)',
  );
  const inner = fc.oneof(fc.constant('x := x + 1'), plain);
  const piece = fc.oneof(
    plain,
    inner.map((body) => `loop { ${body} }`),
    inner.map((body) => `while (x < 2) { ${body} }`),
    inner.map((body) => `while (x = 1) { ${body} }`),
    fc.tuple(inner, inner).map(([a, b]) => `choose { ${a} } or { ${b} }`),
    fc.tuple(inner, inner).map(([a, b]) => `if (x = 1) { ${a} } else { ${b} }`),
  );
  const body = (maxLength: number) => fc.array(piece, { minLength: 1, maxLength });
  const second = fc.option(body(2), { freq: 1 });
  return fc
    .tuple(body(3), second)
    .map(([a, b]) =>
      [
        `thread T on 1 { ${a.join('; ')} }`,
        ...(b === null ? [] : [`thread U on 1 { ${b.join('; ')} }`]),
      ].join(' '),
    );
})();

describe('queries', () => {
  const text = (query: string) =>
    two(`thread T on 1 { x := 1 } thread U on 1 { a := x; b := x } ${query}`);

  test.each([
    ['exists (a = 1 /\\ b = 0)', 'forbidden'],
    ['exists (a = 0 /\\ b = 1)', 'allowed'],
    ['~exists (a = 1 /\\ b = 0)', 'forbidden'],
    ['~exists (a = 0)', 'allowed'],
    ['forall (x = 1)', 'holds'],
    ['forall (a = 0)', 'fails'],
    ['forall (~(a = 1 /\\ b = 0))', 'holds'],
    ['forall (a = 0 \\/ b = 1)', 'holds'],
    ['exists (a = b)', 'allowed'],
    ['exists (a != b)', 'allowed'],
    ['exists (a = x /\\ b != x)', 'forbidden'],
    ['exists (x = y)', 'forbidden'],
    ['forall (y = z)', 'holds'],
    ['exists (U:a = x)', 'allowed'],
    ['exists (true)', 'allowed'],
    ['forall (true)', 'holds'],
    ['forall (~true)', 'fails'],
    ['exists (~true)', 'forbidden'],
    ['exists (x = 7)', 'forbidden'],
    ['exists (x != 7)', 'allowed'],
  ])('%s %s', (query, verdict) => {
    expect(verdicts(text(query), 'sc')).toEqual([verdict]);
  });

  test('what answers comes with its state and its execution', () => {
    const [found, none, fails] = answers(
      text('exists (a = 0 /\\ b = 1) exists (a = 1 /\\ b = 0) forall (b = 1)'),
      'sc',
    );
    expect(found.state).toEqual({ a: 0, b: 1 });
    expect(found.witness?.reads.map(([, value]) => value)).toEqual([0, 1]);
    expect(none.state).toBeUndefined();
    expect(none.witness).toBeUndefined();
    expect(fails.state).toMatchObject({ b: 0 });
  });

  test('locations that nobody touches keep their values', () => {
    const text = 'RDMA t node 1 { x = -3; y = 4 } thread T on 1 { skip } exists (x = -3 /\\ y = 4)';
    expect(verdicts(text, 'rdma-tso')).toEqual(['allowed']);
    expect(states(text, 'rdma-tso')).toEqual(['x=-3 y=4']);
  });
});

describe('values', () => {
  const value = (expression: string): readonly string[] =>
    states(
      `RDMA t node 1 { x = -7; y = 2; r = 0 } thread T on 1 { r := ${expression} } exists (r = 0)`,
      'sc',
    );

  test.each([
    ['x + y', -5],
    ['x - y', -9],
    ['x * y', -14],
    ['x / y', -3],
    ['x % y', -1],
    ['-x / -y', -3],
    ['y / x', 0],
    ['x < y', 1],
    ['x >= y', 0],
    ['x <= x', 1],
    ['y > y', 0],
    ['x = y', 0],
    ['x != y', 1],
    ['x && y', 1],
    ['!x || (y = 3)', 0],
    ['!(x && 0)', 1],
    ['-(x) + 1', 8],
  ])('%s is %i', (expression, expected) => {
    expect(value(expression)).toEqual([`r=${expected}`]);
  });

  test('negative numbers go through memory and the network', () => {
    const text = two(`thread T on 1 { z^2 := -5; poll(2); x := z^2 } exists (x = -5 /\\ z = -5)`);
    expect(verdicts(text, 'rdma-tso')).toEqual(['allowed']);
    expect(states(text, 'rdma-tso')).toEqual(['x=-5 z=-5']);
  });

  test('a run that may divide by zero: nothing is forbidden for sure', () => {
    const text = two(`thread T on 1 { x := 1 } thread U on 1 { a := 6 / x }
      exists (a = 6) exists (a = 5) forall (a = 6)`);
    const unknown = 'unknown: some run divides by zero';
    expect(verdicts(text, 'sc')).toEqual(['allowed', unknown, unknown]);
    expect(states(text, 'sc')).toEqual(['a=6', 'incomplete: some run divides by zero']);
  });

  test('where the model excludes it, or the path, all is well', () => {
    const guarded = one('a := 0; if (y != 0) { a := 6 % y }', 'exists (a = 1)');
    expect(verdicts(guarded, 'sc')).toEqual(['forbidden']);
    const ordered = one('x := 2; a := 6 / x', 'exists (a = 1)');
    expect(verdicts(ordered, 'rdma-tso')).toEqual(['forbidden']);
    expect(states(ordered, 'rdma-tso')).toEqual(['a=3']);
  });

  test('values without end are given up, not guessed', () => {
    const [verdict] = verdicts(
      'RDMA t bound 60 node 1 { x = 3 } thread T on 1 { loop { x := x * x } } exists (x = 5)',
      'sc',
    );
    expect(verdict).toMatch(/^unknown: a value can /);
  });
});
