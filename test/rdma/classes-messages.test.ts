import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statesOf } from '../../src/analyses/by-size/states.js';
import { unrolled } from '../../src/analyses/by-size/unrolled.js';
import { defaultInstructions } from '../../src/node/models.js';
import type { Alphabet } from '../../src/rdma/classes/alphabet.js';
import { alphabetOf, isPlace } from '../../src/rdma/classes/alphabet.js';
import { draftOf } from '../../src/rdma/classes/draft.js';
import { enumerateShapes, sizesOf } from '../../src/rdma/classes/enumerate.js';
import type { Shape } from '../../src/rdma/classes/shape.js';
import { weakeningsOf } from '../../src/rdma/classes/weaken.js';
import { writeDraft, writeShape } from '../../src/rdma/classes/write.js';
import { modelOf } from '../support/checker.js';
import { litmus } from '../support/litmus.js';
import { QUICK, cases, few, some } from '../support/random.js';
import { formOf, randomShapes } from '../support/random-shapes.js';

/** Programs by size with messages: none is made that cannot be read, or that waits for ever. */

const tso = modelOf('rdma-tso');

const alphabet = (names: readonly string[]): Alphabet => {
  const { letters, hasNamedPairs } = alphabetOf([tso, modelOf('rdma-ro')], defaultInstructions());
  return { letters: letters.filter(({ name }) => names.includes(name)), marks: [], hasNamedPairs };
};

function allOf(calls: number, of: Alphabet): readonly Shape[] {
  const shapes: Shape[] = [];
  for (const size of sizesOf(calls, of))
    enumerateShapes(of, size, (shape) => void shapes.push(shape));
  return shapes;
}

/** How many final states a program has. It is an error if the program cannot be read. */
function numberOfStates(text: string): number {
  const [states] = statesOf(unrolled(litmus(text).program), [tso]);
  if ('open' in states) throw new Error(states.open);
  return states.size;
}

const SENDS = ['read', 'write', 'send', 'recv', 'pollr'];
const WORK = ['put', 'poll', 'send', 'put[imm]', 'recv', 'pollr'];

describe.each([SENDS, WORK])('programs of %s, …', (...names) => {
  const own = alphabet(names);

  test('each of up to three calls can be read, and has an execution', () => {
    expect(own.letters).toHaveLength(names.length);
    const small = [1, 2].flatMap((calls) => allOf(calls, own));
    const many = allOf(3, own);
    for (const shape of QUICK ? some(many) : many) litmus(writeShape(shape, own, 'p'));
    for (const shape of [...small, ...some(many)]) {
      const text = writeShape(shape, own, 'p');
      expect(numberOfStates(text), text).toBeGreaterThan(0);
    }
  });

  test('so has each that is weaker', () => {
    for (const shape of some(allOf(3, own))) {
      for (const { draft } of weakeningsOf(draftOf(shape, own), own)) {
        if (draft.threads.length === 0) continue;
        const text = writeDraft(draft, own, 'p');
        expect(numberOfStates(text), text).toBeGreaterThan(0);
      }
    }
  });

  test('none is lost: each that can be read and has an execution is made', () => {
    const made = new Set(allOf(3, own).map(formOf));
    const hasPlaces = (letter: number): boolean => own.letters[letter].slots.some(isPlace);
    const isRun = (shape: Shape): boolean => {
      try {
        return numberOfStates(writeShape(shape, own, 'p')) > 0;
      } catch {
        return false;
      }
    };
    let run = 0;
    fc.assert(
      fc.property(randomShapes(own, 3), (shape) => {
        const ends = shape.threads.flatMap(({ calls }) => [calls[0], calls.at(-1)!]);
        if (!ends.every(({ letter }) => hasPlaces(letter)) || !isRun(shape)) return;
        run += 1;
        expect(made).toContain(formOf(shape));
      }),
      { numRuns: cases(5000) },
    );
    expect(run).toBeGreaterThan(few(300));
  });
});

test('a message is weakened with both of its ends, and with what waits for it', () => {
  const own = alphabet(SENDS);
  const letter = (name: string): number => own.letters.findIndex((one) => one.name === name);
  const shape: Shape = {
    threads: [
      { node: 0, calls: [1, 2].map(() => ({ letter: letter('send'), to: 1, places: [0] })) },
      {
        node: 1,
        calls: [
          { letter: letter('recv'), to: 0, places: [1] },
          { letter: letter('recv'), to: 0, places: [2] },
          { letter: letter('pollr'), to: 0, places: [] },
          { letter: letter('read'), places: [2] },
        ],
      },
    ],
    nodes: 2,
    locations: [0, 1, 1].map((node) => ({ node, mark: 0 })),
  };
  const weaker = weakeningsOf(draftOf(shape, own), own).map(({ kind, draft }) => {
    const threads = [...writeDraft(draft, own, 'p').matchAll(/^thread .* on (. \{ .*)/gm)];
    return `${kind}: ${threads.map(([, text]) => text).join(' ')}`;
  });
  const first = 'removed: 1 { send(2, x) } 2 { z := recv(1); r1 := z }';
  const second = 'removed: 1 { send(2, x) } 2 { y := recv(1); pollr(1); r1 := z }';
  expect(weaker).toEqual([
    ...[first, second, first, second],
    'removed: 1 { send(2, x); send(2, x) } 2 { y := recv(1); z := recv(1); pollr(1) }',
    'not waited for: 1 { send(2, x); send(2, x) } 2 { y := recv(1); z := recv(1); r1 := z }',
    'own thread: 1 { send(2, x); send(2, x) } 2 { y := recv(1); z := recv(1); pollr(1) } 2 { r1 := z }',
  ]);
});
