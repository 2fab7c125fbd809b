import { describe, expect, test } from 'vitest';
import { FAMILIES } from '../../bench/families.js';
import { decideByCandidates, outcomesByCandidates } from '../../src/check/by-candidates.js';
import { decideByMachine, outcomesByMachine } from '../../src/rdma/machines/decide.js';
import { enumerate } from '../../src/check/decide.js';
import { machineFor } from '../../src/rdma/machines/index.js';
import { compareStates } from '../../src/program/final.js';
import { allSubjects } from '../../src/program/subjects.js';
import { adapted, litmus, modelOf, newSolver, verdicts } from '../support/checker.js';

/** The growing programs of the benchmark have the verdicts that they should have, by every engine. */

const model = modelOf('rdma-tso');
const machine = machineFor(model, 'simplified')!;
const limits = { deadline: Infinity };
const member = (family: string, k: number) => adapted(litmus(FAMILIES[family](k)), model);

/**
 * Why, under RDMA^TSO:
 * - sbring: a poll of a put says only that the put was issued, so all puts may still be under way
 *   when the reads are done
 * - sbringget: a get comes after the puts before it on the same queue pair, so a polled get means that the
 *   put has arrived; and of the polls followed by reads, one comes last
 * - mpchain: the data is in memory before the first put is, since a NIC reads and writes behind the
 *   thread's own store buffer; each put follows the read of the one before; the get comes last
 * - getsputs: a put may overtake the gets before it on the same queue pair, which then read late
 * - putrace: the 2 of the thread that puts 1 and 2 arrives after the 1
 * - iriw: a get that is polled is done, so a reader that sees one write and not the other has them in
 *   memory in that order; two readers would have them in both
 * - waitflag: puts of one queue pair arrive in order, and the read that ends the loop comes before that of
 *   the data; the thread counts, so that runs with more iterations than the bound are left open
 * - ringbuffer: a message arrives before the head that announces it, and its slot is put again only
 *   after the tail says that it was read, which is put after the read
 * - spin: a CAS takes the lock for one thread, and the write that releases it comes behind the count
 * - mix: what is asked for is left by an interleaving, in which every instruction has its effects at once
 */
const EXPECTED: Readonly<Record<string, (k: number) => string>> = {
  sbring: () => 'allowed',
  sbringget: () => 'forbidden',
  mpchain: () => 'forbidden',
  getsputs: () => 'allowed',
  putrace: () => 'forbidden',
  iriw: () => 'forbidden',
  waitflag: (k) => `forbidden up to ${k}`,
  ringbuffer: () => 'forbidden',
  spin: (k) => `forbidden up to ${k}`,
  mix3: () => 'allowed',
  mix4: () => 'allowed',
};

/** What enumeration and machines still treat at once. */
const isSmall = (family: string, k: number): boolean =>
  k < 4 || !['getsputs', 'putrace'].includes(family);

test('every family is expected to mean something', () => {
  expect(Object.keys(FAMILIES)).toEqual(Object.keys(EXPECTED));
});

describe.each(Object.keys(EXPECTED))('%s', (family) => {
  test.each([2, 3, 4])('%i: the verdict', (k) => {
    const subject = member(family, k);
    const expected = [EXPECTED[family](k)];
    expect(verdicts(FAMILIES[family](k), model)).toEqual(expected);
    if (!isSmall(family, k)) return;
    for (const answer of [
      ...decideByCandidates(subject, model, [0], false, limits),
      ...decideByMachine(subject, machine, [0], limits),
    ]) {
      const upTo = answer.upTo === undefined ? '' : ` up to ${answer.upTo}`;
      expect([answer.verdict + upTo]).toEqual(expected);
    }
  });

  test.each([2, 3])('%i: the final states', (k) => {
    const subject = member(family, k);
    const subjects = allSubjects(subject.program);
    const states = [
      enumerate(subject, model, newSolver, subjects),
      outcomesByCandidates(subject, model, subjects, false, limits),
      outcomesByMachine(subject, machine, subjects, limits),
    ].map((outcomes) => [...outcomes.states].sort(compareStates));
    expect(states[0].length).toBeGreaterThan(0);
    expect(states[1]).toEqual(states[0]);
    expect(states[2]).toEqual(states[0]);
  });
});
