import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultInstructions } from '../../src/node/models.js';
import type { Alphabet } from '../../src/rdma/classes/alphabet.js';
import { alphabetOf, isPlace } from '../../src/rdma/classes/alphabet.js';
import { enumerateShapes, isContended, sizesOf } from '../../src/rdma/classes/enumerate.js';
import type { Shape } from '../../src/rdma/classes/shape.js';
import { initialValues } from '../../src/rdma/classes/values.js';
import { readDraft } from '../../src/rdma/classes/read.js';
import { writeDraft, writeShape } from '../../src/rdma/classes/write.js';
import { modelOf } from '../support/checker.js';
import { QUICK, cases } from '../support/random.js';
import { formOf, randomShapes } from '../support/random-shapes.js';
import { litmus } from '../support/litmus.js';

/** Programs by size, each once up to names. */

const alphabet = (names: readonly string[], of = ['rdma-tso', 'rdma-ro']): Alphabet => {
  const { letters, ...rest } = alphabetOf(of.map(modelOf), defaultInstructions());
  return { ...rest, letters: letters.filter(({ name }) => names.includes(name)) };
};

const SIMPLE = ['read', 'write', 'put', 'get', 'poll', 'rfence', 'mfence'];

function allOf(calls: number, of: Alphabet): readonly Shape[] {
  const shapes: Shape[] = [];
  for (const size of sizesOf(calls, of))
    enumerateShapes(of, size, (shape) => void shapes.push(shape));
  return shapes;
}

describe('what programs are made of', () => {
  test('operations that both models have, plain and with tags; tags of locations that one of them looks at', () => {
    const { letters, marks } = alphabetOf(
      ['rdma-tso', 'rdma-ro'].map(modelOf),
      defaultInstructions(),
    );
    const usual = letters.filter(({ isUsual }) => isUsual).map(({ name }) => name);
    expect(usual).toEqual(['read', 'write', 'put', 'get', 'poll', 'rfence', 'cut', 'mfence']);
    expect(letters.map(({ name }) => name)).toContain('put[inline][unsignalled]');
    expect(marks).toEqual(['strict']);
  });

  test('constants, where a model looks at their tag', () => {
    const { letters } = alphabetOf(['rdma-tso', 'rdma-inline'].map(modelOf), defaultInstructions());
    expect(letters.filter(({ isUsual }) => isUsual).map(({ name }) => name)).toContain(
      'put[literal]',
    );
  });
});

describe.each([1, 2, ...(QUICK ? [] : [3])])('%i calls', (calls) => {
  const own = alphabet(SIMPLE);
  const shapes = allOf(calls, own);
  const forms = shapes.map(formOf);

  test('none is made twice', () => {
    expect(new Set(forms).size).toBe(forms.length);
  });

  test('none is lost', () => {
    const made = new Set(forms);
    const hasPlaces = (letter: number): boolean => own.letters[letter].slots.some(isPlace);
    const isMeant = ({ threads }: Shape): boolean =>
      threads.every(({ calls: list }) => {
        const [first, last] = [list[0], list.at(-1)!];
        const left = new Map<string, number>();
        const polls = list.every(({ letter, to, pair = 0 }) => {
          const { name } = own.letters[letter];
          const on = `${to} ${pair}`;
          const count = left.get(on) ?? 0;
          if (name === 'poll') left.set(on, count - 1);
          if (name === 'put' || name === 'get') left.set(on, count + 1);
          return name !== 'poll' || count > 0;
        });
        return polls && hasPlaces(first.letter) && hasPlaces(last.letter);
      });
    let meant = 0;
    fc.assert(
      fc.property(randomShapes(own, calls), (shape) => {
        if (!isMeant(shape)) return;
        meant += 1;
        expect(made).toContain(formOf(shape));
      }),
      { numRuns: cases(20_000) },
    );
    expect(meant).toBeGreaterThan(cases(20_000) / 20);
  });
});

test('counts: with fences, polls, reads and writes of CPUs and NICs', () => {
  const own = { ...alphabet(SIMPLE, ['rdma-tso']), hasNamedPairs: false };
  const count = (calls: number): readonly number[] => {
    const shapes = allOf(calls, own);
    return [shapes.length, shapes.filter((shape) => isContended(shape, own)).length];
  };
  expect([1, 2].map(count)).toEqual([
    [4, 0],
    [122, 50],
  ]);
});

test('where two calls of a thread go to one node, there is another program, with two queue pairs', () => {
  const own = alphabet(SIMPLE);
  const plain = allOf(2, { ...own, hasNamedPairs: false });
  const isOnOne = ({ threads }: Shape): boolean =>
    threads.some(
      ({ calls: [a, b] }) =>
        b !== undefined &&
        [a, b].every(({ letter, to }) => to !== undefined && !own.letters[letter].takes) &&
        a.to === b.to,
    );
  expect(allOf(2, own)).toHaveLength(plain.length + plain.filter(isOnOne).length);
});

test('each can be read as a litmus file', () => {
  const own = alphabet([...SIMPLE, 'rcas', 'rfaa', 'put[unsignalled]']);
  for (const shape of allOf(2, own).filter((_, i) => i % 20 === 0)) {
    const { program } = litmus(writeShape(shape, own, 'p'));
    expect(program.threads).toHaveLength(shape.threads.length);
    expect(program.locations.filter(({ hidden }) => hidden !== true)).toHaveLength(
      shape.locations.length,
    );
  }
});

test('what a location holds tells where it is from: which initial value or number, and what was added', () => {
  const own = alphabet(['write', 'put', 'get', 'rfaa', 'rxchg']);
  const shapes = randomShapes(own, 5, 2);
  fc.assert(
    fc.property(shapes, (shape) => {
      for (const contents of contentsOf(shape, own)) {
        const origins = new Map<number, string>();
        for (const [origin, value] of contents) {
          expect(origins.get(value) ?? origin).toBe(origin);
          origins.set(value, origin);
        }
      }
    }),
    { numRuns: cases(5000) },
  );
});

/** What each location may hold, in any order of the calls: by where it is from. */
function contentsOf(shape: Shape, { letters }: Alphabet): readonly Map<string, number>[] {
  const { initial, numbers } = initialValues(shape, letters);
  const held = shape.locations.map((_, i) => new Map([[`initial ${i}`, initial[i]]]));
  const calls = shape.threads.flatMap(({ calls: list }) => list);
  for (let before = -1, now = 0; before < now; before = now, now = sizeOf(held)) {
    let number = 0;
    for (const [i, { letter, places }] of calls.entries()) {
      const [from, to] = places;
      const { name } = letters[letter];
      const given = name === 'put' || name === 'get' ? 0 : numbers[number++];
      if (name === 'put' || name === 'get' || name === 'rfaa' || name === 'rxchg')
        for (const [origin, value] of held[from]) held[to].set(origin, value);
      if (name === 'rfaa')
        for (const [origin, value] of [...held[from]])
          if (!origin.includes(`+${i}`)) held[from].set(added(origin, i), value + given);
      if (name === 'write' || name === 'rxchg') held[from].set(`number ${i}`, given);
    }
  }
  return held;
}

const sizeOf = (maps: readonly Map<string, number>[]): number =>
  maps.reduce((sum, { size }) => sum + size, 0);

/** An origin to which a call has added, whatever the order of additions. */
function added(origin: string, call: number): string {
  const [begin, ...rest] = origin.split('+');
  return [begin, ...[...rest, String(call)].sort()].join('+');
}

test('a program that is written is read as the same one', () => {
  const of = alphabet([...SIMPLE, 'put[unsignalled]', 'rcas', 'rfaa', 'CAS']);
  fc.assert(
    fc.property(randomShapes(of, 4, 2), (shape) => {
      const text = writeShape(shape, of, 'p');
      const draft = readDraft(litmus(text).program, of);
      if ('reason' in draft) throw new Error(draft.reason);
      expect(writeDraft(draft, of, 'p')).toBe(text);
    }),
    { numRuns: cases(1000) },
  );
});

test.each([
  ['thread T1 on 1 { assume(x = 1); y^2 := x }', 'it assumes something'],
  ['thread T1 on 1 { if (x = 1) { y^2 := x } }', 'it has branches or loops'],
  ['thread T1 on 1 { x := x + 1; y^2 := x }', 'it writes what it computes'],
  ['thread T1 on 1 { r := x + 1; y^2 := x }', 'it computes'],
  [
    'thread T1 on 1 { r := CAS(x, 7, 8) }',
    'an atomic compares with another value than the first one',
  ],
  [
    'qp a : T1 -> 2\ncq c { a }\nthread T1 on 1 { y^2.a := x; poll(c) }',
    'it has completion queues',
  ],
  [
    'qp a : T1 -> 2 [fallible]\nthread T1 on 1 { y^2.a := x }',
    'it has queue pairs that are shared, or have tags',
  ],
])('%s is no draft: %s', (threads, reason) => {
  const { program } = litmus(`RDMA p\nnode 1 { x = 0 }\nnode 2 { y = 0 }\n${threads}\n`);
  expect(readDraft(program, alphabet([...SIMPLE, 'CAS']))).toEqual({ reason });
});
