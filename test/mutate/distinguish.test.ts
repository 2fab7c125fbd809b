import { expect, test } from 'vitest';
import { mutantsOf } from '../../mutate/models/index.js';
import type { Mutant } from '../../mutate/models/mutant.js';
import { mutatedModel, originalModel } from '../../mutate/models/text.js';
import { caughtByExecutions } from '../../mutate/run/by-executions.js';
import { readTests } from '../../mutate/run/read-tests.js';
import { sharesOf } from '../../src/analyses/by-size/shares.js';
import { pairSearch } from '../../src/analyses/distinguish/distinguish.js';
import type { PartFound } from '../../src/analyses/distinguish/part.js';
import { inProcess } from '../../src/analyses/in-process.js';
import { defaultInstructions } from '../../src/node/models.js';
import type { Test } from '../../src/program/program.js';
import { alphabetOf } from '../../src/rdma/classes/alphabet.js';
import type { Draft } from '../../src/rdma/classes/draft.js';
import { readDraft } from '../../src/rdma/classes/read.js';
import { ALL } from '../support/random.js';

/**
 * A model with one entry of a table changed, which a small test of the corpus catches: `distinguish` finds a program that is no larger, of
 * the same operations. What the corpus catches is found by other code, which judges all executions of a test under all mutants at once.
 */

const FOLDERS = ['cells', 'decidability', 'events', 'fabrics', 'rmw', 'robustness', 'tso'];
const CALLS = 4;

const original = originalModel('rdma-tso');
const instructions = defaultInstructions();
const pool = inProcess();
const { letters, hasNamedPairs } = alphabetOf([original], instructions);

interface Small {
  readonly item: Test;
  readonly draft: Draft;
}

const callsOf = ({ threads }: Draft) => threads.flatMap(({ calls }) => calls);

/** The tests of few calls that are of the class: straight, without names of queue pairs. Smaller ones first. */
const small = readTests(FOLDERS.map((folder) => `corpus/${folder}`))
  .items.flatMap((item): readonly Small[] => {
    const draft = readDraft(item.program, { letters, marks: [], hasNamedPairs });
    if ('reason' in draft || callsOf(draft).some(({ pair }) => pair !== undefined)) return [];
    return callsOf(draft).length > CALLS ? [] : [{ item, draft }];
  })
  .sort((a, b) => callsOf(a.draft).length - callsOf(b.draft).length);

const mutants = mutantsOf('rdma-tso').filter(({ name }) => /^(ippo|oppo|both)-/.test(name));
const caught = caughtByExecutions(
  'rdma-tso',
  mutants,
  small.map(({ item }) => item),
);

/** By mutant: the smallest test that catches it. */
const smallest = new Map<Mutant, Small>();
for (const one of small)
  for (const mutant of caught.get(one.item)!) if (!smallest.has(mutant)) smallest.set(mutant, one);

test('the corpus has small tests for many entries of both tables', () => {
  expect(smallest.size).toBeGreaterThan(120);
  for (const table of ['ippo', 'oppo', 'both'])
    expect(
      [...smallest.keys()].filter(({ name }) => name.startsWith(table)).length,
    ).toBeGreaterThan(30);
});

const pairs = [...smallest].map(
  ([mutant, one]) => [mutant.name, one.item.name, mutant, one] as const,
);

// The search among programs of four calls takes longest.
test.each(
  pairs.filter(([, , , { draft }], i) => ALL || (callsOf(draft).length < CALLS && i % 3 === 0)),
)('%s, which %s catches', async (_name, _test, mutant, { draft }) => {
  const found = await firstDifference(mutant, draft);
  const more = mutant.direction === 'weaker' ? [false, true] : [true, false];
  expect(found?.differing.map((one) => one.more)).toEqual([more]);
});

/** The first share with a difference, of programs that are no larger than one: in calls, threads, nodes, and locations. */
async function firstDifference(mutant: Mutant, draft: Draft): Promise<PartFound | undefined> {
  const calls = callsOf(draft);
  const used = new Set(calls.map(({ letter }) => letter));
  const alphabet = { letters: letters.filter((_, i) => used.has(i)), marks: [], hasNamedPairs };
  const options = { alphabet, instructions, wanted: 'first', calls: calls.length } as const;
  const search = pairSearch([original, mutatedModel(mutant)], options);
  for (const share of calls.flatMap((_, i) => sharesOf(i + 1, alphabet))) {
    const { calls: split, nodes, locations } = share.size;
    if (split.length > draft.threads.length || nodes > draft.nodes) continue;
    if (locations > draft.locations.length) continue;
    const found = await search.find(share, pool);
    if ('unfinished' in found) throw new Error(found.unfinished);
    expect(found.output.open).toEqual([]);
    if (found.output.differing.length > 0) return found.output;
  }
  return undefined;
}
