import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decidedRuns } from '../support/explored.js';
import { litmus } from '../support/litmus.js';
import { cases, few } from '../support/random.js';
import { randomLocks } from '../support/random-locks.js';

/** Questions about runs of random locks, with steps that come first and without. */

const REMOTE = ['z^2 := x; poll(2)', 'y := z^2; poll(2)', 'z^2 := y', 'poll(2)'];
const MODELS = ['sc', 'rdma-sc', 'rdma-tso', 'rdma-ro'];

test.each(MODELS)('reducing what is explored changes no answer: %s', (model) => {
  const counts = { fails: 0, holds: 0 };
  fc.assert(
    fc.property(randomLocks(model === 'sc' ? [] : REMOTE), (text) => {
      const subject = litmus(text);
      const queries = [...subject.queries.keys()];
      const [reduced, plain] = [true, false].map((reduces) =>
        decidedRuns(subject, model, queries, { reduces, room: 2, limit: 20_000 }),
      );
      for (const [i, { verdict }] of plain.entries()) {
        if (verdict === 'unknown' || reduced[i].verdict === 'unknown') continue;
        expect([subject.queries[i].text, reduced[i].verdict]).toEqual([
          subject.queries[i].text,
          verdict,
        ]);
        if (verdict === 'fails' || verdict === 'holds') counts[verdict] += 1;
      }
    }),
    { numRuns: cases(200), seed: 3 },
  );
  expect(Math.min(counts.fails, counts.holds)).toBeGreaterThan(few(100));
});
