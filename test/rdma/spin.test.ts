import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { promelaOf } from '../../bench/promela.js';
import { spin } from '../../bench/spin.js';
import { parseLitmus } from '../../src/index.js';
import type { Query, Test } from '../../src/program/program.js';
import { decidedRuns } from '../support/explored.js';
import { litmus, valueOf } from '../support/litmus.js';
import { cases, few, some } from '../support/random.js';
import { randomLocks } from '../support/random-locks.js';
import { SKIP_SPIN, SPIN, needSpin } from '../support/spin.js';

/**
 * Explorations under SC, beside SPIN on a translation that takes each access as a step of its own. SPIN knows bad states
 * and rounds without progress. `deadlock` is another question: is there a state that nobody gets out of? Where nobody does,
 * there is a round without progress, but not the other way round.
 */

const ASKED: readonly Query['quantifier'][] = ['exclusive', 'assertions', 'deadlock', 'progress'];

/** What Remora decides of the queries that SPIN can be asked, by index. */
function explored(subject: Test): readonly (readonly [number, string])[] {
  const asked = [...subject.queries.keys()].filter((k) =>
    ASKED.includes(subject.queries[k].quantifier),
  );
  return decidedRuns(subject, 'sc', asked).map((a) => [a.query, a.verdict]);
}

/** What SPIN finds out about the same queries. */
function bySpin(subject: Test): (query: number) => string {
  const model = promelaOf(subject);
  const { errors } = spin(model, 'states', 'small');
  const verdict = (isBad: boolean): string => (isBad ? 'fails' : 'holds');
  return (query) => {
    switch (subject.queries[query].quantifier) {
      case 'exclusive':
        return verdict(errors.some((e) => e.includes(`(inside_${query}<=1)`)));
      case 'progress':
        return verdict(
          spin(promelaOf(subject, query), 'formula', 'small').errors.some((e) =>
            e.includes('acceptance cycle'),
          ),
        );
      case 'assertions':
        return verdict(errors.some((e) => e.startsWith('assertion') && !e.includes('inside_')));
      default: {
        const isStuck = errors.some((e) => e.includes('invalid end state'));
        return verdict(isStuck || spin(model, 'rounds', 'small').errors.length > 0);
      }
    }
  };
}

/** Where threads may go round for ever, all of them, and a way out stays: two that add, see the other one, and take back. */
const LIVELOCKS = ['tas-rfaa-back'];

// Where the data is, whether it is read back, and tags make no difference under SC; Promela has no waits. Of the others, every second one.
const FILES = readdirSync('corpus/locks')
  .filter((name) => !/elsewhere|flushed|strict|three|wait/.test(name))
  .filter((_, i) => i % 2 === 0)
  .map((name) => `corpus/locks/${name}`);

describe.skipIf(SKIP_SPIN)(SPIN, () => {
  beforeAll(needSpin);

  const locks = FILES.map((path) => valueOf(parseLitmus(readFileSync(path, 'utf8'), path))).filter(
    ({ queries }) => queries.some(({ quantifier }) => ASKED.includes(quantifier)),
  );

  test('there are locks of all kinds', () => {
    expect(locks.length).toBeGreaterThan(15);
    for (const kind of ASKED) {
      expect(locks.some(({ queries }) => queries.some((q) => q.quantifier === kind))).toBe(true);
    }
  });

  test.each(some(locks).map((lock) => [lock.name, lock] as const))('%s', (name, lock) => {
    const there = bySpin(lock);
    for (const [query, verdict] of explored(lock)) {
      const { text, quantifier } = lock.queries[query];
      const isLivelock = quantifier === 'deadlock' && LIVELOCKS.includes(name);
      expect([text, there(query)]).toEqual([text, isLivelock ? 'fails' : verdict]);
    }
  });

  test('random locks', () => {
    const counts = { other: { fails: 0, holds: 0 }, progress: { fails: 0, holds: 0 } };
    for (const [i, text] of fc.sample(randomLocks(), { numRuns: cases(60), seed: 3 }).entries()) {
      // Remora's runs end where an assertion fails.
      const safe = text.replace(/^(never.*|deadlock|progress.*)$/gm, '');
      const endless = text.replace(/^(never.*|exclusive.*|deadlock|assertions)$/gm, '');
      const asked = i % 3 === 0 ? [safe, endless.replaceAll('assert(r = 0)', 'skip')] : [safe];
      for (const subject of asked.map((text) => litmus(text))) {
        const there = bySpin(subject);
        for (const [query, verdict] of explored(subject)) {
          const { quantifier, text: what } = subject.queries[query];
          expect([text, quantifier, what, there(query)]).toEqual([
            ...[text, quantifier, what, verdict],
          ]);
          counts[quantifier === 'progress' ? 'progress' : 'other'][verdict as 'fails' | 'holds'] +=
            1;
        }
      }
    }
    for (const { fails, holds } of Object.values(counts)) {
      expect(Math.min(fails, holds)).toBeGreaterThan(few(10));
    }
  });

  // Of the locks of the corpus few are broken under SC, so these are.
  test.each([
    [
      'two are in',
      'exclusive c of T, U',
      'at a; r := x; if (r = 0) { x := 1; critical c { skip } }',
    ],
    [
      'an update is lost',
      'assertions',
      'r := x; x := r + 1; ghost g := g + 1; s := x; assert(s = g)',
    ],
    ['nobody lets go', 'deadlock', 'loop { at a; r := 1; while (r != 0) { r := CAS(x, 0, 1) } }'],
    ['a put that is two steps', 'assertions', 'z^2 := x; a := z^2; r := a; assert(r = 0); x := 1'],
    [
      'exchanges and additions far away',
      'assertions',
      'a := rxchg(z^2, 2); b := rfaa(z^2, 1); r := b; assert(r != 3); poll(2); poll(2)',
    ],
  ])('%s', (_, query, body) => {
    const subject = litmus(
      `RDMA t node 1 { x = 0 } node 2 { z = 0 } ghost g = 0
       thread T on 1 { ${body} } thread U on 1 { ${body} } ${query}`,
    );
    const [[index, verdict]] = explored(subject);
    expect([verdict, bySpin(subject)(index)]).toEqual(['fails', 'fails']);
  });
});
