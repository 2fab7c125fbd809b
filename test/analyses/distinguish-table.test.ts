import { describe, expect, test } from 'vitest';
import type { SizeSearch } from '../../src/analyses/by-size/search.js';
import { searchBySize } from '../../src/analyses/by-size/search.js';
import { pairSearch } from '../../src/analyses/distinguish/distinguish.js';
import type { ModelTable, ShownProgram } from '../../src/analyses/distinguish/table.js';
import { pairsOf, tableSearch } from '../../src/analyses/distinguish/table.js';
import type { Direction } from '../../src/analyses/distinguish/table-part.js';
import { tellingLitmus, verdictsOf } from '../../src/analyses/distinguish/verdicts.js';
import { inProcess } from '../../src/analyses/in-process.js';
import { instructionUnion } from '../../src/model/instructions/union.js';
import type { Model } from '../../src/model/term.js';
import { defaultInstructions, parseModel } from '../../src/node/models.js';
import type { Alphabet } from '../../src/rdma/classes/alphabet.js';
import { alphabetOf } from '../../src/rdma/classes/alphabet.js';
import { alphabetUnion } from '../../src/rdma/classes/union.js';
import { modelOf } from '../support/checker.js';
import { QUICK } from '../support/random.js';

/** All pairs of several models at once find what each pair finds by itself. */

const pool = inProcess();
const base = defaultInstructions();

interface Sought {
  readonly models: readonly Model[];
  readonly isChosen: (name: string, isUsual: boolean) => boolean;
}

const alphabetFor = (models: readonly Model[], { isChosen }: Sought): Alphabet => {
  const { letters, ...rest } = alphabetOf(models, base);
  return { letters: letters.filter(({ name, isUsual }) => isChosen(name, isUsual)), ...rest };
};

function tableOf(sought: Sought): ModelTable {
  const { models } = sought;
  const pairs = pairsOf(models.length);
  const own = pairs.map(([a, b]) => alphabetFor([models[a], models[b]], sought));
  return { models, pairs, base, alphabets: alphabetUnion(own) };
}

/** By direction: the calls and the text of its first program; and how many programs each pair has. */
interface Found {
  readonly first: ReadonlyMap<string, string>;
  readonly programs: readonly number[];
}

const nameOf = (models: readonly Model[], { more, less }: Omit<Direction, 'pair'>): string =>
  `${models[more].name} allows more than ${models[less].name}`;

/** A search that goes through all programs, also when all that is wanted is found. */
const toTheEnd = <Found extends { readonly programs: number }>(
  search: SizeSearch<Found>,
): SizeSearch<Found> => ({
  ...search,
  begin(calls) {
    search.begin?.(calls);
    return true;
  },
  take(found) {
    search.take?.(found);
    return false;
  },
});

async function byTable(sought: Sought, calls: number, lanes = 1): Promise<Found> {
  const table = tableOf(sought);
  const first = new Map<string, string>();
  const search = tableSearch(table, calls, ({ litmus, shows }, size) => {
    for (const way of shows) first.set(nameOf(sought.models, way), `${size}: ${litmus}`);
  });
  const shares = await searchBySize(toTheEnd(search), pool, { lanes });
  expect(shares.flatMap(({ open }) => open)).toEqual([]);
  return {
    first,
    programs: table.pairs.map((_, i) => shares.reduce((sum, one) => sum + one.byPair[i], 0)),
  };
}

async function byPairs(sought: Sought, calls: number): Promise<Found> {
  const { models } = sought;
  const first = new Map<string, string>();
  const programs: number[] = [];
  for (const [a, b] of pairsOf(models.length)) {
    const pair = [models[a], models[b]] as const;
    const alphabet = alphabetFor(pair, sought);
    const instructions = instructionUnion([...pair.map((one) => one.instructions), base]);
    let count = 0;
    const search = pairSearch(pair, { alphabet, instructions, wanted: 'all', calls });
    const shares = await searchBySize(toTheEnd(search), pool, { lanes: 1 });
    for (const { calls: size, differing, programs: more } of shares) {
      count += more;
      for (const { litmus, more: ways } of differing) {
        for (const [way, is] of ways.entries()) {
          const direction = way === 0 ? { more: a, less: b } : { more: b, less: a };
          const key = nameOf(models, direction);
          if (is && !first.has(key)) first.set(key, `${size}: ${litmus}`);
        }
      }
    }
    programs.push(count);
  }
  return { first, programs };
}

const usual = (names: string, isChosen: Sought['isChosen'] = (_, isUsual) => isUsual): Sought => ({
  models: names.split(' ').map((name) => modelOf(name)),
  isChosen,
});

const FEW = ['put', 'put[literal]'];

describe('a table has what its pairs have', () => {
  const have = async (sought: Sought): Promise<void> => {
    const found = await byTable(sought, 2);
    expect(found).toEqual(await byPairs(sought, 2));
    expect(found.first.size).toBeGreaterThan(0);
  };

  test('two of three are equal', () => have(usual('rdma-tso rdma-tso-4.4 rdma-srd')));

  test.runIf(!QUICK).each([
    ['other operations: no polls, no cuts', usual('rdma-wait rdma-ooo-rw corerma rdma-tso-rec')],
    ['tags of locations', usual('rdma-nics rdma-ro rdma-ro-tagged', (name) => FEW.includes(name))],
    [
      'tags of numbers',
      usual('rdma-inline rdma-ro-tagged rdma-unordered', (name) => FEW.includes(name)),
    ],
    [
      'atomics',
      usual('rdma-tso rdma-tso-getfirst rdma-tso-glob', (name) => /^(r?faa|rcas|get)$/.test(name)),
    ],
  ])('%s', (_, sought) => have(sought));

  test.runIf(!QUICK)('three calls', async () => {
    const sought = usual('rdma-ro rdma-ro-manpage rdma-tso', (name) =>
      ['put', 'poll'].includes(name),
    );
    const found = await byTable(sought, 3, 2);
    expect(found).toEqual(await byPairs(sought, 3));
    expect([...found.first.keys()]).toContain('rdma-ro allows more than rdma-ro-manpage');
  });
});

test('three models of which two are equal', async () => {
  const { first } = await byTable(usual('rdma-tso rdma-tso-rec rdma-ro'), 2);
  expect([...first.keys()].sort()).toEqual([
    'rdma-ro allows more than rdma-tso',
    'rdma-ro allows more than rdma-tso-rec',
  ]);
});

/** A put that counts: its call has one argument more. */
const OTHER = `"Another put"
include "rmw.cat"
replace operation put(own x, value e) into remote y on qp(y) work d : PW ; nlR reads x as v ; nrW writes y := v + e ; nC
include "rdma-tso-base.cat"
include "rdma-tso-orders.cat"
include "rdma-axioms.cat"
`;

test('a model that declares an operation otherwise does not keep others from being compared', async () => {
  const loaded = parseModel(OTHER, 'other.cat');
  if (!loaded.model.ok) throw new Error(loaded.model.errors[0].message);
  const sought: Sought = {
    models: [loaded.model.value, modelOf('rdma-tso'), modelOf('rdma-ro')],
    isChosen: (name) => ['put', 'read'].includes(name),
  };
  const { alphabets, pairs } = tableOf(sought);
  const names = pairs.map((_, i) =>
    alphabets.whole.letters
      .filter((__, k) => alphabets.parts[i].letters[k])
      .map(({ name }) => name),
  );
  expect(names).toEqual([['read'], ['read'], ['read', 'put']]);
  const found = await byTable(sought, 2);
  expect(found).toEqual(await byPairs(sought, 2));
  expect([...found.first.keys()]).toEqual(['rdma-ro allows more than rdma-tso']);
});

/** The first program of up to two calls that shows something. */
async function firstOfTwo(table: ModelTable): Promise<ShownProgram> {
  const all: ShownProgram[] = [];
  await searchBySize(
    tableSearch(table, 2, (one) => all.push(one)),
    pool,
    { lanes: 1 },
  );
  return all[0];
}

test('the question about a program has the verdict of each model that knows it', async () => {
  const table = tableOf(usual('rdma-sc rdma-tso rdma-ro rdma-wait', (name) => name === 'put'));
  const shown = await firstOfTwo(table);
  const told = await verdictsOf(pool, table, shown, 'search');
  if ('unfinished' in told) throw new Error(told.unfinished);
  expect(told.questions).toEqual([
    {
      condition: 'y = 1',
      allowed: ['rdma-ro'],
      forbidden: ['rdma-sc', 'rdma-tso', 'rdma-wait'],
      vacuous: [],
    },
  ]);
  expect(tellingLitmus(told, 'two-puts')).toBe(`RDMA two-puts

node 1 { x = 1; z = 2 }
node 2 { y = 0 }

thread T1 on 1 { y^2 := x; y^2 := z }

exists (y = 1)
  expect allowed under rdma-ro
  expect forbidden under rdma-sc, rdma-tso, rdma-wait
`);
});

test('a model under which the program has no execution has no verdict', async () => {
  const table = tableOf(usual('sc x86-tso rdma-tso', (name) => name === 'put'));
  const shown = await firstOfTwo(table);
  const told = await verdictsOf(pool, table, shown, 'search');
  if ('unfinished' in told) throw new Error(told.unfinished);
  expect(told.questions).toMatchObject([
    { condition: 'true', allowed: ['sc', 'rdma-tso'], forbidden: [], vacuous: ['x86-tso'] },
  ]);
  expect(tellingLitmus(told, 'no-puts')).toMatch(/\n# no execution under x86-tso\n$/);
});
