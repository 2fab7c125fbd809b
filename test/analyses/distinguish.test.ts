import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testOf } from '../../src/analyses/by-size/programs.js';
import { Sayings } from '../../src/analyses/distinguish/alike.js';
import { Saying } from '../../src/analyses/distinguish/saying.js';
import { searchBySize } from '../../src/analyses/by-size/search.js';
import { pairSearch } from '../../src/analyses/distinguish/distinguish.js';
import { distinctionOf } from '../../src/analyses/distinguish/distinction.js';
import { compareStates } from '../../src/analyses/distinguish/pair.js';
import { statesOf } from '../../src/analyses/by-size/states.js';
import { MadePrograms, unrolled } from '../../src/analyses/by-size/unrolled.js';
import { inProcess } from '../../src/analyses/in-process.js';
import type { Model } from '../../src/model/term.js';
import { defaultInstructions, parseModel } from '../../src/node/models.js';
import { allSubjects } from '../../src/program/subjects.js';
import type { Alphabet } from '../../src/rdma/classes/alphabet.js';
import { alphabetOf, isPlace } from '../../src/rdma/classes/alphabet.js';
import { isContended } from '../../src/rdma/classes/enumerate.js';
import { draftOf } from '../../src/rdma/classes/draft.js';
import type { Shape } from '../../src/rdma/classes/shape.js';
import { writeShape } from '../../src/rdma/classes/write.js';
import { adapt } from '../../src/rdma/translate.js';
import { modelOf } from '../support/checker.js';
import { ALL, QUICK, cases, few } from '../support/random.js';
import { randomShapes } from '../support/random-shapes.js';
import { litmus } from '../support/litmus.js';

/** The smallest program that tells two models apart. */

const pool = inProcess();
const instructions = defaultInstructions();

const usual = (models: readonly Model[], hasNamedPairs = true): Alphabet => {
  const { letters, marks } = alphabetOf(models, instructions);
  return { letters: letters.filter(({ isUsual }) => isUsual), marks, hasNamedPairs };
};

async function smallest(a: string, b: string | Model, calls: number, hasNamedPairs = true) {
  const pair = [modelOf(a), modelOf(b)] as const;
  const alphabet = usual(pair, hasNamedPairs);
  const options = { alphabet, instructions, wanted: 'first', calls } as const;
  const shares = await searchBySize(pairSearch(pair, options), pool, { lanes: 1 });
  for (const { calls: own, differing } of shares) {
    if (differing.length === 0) continue;
    const found = await distinctionOf(
      pool,
      pair,
      differing[0].litmus,
      (text) => testOf(text, instructions, pair),
      'search',
    );
    if ('unfinished' in found) throw new Error(found.unfinished);
    return { calls: own, ...found };
  }
  return shares.reduce((sum, { programs }) => sum + programs, 0);
}

describe('the smallest difference', () => {
  test('relaxed ordering: two puts to one location', async () => {
    const found = await smallest('rdma-tso', 'rdma-ro', 3);
    expect(found).toMatchObject({
      calls: 2,
      directions: [{ allowed: 'rdma-ro', forbidden: 'rdma-tso' }],
    });
  });

  // The definitions are equivalent by the TSO paper's theorems C.5 and C.6.
  test.each(['rdma-tso-4.4', 'rdma-tso-rec'])('rdma-tso and %s agree', async (other) => {
    expect(await smallest('rdma-tso', other, QUICK ? 2 : 3)).toBeGreaterThanOrEqual(50);
  });

  // 31,000 programs.
  test.runIf(ALL)('a get that pushes no put: two threads of two calls', async () => {
    expect(await smallest('rdma-tso', 'rdma-tso-nopcie', 4)).toMatchObject({
      calls: 4,
      directions: [{ allowed: 'rdma-tso-nopcie', forbidden: 'rdma-tso' }],
    });
  });

  test('a model whose completions say more: what is complete is seen on another queue pair', async () => {
    const found = await smallest('rdma-tso', 'rdma-manpage', 3);
    expect(found).toMatchObject({
      calls: 3,
      directions: [{ allowed: 'rdma-tso', forbidden: 'rdma-manpage' }],
    });
    expect(JSON.stringify(found)).toContain('qp q1 : T1 -> 2');
  });

  test('without queue pairs that have names, completions as in the manual are no others', async () => {
    expect(await smallest('rdma-tso', 'rdma-manpage', 3, false)).toBeGreaterThan(3000);
  });
});

const PLUS = `"Puts that add one"
include "rmw.cat"
replace operation put(own x) into remote y on qp(y) work d : PW ; nlR reads x as v ; nrW writes y := v + 1 ; nC
include "rdma-tso-base.cat"
include "rdma-tso-orders.cat"
include "rdma-axioms.cat"
`;

test('models with the same axioms and operations that do something else', async () => {
  const loaded = parseModel(PLUS, 'plus.cat');
  if (!loaded.model.ok) throw new Error(loaded.model.errors[0].message);
  const found = await smallest('rdma-tso', loaded.model.value, 2);
  expect(found).toMatchObject({ calls: 2 });
});

test('programs are unrolled once for models that declare alike what both of them have', () => {
  const plus = parseModel(PLUS, 'plus.cat').model;
  if (!plus.ok) throw new Error(plus.errors[0].message);
  const [tso, without] = [modelOf('rdma-tso'), modelOf('rdma-tso-4.4')];
  const of = unrolled(
    litmus('RDMA p\nnode 1 { x = 1 }\nnode 2 { y = 0 }\nthread T1 on 1 { y^2 := x }').program,
  );
  expect(of(without)).toBe(of(tso));
  expect(of(plus.value)).not.toBe(of(tso));
});

/** No thread has two remote writes. */
const SINGLE = `"At most one put"
include "rdma-tso-base.cat"
include "rdma-tso-orders.cat"
include "rdma-axioms.cat"
empty po & ((nrW * nrW) \\ [nrW]) as single
`;

test('what two models say alike of one put and a get, they need not say of two', () => {
  const loaded = parseModel(SINGLE, 'single.cat');
  if (!loaded.model.ok) throw new Error(loaded.model.errors[0].message);
  const models = [modelOf('rdma-tso'), loaded.model.value];
  const alphabet = usual(models);
  const call = (name: string, ...places: readonly number[]) => ({
    ...{ letter: alphabet.letters.findIndex((one) => one.name === name), to: 1, places },
  });
  const [put, get] = [call('put', 0, 1), call('get', 1, 0)];
  const sayings = new Sayings(new MadePrograms(alphabet, instructions), models);
  const alike = (...calls: readonly (typeof put)[]): boolean => {
    const locations = [0, 1].map((node) => ({ node, mark: 0 }));
    return sayings.of({ threads: [{ node: 0, calls }], nodes: 2, locations })[1] === 0;
  };
  expect([alike(put, get), alike(put, put, get)]).toEqual([true, false]);
});

test.each(['CAS', 'rcas'])('%s compares with what was there at the start', async (name) => {
  const { letters } = alphabetOf([modelOf('rdma-tso')], instructions);
  const slots = letters.find((one) => one.name === name)!.slots.map(({ kind }) => kind);
  expect(slots.filter((kind) => kind === 'compared' || kind === 'number')).toEqual([
    'compared',
    'number',
  ]);
});

/** Candidates: what one search has for many models is more than what each has for its own. */
const LIMIT = 1_000_000;

test('one search for many models finds for each what its own search finds', () => {
  // Those with `let rec`, too, and one without axioms.
  const names = ['tso', 'tso-4.4', 'tso-rec', 'tso-no-nfo', 'tso-nopcie', 'sc', 'ro', 'unordered'];
  const models = names.map((name) => modelOf(`rdma-${name}`));
  const all = [...models, { ...models[0], axioms: [] }];
  const { letters, ...rest } = alphabetOf(models, instructions);
  const alphabet = { letters: letters.filter(({ wire }) => wire === undefined), ...rest };
  let apart = 0;
  fc.assert(
    fc.property(randomShapes(alphabet, 4, 2), (shape) => {
      const { program } = litmus(writeShape(shape, alphabet, 'p'));
      const alone = all.map((model) => statesOf(unrolled(program), [model], LIMIT)[0]);
      expect(statesOf(unrolled(program), all, LIMIT)).toEqual(alone);
      apart +=
        new Set(alone.map((one) => ('open' in one ? '' : [...one].sort().join(';')))).size - 1;
    }),
    { numRuns: cases(60, 12) },
  );
  expect(apart).toBeGreaterThan(ALL ? 50 : 5);
});

const PAIRS = [
  ['rdma-tso', 'rdma-sc'],
  ['rdma-tso', 'rdma-tso-nopcie'],
  ['rdma-tso', 'rdma-ro'],
  ['rdma-tso', 'rdma-manpage'],
  ['rdma-ooo-rw', 'rdma-unordered'],
] as const;

describe.each(QUICK ? PAIRS.slice(0, 2) : PAIRS)('%s and %s', (a, b) => {
  const pair = [modelOf(a), modelOf(b)] as const;
  const alphabet = usual(pair);
  const test_ = (shape: Shape) => litmus(writeShape(shape, alphabet, 'p'));
  const differs = (shape: Shape): boolean => {
    const compared = compareStates(unrolled(test_(shape).program), pair);
    if ('open' in compared) throw new Error(compared.open);
    return compared.only.some((states) => states.length > 0);
  };

  test('going through executions finds what the search finds', async () => {
    await fc.assert(
      fc.asyncProperty(randomShapes(alphabet, 4, 2), async (shape) => {
        const { program, ...rest } = test_(shape);
        const subjects = allSubjects(program);
        const [some, others] = await Promise.all(
          pair.map(async (one) => {
            const adapted = adapt(program, one);
            if (!adapted.ok) throw new Error(adapted.errors[0].message);
            const asked = { ...rest, program: adapted.value.program };
            const { states } = await pool.outcomes({
              ...{ kind: 'outcomes', counted: false, engine: 'search', models: [one] },
              ...{ test: asked, subjects },
            });
            return new Set(states.map((state) => Object.values(state).join()));
          }),
        );
        const only = [some, others].map((own, i) =>
          [...own].filter((state) => !(i === 0 ? others : some).has(state)).sort(),
        );
        // Values of locations that nobody accesses are no part of what is compared.
        const compared = compareStates(unrolled(test_(shape).program), pair);
        expect('only' in compared && compared.only.map(({ length }) => length)).toEqual(
          only.map(({ length }) => length),
        );
      }),
      { numRuns: cases(300) },
    );
  });

  test('where both say the same in the same words, nothing differs', () => {
    let alike = 0;
    const made = new MadePrograms(alphabet, instructions);
    const sayings = new Sayings(made, pair);
    fc.assert(
      fc.property(randomShapes(alphabet, 4, 2), (shape) => {
        if (sayings.of(shape)[1] !== 0) return;
        alike += 1;
        expect(differs(shape)).toBe(false);
        // It was found of another program with calls of the same kinds, or with the same threads.
        const skeleton = made.skeleton(draftOf(shape, alphabet));
        const numbers = new Map<string, number>();
        const [own, other] = pair.map((one) => {
          const structure = skeleton(one);
          return 'open' in structure ? '' : new Saying(structure, numbers, true).by(one);
        });
        expect(own).toBe(other);
      }),
      { numRuns: cases(2000) },
    );
    if (b === 'rdma-manpage' || b === 'rdma-tso-nopcie') expect(alike).toBeGreaterThan(few(500));
  });

  test('what is left out tells nothing apart', () => {
    let differing = 0;
    fc.assert(
      fc.property(randomShapes(alphabet, 5, 2), (shape) => {
        if (!differs(shape)) return;
        differing += 1;
        const rest = withoutIdle(shape, alphabet);
        expect(isContended(rest, alphabet)).toBe(true);
        expect(differs(rest)).toBe(true);
      }),
      { numRuns: cases(3000) },
    );
    if (b === 'rdma-ro') expect(differing).toBeGreaterThan(few(40));
  });
});

/** A program without what programs are made without: calls without places at either end of a thread, and idle CPU calls. */
function withoutIdle(shape: Shape, alphabet: Alphabet): Shape {
  const hasPlaces = (letter: number): boolean => alphabet.letters[letter].slots.some(isPlace);
  for (let now = shape; ;) {
    const threads = now.threads.flatMap(({ node, calls }) => {
      const from = calls.findIndex(({ letter }) => hasPlaces(letter));
      const to = calls.findLastIndex(({ letter }) => hasPlaces(letter));
      const left = from < 0 ? [] : calls.slice(from, to + 1);
      return left.length === 0
        ? []
        : [{ node, calls: left.filter((call) => !isIdle(call, now, alphabet)) }];
    });
    const next = { ...now, threads: threads.filter(({ calls }) => calls.length > 0) };
    if (JSON.stringify(next) === JSON.stringify(now)) return now;
    now = next;
  }
}

/** A call of a CPU to a location that nobody else writes, or, if the call writes it, accesses. */
function isIdle(
  call: Shape['threads'][number]['calls'][number],
  { threads }: Shape,
  { letters }: Alphabet,
): boolean {
  if (call.to !== undefined || call.places.length === 0) return false;
  const writes = letters[call.letter].slots.some((slot) => slot.writes);
  return !threads.some(({ calls }) =>
    calls.some((other) => {
      if (other === call) return false;
      const slots = letters[other.letter].slots.filter(isPlace);
      return other.places.some(
        (place, i) => place === call.places[0] && (writes || slots[i].writes),
      );
    }),
  );
}
