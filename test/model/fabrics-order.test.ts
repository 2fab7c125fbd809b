import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FABRIC_MODELS, allowsAllOf, strongestOf, weakestOf } from '../../src/model/fabrics.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { expectedOf } from '../../src/check/expectation.js';
import { litmus, states } from '../support/checker.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { cases, few } from '../support/random.js';

/** Which fabric allows what another one allows: `remora fabrics` names the weakest by it. */

const PAIRS = FABRIC_MODELS.flatMap((weaker) =>
  FABRIC_MODELS.filter((stronger) => allowsAllOf(weaker, stronger)).map(
    (stronger) => [stronger, weaker] as const,
  ),
);

/** Each location is as it is, strict or relaxed. */
const tagged = (text: string, tags: readonly string[]): string => {
  let i = 0;
  return text.replace(/\b([a-z]\w*) = 0(?=[ ;}])/g, (all) => {
    const tag = tags[i++ % tags.length];
    return tag === '' ? all : `${all} [${tag}]`;
  });
};

test('a fabric allows all that those above it allow: random programs', () => {
  let differ = 0;
  const shape = { threads: 2, instructions: 3, branches: false, atomics: true, queuePairs: true };
  const drawn = fc.tuple(
    programs(shape),
    fc.array(fc.constantFrom('', 'strict', 'relaxed'), { minLength: 2, maxLength: 5 }),
  );
  fc.assert(
    fc.property(drawn, ([program, tags]) => {
      const text = tagged(inBlocks(program), tags);
      // Programs with atomics have no verdict where delivery is unordered.
      const hasAtomics = /r(cas|faa|xchg)\(/.test(text);
      const asked = FABRIC_MODELS.filter((name) => !(hasAtomics && name === 'rdma-srd'));
      const found = new Map(asked.map((name) => [name, new Set(states(text, name))]));
      for (const [stronger, weaker] of PAIRS) {
        if (!found.has(weaker)) continue;
        const lost = [...found.get(stronger)!].filter((one) => !found.get(weaker)!.has(one));
        expect([text, stronger, weaker, lost]).toEqual([text, stronger, weaker, []]);
      }
      if (new Set([...found.values()].map(({ size }) => size)).size > 1) differ += 1;
    }),
    { numRuns: cases(1000), seed: 5 },
  );
  expect(differ).toBeGreaterThanOrEqual(few(20));
});

const queries = PLAIN_FILES.flatMap(({ text }) => litmus(text).queries);

/** Those with nothing between them. */
const DIRECT = PAIRS.filter(
  ([stronger, weaker]) => !PAIRS.some(([a, b]) => a === stronger && allowsAllOf(weaker, b)),
);

test.each(DIRECT)(
  '%s orders more than %s, and a program of the corpus shows it',
  (stronger, weaker) => {
    const telling = queries.filter(
      (query) =>
        expectedOf(query, stronger)?.verdict === 'forbidden' &&
        expectedOf(query, weaker)?.verdict === 'allowed',
    );
    expect(telling).not.toEqual([]);
  },
);

test('of models that nobody knows, each is named', () => {
  expect(weakestOf(['a', 'rdma-tso', 'rdma-ro', 'b'])).toEqual(['a', 'rdma-ro', 'b']);
  expect(strongestOf(['a', 'rdma-tso', 'rdma-ro', 'b'])).toEqual(['a', 'rdma-tso', 'b']);
  expect(weakestOf([])).toEqual([]);
});
