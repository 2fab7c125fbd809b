import { describe, expect, test } from 'vitest';
import { states, verdicts } from '../support/checker.js';
import { one, two } from '../support/litmus.js';

describe('branches', () => {
  test('each is taken where its condition holds', () => {
    const text =
      two(`thread T on 1 { x := 1 } thread U on 1 { a := x; if (a = 1) { b := 1 } else { b := 2 } }
      exists (a = 0 /\\ b = 2) exists (a = 1 /\\ b = 1) exists (a = 0 /\\ b = 1) exists (a = 1 /\\ b = 2)`);
    expect(verdicts(text, 'sc')).toEqual(['allowed', 'allowed', 'forbidden', 'forbidden']);
    expect(states(text, 'sc')).toEqual(['a=0 b=2', 'a=1 b=1']);
  });

  test('a write that only one branch has is there in that branch only', () => {
    const text =
      two(`thread T on 1 { if (x = 1) { y := 1 } else { y := 2 } } thread U on 1 { x := 1; a := y }
      exists (a = 3) exists (a = 1) exists (y = 2 /\\ a = 1) exists (y = 0)`);
    expect(verdicts(text, 'sc')).toEqual(['forbidden', 'allowed', 'forbidden', 'forbidden']);
  });

  test('what only one branch orders is weak in the other', () => {
    const put = (order: string) =>
      one(
        `x := 1; a := 0; choose { a := 1 } or { skip } z^2 := y; if (a) { ${order} } y := 1`,
        'exists (a = 1 /\\ z = 1) exists (a = 0 /\\ z = 1)',
      );
    expect(verdicts(put('poll(2)'), 'rdma-tso')).toEqual(['forbidden', 'allowed']);
    expect(verdicts(put('mfence'), 'rdma-tso')).toEqual(['allowed', 'allowed']);
  });

  test('choose takes any branch, and one', () => {
    expect(states(one('choose { x := 1 } or { x := 2; y := 2 } or { y := 3 }'), 'sc')).toEqual([
      'x=0 y=3 z=0 w=0',
      'x=1 y=0 z=0 w=0',
      'x=2 y=2 z=0 w=0',
    ]);
  });

  test('an assumption drops the runs in which it fails', () => {
    const text =
      two(`thread T on 1 { x := 1; y := 1 } thread U on 1 { a := y; assume(a = 1); b := x }
      exists (a = 0) exists (b = 0) forall (b = 1)`);
    expect(verdicts(text, 'sc')).toEqual(['forbidden', 'forbidden', 'holds']);
  });
});

describe('polls and paths', () => {
  // The put is polled for sure in the one branch. In the other, the only poll takes the get.
  const text = (body: string) => one(body, 'exists (a = 1 /\\ z = 1) exists (a = 0 /\\ z = 1)');

  test('a poll takes the oldest operation of the path taken', () => {
    const body = 'choose { a := 1 } or { a := 0; y := w^2 } z^2 := x; poll(2); x := 1';
    expect(verdicts(text(body), 'rdma-tso')).toEqual(['forbidden', 'allowed']);
  });

  test('polls on the path before count as well', () => {
    const body = 'y := w^2; choose { a := 1; poll(2) } or { a := 0 } z^2 := x; poll(2); x := 1';
    expect(verdicts(text(body), 'rdma-tso')).toEqual(['forbidden', 'allowed']);
  });

  test('a path with more polls than operations has no execution', () => {
    const body = 'choose { a := 1; poll(2) } or { a := 0 } z^2 := x; poll(2); x := 1';
    const query = 'exists (a = 1) exists (a = 0) forall (a = 0)';
    expect(verdicts(one(body, query), 'rdma-tso')).toEqual(['forbidden', 'allowed', 'holds']);
  });

  test('each queue pair has its own', () => {
    const nodes = 'RDMA t node 1 { x = 0 } node 2 { z = 0 } node 3 { u = 0 }';
    const program = (polled: number) =>
      `${nodes} thread T on 1 { u^3 := x; z^2 := x; poll(${polled}); x := 1 }
       exists (z = 1) exists (u = 1)`;
    expect(verdicts(program(2), 'rdma-tso')).toEqual(['forbidden', 'allowed']);
    expect(verdicts(program(3), 'rdma-tso')).toEqual(['allowed', 'forbidden']);
  });
});

describe('loops', () => {
  test('an unrolling that is complete says nothing of a bound', () => {
    const body = 'a := 0; while (a < 3) { a := a + 1; x := a }';
    expect(verdicts(one(body, 'exists (x = 3) exists (x = 2) forall (a = 3)'), 'sc', 3)).toEqual([
      'allowed',
      'forbidden',
      'holds',
    ]);
    expect(states(one(body, 'exists (x = 3)'), 'sc')).toEqual(['x=3']);
  });

  test('where nothing ends within the bound, nothing is known', () => {
    const text = one('a := 0; while (a < 3) { a := a + 1 }', 'exists (a = 3) forall (a = 3)');
    const unknown = 'unknown: no run ends within the loop bound of 2';
    expect(verdicts(text, 'sc', 2)).toEqual([unknown, unknown]);
    expect(states(text, 'sc', 2)).toEqual(['up to 2']);
  });

  const waiting =
    two(`thread T on 1 { x := 1; y := 1 } thread U on 1 { while (y = 0) { skip } a := x }
    exists (a = 1) exists (a = 0) forall (a = 1)`);

  test('a loop that waits may always go on: its negative answers hold up to the bound', () => {
    expect(verdicts(waiting, 'sc')).toEqual(['allowed', 'forbidden up to 3', 'holds up to 3']);
    expect(verdicts(waiting, 'rdma-tso', 1)).toEqual([
      'allowed',
      'forbidden up to 1',
      'holds up to 1',
    ]);
    expect(states(waiting, 'sc')).toEqual(['a=1', 'up to 3']);
  });

  test('a loop that cannot go on is complete, whatever it waits for', () => {
    const text = one('x := 1; while (y = 1) { skip } a := x', 'exists (a = 0)');
    expect(verdicts(text, 'sc')).toEqual(['forbidden']);
  });

  test('any number of iterations', () => {
    const text = one('a := 0; loop bound 2 { a := a + 1 }', 'exists (a = 0)');
    expect(states(text, 'sc')).toEqual(['a=0', 'a=1', 'a=2', 'up to 2']);
  });

  test('gets in a loop: each iteration has its own, and is polled in turn', () => {
    const text = (flush: string) =>
      two(`thread T on 1 { p := 0; while (p = 0) bound 2 { p := z^2; poll(2) } a := y }
        thread U on 2 { y^1 := 1; ${flush} z := 1 } exists (a = 0)`);
    expect(verdicts(text(''), 'rdma-tso')).toEqual(['allowed']);
    expect(verdicts(text('q := x^1; poll(1); poll(1);'), 'rdma-tso')).toEqual([
      'forbidden up to 2',
    ]);
  });
});

describe('compare-and-swap', () => {
  test('succeeds or fails by what it reads', () => {
    expect(
      states(one('a := CAS(x, 0, 5); b := CAS(x, 0, 7); c := CAS(x, a + 5, b - 6)'), 'sc'),
    ).toEqual(['x=-1 y=0 z=0 w=0 a=0 b=5 c=5']);
  });

  test('two of them: one succeeds', () => {
    const text = two(`thread T on 1 { a := CAS(x, 0, 1) } thread U on 1 { b := CAS(x, 0, 2) }
      exists (a = 0 /\\ b = 0)`);
    for (const model of ['sc', 'x86-tso', 'rdma-sc', 'rdma-tso', 'rdma-tso-nopcie']) {
      expect(verdicts(text, model)).toEqual(['forbidden']);
      expect(states(text, model)).toEqual(['a=0 b=1', 'a=2 b=0']);
    }
  });

  test('counting with it loses nothing, counting without does', () => {
    const add = (name: string) =>
      `thread ${name} on 1 { a := 0; b := 1; while (a != b) bound 2 { a := x; b := CAS(x, a, a + 1) } }`;
    expect(
      verdicts(two(`${add('T')} ${add('U')} exists (x = 1) exists (x = 2)`), 'x86-tso'),
    ).toEqual(['forbidden up to 2', 'allowed']);
    const text = two('thread T on 1 { x := x + 1 } thread U on 1 { x := x + 1 } exists (x = 1)');
    expect(verdicts(text, 'sc')).toEqual(['allowed']);
  });

  test('a lock keeps critical sections apart, if it is released by a write', () => {
    const section = (name: string) =>
      `thread ${name} on 1 { a := CAS(x, 0, 1); if (a = 0) { b := y; y := b + 1; x := 0 } }`;
    const text = two(`${section('T')} ${section('U')}
      exists (T:a = 0 /\\ U:a = 0) exists (T:a = 0 /\\ U:a = 0 /\\ y = 1) ~exists (T:a = 1 /\\ U:a = 1)`);
    for (const model of ['sc', 'x86-tso', 'rdma-tso']) {
      expect(verdicts(text, model)).toEqual(['allowed', 'forbidden', 'forbidden']);
    }
  });

  test('both outcomes order store buffers', () => {
    const sb = (swap: string) =>
      two(`thread T on 1 { x := 1; ${swap}; b := y } thread U on 1 { y := 1; mfence; c := x }
        exists (b = 0 /\\ c = 0)`);
    expect(verdicts(sb('skip'), 'rdma-tso')).toEqual(['allowed']);
    expect(verdicts(sb('a := CAS(x, 1, 2)'), 'rdma-tso')).toEqual(['forbidden']);
    expect(verdicts(sb('a := CAS(x, 5, 2)'), 'rdma-tso')).toEqual(['forbidden']);
    expect(verdicts(sb('a := CAS(x, 5, 2)'), 'x86-tso')).toEqual(['forbidden']);
  });

  test('no put falls between its read and its write', () => {
    const text = two(`thread T on 1 { a := CAS(x, 0, 1) } thread U on 2 { x^1 := 2 }
      exists (a = 0 /\\ x = 1) exists (a = 0 /\\ x = 2) exists (a = 2 /\\ x = 1)`);
    expect(verdicts(text, 'rdma-tso')).toEqual(['forbidden', 'allowed', 'forbidden']);
  });
});
