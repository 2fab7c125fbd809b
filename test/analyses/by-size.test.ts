import { describe, expect, test } from 'vitest';
import { eachProgram } from '../../src/analyses/by-size/programs.js';
import type { ShareFound, SizeSearch } from '../../src/analyses/by-size/search.js';
import { searchBySize } from '../../src/analyses/by-size/search.js';
import type { Share } from '../../src/analyses/by-size/shares.js';
import { callsOf, sharesOf } from '../../src/analyses/by-size/shares.js';
import { inProcess } from '../../src/analyses/in-process.js';
import type { Pool } from '../../src/analyses/workers.js';
import { INTERRUPTION } from '../../src/check/result.js';
import { defaultInstructions } from '../../src/node/models.js';
import type { Alphabet } from '../../src/rdma/classes/alphabet.js';
import { alphabetOf } from '../../src/rdma/classes/alphabet.js';
import { enumerateShapes, isContended, sizesOf } from '../../src/rdma/classes/enumerate.js';
import { modelOf } from '../support/checker.js';

/** Programs by size, in shares. */

const made = (...names: readonly string[]): Alphabet => {
  const { letters } = alphabetOf([modelOf('rdma-tso')], defaultInstructions());
  return {
    letters: letters.filter(({ name }) => names.includes(name)),
    marks: [],
    hasNamedPairs: true,
  };
};

describe('the programs of all shares are all programs, each once and in order', () => {
  test.each([
    [1, made('read', 'write', 'put', 'poll')],
    [2, made('read', 'write', 'put', 'poll')],
    [3, made('read', 'write', 'put', 'poll')],
    [4, made('put')],
    [5, made('write')],
  ])('%i calls', (calls, alphabet) => {
    const all: string[] = [];
    for (const size of sizesOf(calls, alphabet)) {
      enumerateShapes(alphabet, size, (shape) => {
        if (isContended(shape, alphabet)) all.push(JSON.stringify(shape));
      });
    }
    const shares = sharesOf(calls, alphabet);
    const shared = shares.map((share) => {
      const own: string[] = [];
      eachProgram(alphabet, share, (shape, index) => {
        expect(index).toBe(own.length);
        own.push(JSON.stringify(shape));
      });
      return own;
    });
    expect(shared.flat()).toEqual(all);
    expect(shares.every((share) => callsOf(share) === calls)).toBe(true);
    if (calls > 2)
      expect(Math.max(...shared.map((own) => own.length))).toBeLessThan(all.length / 3);
  });
});

interface Numbered {
  readonly programs: number;
  readonly share: number;
}

const alphabet = made('put', 'write');
const counts = [1, 2, 3].map((calls) => sharesOf(calls, alphabet).length);
const total = counts.reduce((sum, own) => sum + own, 0);
const order = [1, 2, 3].flatMap((calls) =>
  sharesOf(calls, alphabet).map((own) => JSON.stringify(own)),
);

/** A search that finds the number of each share, those with even numbers later than others. */
function numbering(more: Partial<SizeSearch<Numbered>> = {}) {
  const asked: number[] = [];
  const search: SizeSearch<Numbered> = {
    ...{ alphabet, calls: 3, nothing: { programs: 0, share: -1 } },
    async find(share: Share) {
      const number = order.indexOf(JSON.stringify(share));
      asked.push(number);
      for (let i = 0; i < (number % 2 === 0 ? 9 : 1); i++) await Promise.resolve();
      return { output: { programs: 1, share: number } };
    },
    ...more,
  };
  return { search, asked };
}

const numbers = (found: readonly ShareFound<Numbered>[]) => found.map(({ share }) => share);
const upTo = (end: number) => Array.from({ length: end }, (_, i) => i);

describe('a search', () => {
  test.each([1, 3])('goes through all shares in order, %i at once', async (lanes) => {
    const { search } = numbering();
    const found = await searchBySize(search, inProcess(), { lanes });
    expect(numbers(found)).toEqual(upTo(total));
    expect(found.map(({ calls }) => calls)).toEqual(
      counts.flatMap((own, i) => Array.from({ length: own }, () => i + 1)),
    );
  });

  test.each([1, 3])('ends with the first share that is enough, %i at once', async (lanes) => {
    const taken: number[] = [];
    const { search, asked } = numbering({
      take({ share }) {
        taken.push(share);
        return share >= counts[0] + 2;
      },
    });
    const found = await searchBySize(search, inProcess(), { lanes });
    expect(numbers(found)).toEqual(upTo(counts[0] + 3));
    expect(taken).toEqual(upTo(counts[0] + 3));
    expect(asked.length).toBeLessThanOrEqual(counts[0] + 3 + lanes);
  });

  test('does not begin a size that is not wanted', async () => {
    const { search } = numbering({ begin: (calls) => calls < 3 });
    const found = await searchBySize(search, inProcess(), { lanes: 3 });
    expect(numbers(found)).toEqual(upTo(counts[0] + counts[1]));
  });

  test('asks for no share that is known, and keeps the others', async () => {
    const kept = new Map([1, 3, 4].map((share) => [share, { programs: 1, share: 100 + share }]));
    const store = {
      get: (share: number) => kept.get(share),
      add: (share: number, found: Numbered) => void kept.set(share, found),
    };
    const first = numbering();
    const found = await searchBySize(first.search, inProcess(), { lanes: 2, store });
    expect(numbers(found)).toEqual(upTo(total).map((i) => ([1, 3, 4].includes(i) ? 100 + i : i)));
    expect(first.asked).toEqual(upTo(total).filter((i) => ![1, 3, 4].includes(i)));
    const again = numbering();
    expect(await searchBySize(again.search, inProcess(), { lanes: 2, store })).toEqual(found);
    expect(again.asked).toEqual([]);
  });

  test('keeps nothing of a share that was given up, and says so of an interruption', async () => {
    const kept: number[] = [];
    const store = { get: () => undefined, add: (share: number) => void kept.push(share) };
    const pool: { -readonly [key in keyof Pool]: Pool[key] } = inProcess();
    const { search } = numbering();
    const cut = {
      ...search,
      async find(share: Share) {
        if (kept.length < 3) return search.find(share, pool);
        pool.problem = 'closed';
        return { unfinished: 'too slow' };
      },
    };
    const found = await searchBySize(cut, pool, { lanes: 1, store });
    expect(kept).toEqual([0, 1, 2]);
    expect(found.map(({ unfinished }) => unfinished)).toEqual([
      ...[undefined, undefined, undefined, 'too slow'],
      INTERRUPTION,
    ]);
  });
});
