import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadModelNamed } from '../../src/node/models.js';
import type { Model } from '../../src/model/term.js';
import { ok } from '../../src/parse/diagnostics/index.js';
import { DISK } from '../../src/node/models.js';
import { states } from '../support/checker.js';
import { hostPrograms } from '../support/host-programs.js';
import { valueOf } from '../support/litmus.js';
import { cases } from '../support/random.js';

/** RDMA^TSO with Arm's CPUs, beside RDMA^TSO, on random programs. */

const arm = valueOf(loadModelNamed('rdma-tso+arm').model);

/** A model with a CPU of this text. */
function withCpu(text: string): Model {
  const path = './own.cat';
  const exists = (file: string): boolean => file === path || DISK.exists(file);
  const read: typeof DISK.read = (file) => (file === path ? ok({ path, text }) : DISK.read(file));
  return valueOf(loadModelNamed(`rdma-tso+${path}`, { exists, read }).model);
}

/** As the CPU of x86 posts: whatever is before a post, is before what it does. */
const ORDERED = withCpu(
  '"own" include "cpu/parts/arm-base.cat" include "cpu/parts/arm-orders.cat" let posted = po & (CPU * device)',
);

test('with acquires, releases and full barriers, and posts that wait for all, it is RDMA^TSO', () => {
  fc.assert(
    fc.property(hostPrograms(true), (text) => {
      expect(states(text, ORDERED)).toEqual(states(text, 'rdma-tso'));
    }),
    { numRuns: cases(2000) },
  );
});

test('plain programs have all outcomes that they have on x86', () => {
  fc.assert(
    fc.property(hostPrograms(false), (text) => {
      expect(states(text, arm)).toEqual(expect.arrayContaining([...states(text, 'rdma-tso')]));
    }),
    { numRuns: cases(2000) },
  );
});
