import { expect, test } from 'vitest';
import { answers } from '../support/checker.js';
import { two } from '../support/litmus.js';

/** More instructions than calls can be nested: their witnesses are replayed, too. */
const MANY = 10_000;

test.each([
  [
    'registers',
    (i: number) => `r${i} := ${i}`,
    `exists (T:r1 = 1 /\\ T:r${MANY - 1} = ${MANY - 1})`,
    'allowed',
  ],
  [
    'sums',
    (i: number) => (i === 0 ? 's := 0' : 's := s + 1'),
    `exists (T:s = ${MANY})`,
    'forbidden',
  ],
  [
    'assumptions',
    (i: number) => (i === 0 ? 'r := 1' : 'assume (r = 1)'),
    'exists (T:r = 1)',
    'allowed',
  ],
  [
    'branches',
    (i: number) => (i === 0 ? 'r := 1' : 'if (r = 1) { r := 1 } else { r := 0 }'),
    'exists (T:r = 0)',
    'forbidden',
  ],
  ['choices', () => 'choose { r := 1 } or { r := 2 }', 'exists (T:r = 2)', 'allowed'],
])('%s: a thread of 10,000 instructions has a verdict', (_, line, query, verdict) => {
  const body = Array.from({ length: MANY }, (_, i) => line(i)).join(';\n');
  const [answer] = answers(two(`thread T on 1 { ${body} } ${query}`), 'rdma-tso');
  expect(answer).toMatchObject({ verdict });
});
