import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adapt } from '../../src/rdma/translate.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { modelOf, states, verdicts } from '../support/checker.js';
import { litmus, one, two } from '../support/litmus.js';

describe('polls and waits', () => {
  const L3a = two('thread T on 1 { z^2 :=^d x; wait(d); x := 1 } exists (z = 0) exists (z = 1)');
  const L4a = `RDMA L4a node 1 { y = 0 } node 2 { x = 0 }
    thread T1 on 1 { x^2 :=^d 1; wait(d); a := y } thread T2 on 2 { y^1 :=^e 1; wait(e); b := x }
    exists (a = 0 /\\ b = 0)`;

  test('the waits of the LOCO paper, also under models of polls', () => {
    for (const model of ['rdma-wait', 'rdma-tso', 'rdma-sc', 'rdma-tso-nopcie']) {
      expect(verdicts(L3a, model)).toEqual(['allowed', 'forbidden']);
      expect(verdicts(L4a, model)).toEqual(['allowed']);
    }
  });

  test('polls under the model of waits', () => {
    const st3 = one('z^2 := x; poll(2); x := 1', 'exists (z = 1)');
    const st4 = one('z^2 := x; z^2 := x; poll(2); x := 1', 'exists (z = 1)');
    expect(verdicts(st3, 'rdma-wait')).toEqual(['forbidden']);
    expect(verdicts(st4, 'rdma-wait')).toEqual(['allowed']);
  });

  test.each([
    ['x := z^2; poll(2); y := x', 'x :=^a z^2; wait(a); y := x'],
    ['x := z^2; x := w^2; poll(2); y := x', 'x :=^a z^2; x :=^b w^2; wait(a); y := x'],
    [
      'z^2 := x; w^2 := y; poll(2); poll(2); x := 1; y := 1',
      'z^2 :=^a x; w^2 :=^b y; wait(a); wait(b); x := 1; y := 1',
    ],
    [
      'z^2 := x; poll(2); y := w^2; x := 1; poll(2); x := y',
      'z^2 :=^a x; wait(a); y :=^b w^2; x := 1; wait(b); x := y',
    ],
    // An atomic has one completion, whether it writes or not.
    [
      'x := rfaa(z^2, 3); y := rcas(w^2, 5, 6); z^2 := 7; poll(2); poll(2); poll(2); r := x + y',
      'x :=^a rfaa(z^2, 3); y :=^b rcas(w^2, 5, 6); z^2 :=^c 7; wait(a); wait(b); wait(c); r := x + y',
    ],
    [
      'x := rfaa(z^2, 1); y := w^2; poll(2); y := x; poll(2)',
      'x :=^a rfaa(z^2, 1); y :=^b w^2; wait(a); y := x; wait(b)',
    ],
  ])('%s', (polls, waits) => {
    const other = 'thread U on 2 { w := 1; z := 2; b := z; c := w }';
    const reached = states(`${one(polls)} ${other}`, 'rdma-tso');
    expect(reached.length).toBeGreaterThan(1);
    for (const program of [polls, waits]) {
      for (const model of ['rdma-tso', 'rdma-wait']) {
        expect(states(`${one(program)} ${other}`, model)).toEqual(reached);
      }
    }
  });

  test.each(['rdma-wait', 'rdma-tso', 'sc'])('waits for nothing order nothing: %s', (model) => {
    let several = 0;
    const shape = { branches: false, waits: model === 'rdma-wait', instructions: 3 };
    fc.assert(
      fc.property(programs(shape), (source) => {
        const threads = source.threads.map((thread) => ({
          ...thread,
          body: ['', ...thread.body].flatMap((i) => [...(i === '' ? [] : [i]), 'wait(nobody)']),
        }));
        const reached = states(inBlocks(source), model);
        expect(states(inBlocks({ ...source, threads }), model)).toEqual(reached);
        if (reached.length > 1) several += 1;
      }),
      { numRuns: 25 },
    );
    expect(several).toBeGreaterThan(8);
  });

  test('a wait leaves the completion to a poll', () => {
    const both = one('z^2 :=^d x; wait(d); poll(2)', 'exists (z = 0)');
    expect(verdicts(both, 'rdma-wait')).toEqual(['allowed']);
  });

  test('what has no translation is an error that names instruction, thread and model', () => {
    const message = (text: string, model: string): string => {
      const result = adapt(litmus(text).program, modelOf(model));
      return result.ok ? '' : result.errors.map((e) => e.message).join('\n');
    };
    expect(message(one('z^2 := x; choose { poll(2) } or {}'), 'rdma-wait')).toBe(
      'poll(2) cannot be translated for rdma-wait: T has remote operations or polls inside branches',
    );
    expect(message(one('z^2 :=^d x; wait(d); poll(2)'), 'rdma-tso')).toBe(
      'wait(d) cannot be translated for rdma-tso: T polls node 2 as well',
    );
    expect(message(one('x := z^2; z^2 :=^d x; wait(d)'), 'rdma-sc')).toBe(
      'wait(d) cannot be translated for rdma-sc: the next poll of node 2 is not for the operation with this identifier',
    );
  });

  test('a wait for several operations, and a wait twice, are for the model of waits only', () => {
    const text = one(
      'z^2 :=^d x; w^2 :=^d y; wait(d); wait(d); x := 1; y := 1',
      'exists (z = 1) exists (w = 1)',
    );
    expect(verdicts(text, 'rdma-wait')).toEqual(['forbidden', 'forbidden']);
    expect(() => verdicts(text, 'rdma-tso')).toThrow(
      'more than one operation before it has the identifier',
    );
  });

  test('SC and x86-TSO take programs as they are', () => {
    expect(verdicts(L3a, 'sc')).toEqual(['allowed', 'forbidden']);
    expect(verdicts(one('z^2 := x; poll(2); x := 1', 'exists (z = 1)'), 'sc')).toEqual([
      'forbidden',
    ]);
  });
});
