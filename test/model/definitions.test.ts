import { expect, test } from 'vitest';
import { foldedTerms } from '../../src/model/narrow.js';
import { cat, states } from '../support/checker.js';

test('a model may be long, and the last definition of a name before its use counts', () => {
  const lets = Array.from({ length: 15_000 }, (_, i) => `let r${i} = po|rf|po|rf|po|rf|po|rf`);
  const long = (axiom: string) =>
    cat(`include "rdma.cat" ${lets.join(' ')} let r7 = 0 ${axiom} let r8 = 0`);
  const program =
    'RDMA t node 1 { x = 0; y = 0 } thread T on 1 { a := x; y := 1 } thread U on 1 { b := y; x := 1 } exists (a = 0 /\\ b = 0)';
  expect(states(program, long('acyclic po | r7'))).toHaveLength(4);
  expect(states(program, long('acyclic po | r8'))).toEqual(['a=0 b=0', 'a=0 b=1', 'a=1 b=0']);
});

test('what is empty is taken out of terms', () => {
  const { terms, definitions } = cat(
    'include "rdma.cat" let none = lW * lR let a = none | po let b = po | none let c = po \\ none let d = none \\ po let e = rf ; none',
  );
  const { terms: left, same } = foldedTerms(terms, (name) => name === 'lW' || name === 'lWL');
  const told = ['a', 'b', 'c', 'd', 'e'].map((name) => {
    const term = left[same[definitions.find((one) => one.name === name)!.term]];
    return term.op === 'base' ? term.name : term.op;
  });
  expect(told).toEqual(['po', 'po', 'po', 'empty', 'empty']);
});
