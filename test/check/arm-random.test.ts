import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadModelNamed } from '../../src/node/models.js';
import type { Model } from '../../src/model/term.js';
import { ok } from '../../src/parse/diagnostics/index.js';
import { DISK } from '../../src/node/models.js';
import { states } from '../support/checker.js';
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
  '"own" include "arm-base.cat" include "arm-orders.cat" let posted = po & (CPU * device)',
);

const HERE = { 1: ['x', 'y'], 2: ['z', 'w'] } as const;

/** A step of a thread on a node: annotated, or plain. */
function step(node: 1 | 2, annotated: boolean, at: number): fc.Arbitrary<string> {
  const there = node === 1 ? 2 : 1;
  const own = fc.constantFrom(...HERE[node]);
  const other = fc.constantFrom(...HERE[there]);
  const number = fc.constantFrom(1, 2);
  const read = own.map((l) => (annotated ? `r${at} := ldapr(${l})` : `r${at} := ${l}`));
  const write = fc
    .tuple(own, number)
    .map(([l, v]) => (annotated ? `stlr(${l}, ${v})` : `${l} := ${v}`));
  const atomic = fc
    .tuple(own, number)
    .map(([l, v]) =>
      annotated ? `dmb [sy]; r${at} := CAS [al] (${l}, 0, ${v})` : `r${at} := CAS(${l}, 0, ${v})`,
    );
  return fc.oneof(
    { weight: 4, arbitrary: read },
    { weight: 4, arbitrary: write },
    { weight: 1, arbitrary: atomic },
    { weight: 1, arbitrary: fc.constant(annotated ? 'dmb [sy]' : 'mfence') },
    { weight: 2, arbitrary: fc.tuple(other, number).map(([l, v]) => `${l}^${there} := ${v}`) },
    { weight: 2, arbitrary: fc.tuple(other, own).map(([l, m]) => `${l}^${there} := ${m}`) },
    { weight: 2, arbitrary: fc.tuple(own, other).map(([l, m]) => `${l} := ${m}^${there}`) },
    {
      weight: 2,
      arbitrary: fc.tuple(own, other).map(([l, m]) => `${l} := ${m}^${there}; poll(${there})`),
    },
  );
}

const thread = (node: 1 | 2, annotated: boolean): fc.Arbitrary<string> =>
  fc
    .integer({ min: 1, max: 3 })
    .chain((n) => fc.tuple(...Array.from({ length: n }, (_, i) => step(node, annotated, i))))
    .map((steps) => steps.join('; '));

const programs = (annotated: boolean): fc.Arbitrary<string> =>
  fc
    .tuple(
      thread(1, annotated),
      fc
        .constantFrom<(1 | 2)[]>(1, 2)
        .chain((n) => thread(n as 1 | 2, annotated).map((body) => ({ n, body }))),
    )
    .map(
      ([first, { n, body }]) =>
        `RDMA t\nnode 1 { x = 0; y = 0 }\nnode 2 { z = 0; w = 0 }\n` +
        `thread T1 on 1 { ${first} }\nthread T2 on ${n} { ${body} }\n`,
    );

test('with acquires, releases and full barriers, and posts that wait for all, it is RDMA^TSO', () => {
  fc.assert(
    fc.property(programs(true), (text) => {
      expect(states(text, ORDERED)).toEqual(states(text, 'rdma-tso'));
    }),
    { numRuns: cases(2000) },
  );
});

test('plain programs have all outcomes that they have on x86', () => {
  fc.assert(
    fc.property(programs(false), (text) => {
      expect(states(text, arm)).toEqual(expect.arrayContaining([...states(text, 'rdma-tso')]));
    }),
    { numRuns: cases(2000) },
  );
});
