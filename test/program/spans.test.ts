import { expect, test } from 'vitest';
import { litmus } from '../support/litmus.js';

test('a resolved program knows where its parts stand in the file', () => {
  const text = `RDMA t node 1 { x = 0; y = -1 } node 2 { z = 0 }
    thread T on 1 { a := z^2; b := a; z^2 := 7 }
    thread U on 2 {}
    exists (a = 0)`;
  const { program, queries } = litmus(text);
  const slice = ({ span }: { readonly span?: { readonly start: number; readonly end: number } }) =>
    span === undefined ? undefined : text.slice(span.start, span.end);
  // The last location holds the constant of the put, which stands nowhere.
  expect(program.locations.map(slice)).toEqual(['x = 0', 'y = -1', 'z = 0', 'a', undefined]);
  expect(program.threads.map(slice)).toEqual([
    'thread T on 1 { a := z^2; b := a; z^2 := 7 }',
    'thread U on 2 {}',
  ]);
  expect(queries.map(slice)).toEqual(['exists (a = 0)']);
});
