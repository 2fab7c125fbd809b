import fc from 'fast-check';
import { expect, test } from 'vitest';
import { enumerateCandidates } from '../../src/check/enumerate/candidates.js';
import { definitionOf } from '../../src/check/order-in-every-run.js';
import { elements, related } from '../../src/model/relation/matrix.js';
import { unroll } from '../../src/program/events/unroll.js';
import type { Program } from '../../src/program/program.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import { PLAIN_FILES } from '../support/corpus.js';
import { litmus } from '../support/litmus.js';
import { RDMA_SC } from '../support/prefixes.js';

/** Maximal events, which the proofs about robustness put off to the end (decidability paper, Def. 5). */

/** Of each trace of a program in which some thread has begun: how many events are maximal. */
function maximalIn(program: Program): readonly number[] {
  const counts: number[] = [];
  const ib = definitionOf(RDMA_SC, 'ib');
  enumerateCandidates(
    unroll(program, undefined, { prefixes: true }),
    RDMA_SC,
    ({ execution: { size, sets, relations }, judgement }) => {
      const initial = new Set(elements(sets.get('IW')!));
      const events = Array.from({ length: size }, (_, e) => e).filter((e) => !initial.has(e));
      if (events.length === 0) return;
      const [po, issued] = [relations.get('po')!, judgement.rel(ib)];
      const cpu = elements(sets.get('CPU')!);
      const maximal = events.filter(
        (e) => !events.some((f) => related(po, e, f)) && !cpu.some((f) => related(issued, e, f)),
      );
      counts.push(maximal.length);
    },
    { limit: 3000 },
  );
  return counts;
}

const files = PLAIN_FILES.filter(({ file }) => /^(?:tso|robustness)\//.test(file));

test.each(files)('decidability paper, Lemma 1: each trace of $file has one', ({ text }) => {
  expect(Math.min(...maximalIn(litmus(text).program))).toBeGreaterThan(0);
});

test('decidability paper, Lemma 1: so have those of random programs', () => {
  let several = 0;
  fc.assert(
    fc.property(programs({ threads: 2, instructions: 4, branches: false }), (source) => {
      const counts = maximalIn(litmus(inBlocks(source)).program);
      expect(Math.min(...counts)).toBeGreaterThan(0);
      // Some events that are last in program order are not maximal.
      if (Math.max(...counts) > Math.min(...counts)) several += 1;
    }),
    { numRuns: 40 },
  );
  expect(several).toBeGreaterThan(10);
});
