import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MadePrograms, unrolled } from '../../src/analyses/by-size/unrolled.js';
import { instructionsOf } from '../../src/model/instructions/union.js';
import { defaultInstructions } from '../../src/node/models.js';
import type { EventStructure, Path, ValueId } from '../../src/program/events/structure.js';
import { guessesIn, guessesOf } from '../../src/program/events/guesses.js';
import { emptyBases } from '../../src/program/events/narrow.js';
import { readTest } from '../../src/program/read.js';
import type { Alphabet } from '../../src/rdma/classes/alphabet.js';
import { alphabetOf } from '../../src/rdma/classes/alphabet.js';
import type { Draft } from '../../src/rdma/classes/draft.js';
import { draftOf } from '../../src/rdma/classes/draft.js';
import { weakeningsOf } from '../../src/rdma/classes/weaken.js';
import { writeDraft } from '../../src/rdma/classes/write.js';
import { modelOf } from '../support/checker.js';
import { cases, few } from '../support/random.js';
import { randomShapes } from '../support/random-shapes.js';

/** Programs that are unrolled by their skeletons are what their texts are unrolled to. */

/** Without places in the text, and without instructions; values by what they are made of. */
function told({ program, values, like: _, events, registers, ...rest }: EventStructure) {
  const { constraints, divisions, ...others } = rest;
  const { instructions, locations, threads, nodes } = program;
  const made = (id: ValueId): string => {
    const value = values[id];
    switch (value.op) {
      case 'const':
        return `${value.value}`;
      case 'read':
        return `read ${value.event}`;
      case 'choice':
        return `choice ${value.choice}`;
      case 'unary':
        return `${value.fn} ${made(value.arg)}`;
      case 'binary':
        return `(${made(value.left)} ${value.fn} ${made(value.right)})`;
      case 'select':
        return `(${made(value.condition)} ? ${made(value.then)} : ${made(value.else)})`;
    }
  };
  const guarded = <One extends { readonly path: Path }>(one: One) => ({
    ...one,
    path: one.path.map(({ condition, taken }) => [made(condition), taken]),
  });
  const constraint = (one: EventStructure['constraints'][number]) => ({
    ...guarded(one),
    condition: made(one.condition),
  });
  const all = {
    ...{ ...others, instructions, locations, nodes },
    threads: threads.map((thread) => ({ ...thread, body: undefined })),
    events: events.map((event) => ({
      ...guarded(event),
      value: event.value === undefined ? undefined : made(event.value),
    })),
    constraints: constraints.map(constraint),
    divisions: divisions.map(constraint),
    registers: registers.map((own) => own.map(made)),
  };
  return JSON.parse(
    JSON.stringify(all, (key, value: unknown) => (key === 'span' ? undefined : value)),
  ) as unknown;
}

/** Changed programs have queue pairs with names, calls that are gone, and locations that nobody accesses. */
const withChanged = (draft: Draft, alphabet: Alphabet): readonly Draft[] => [
  draft,
  ...weakeningsOf(draft, alphabet).map((one) => one.draft),
];

test.each([
  ['rdma-tso', 'usual'],
  ['rdma-tso', 'all'],
  ['rdma-ro', 'all'],
  ['rdma-wait', 'all'],
  ['rdma-inline', 'all'],
  ['rdma-srd', 'all'],
] as const)('%s, %s operations', (name, of) => {
  const model = modelOf(name);
  const { letters, ...rest } = alphabetOf([model], defaultInstructions());
  const drawn = letters.filter(({ isUsual }) => of === 'all' || isUsual);
  const alphabet: Alphabet = { ...rest, letters: drawn };
  const instructions = instructionsOf([model], defaultInstructions());
  const programs = new MadePrograms(alphabet, instructions);
  let compared = 0;
  fc.assert(
    fc.property(randomShapes(alphabet, 4, 3), (shape) => {
      for (const draft of withChanged(draftOf(shape, alphabet), alphabet)) {
        const text = writeDraft(draft, alphabet, 'p');
        const read = readTest({ path: 'p.litmus', text }, instructions, []);
        // No threads; or an end of a connection that several have.
        if (!read.ok) continue;
        const { program } = read.value;
        const [one, other] = [programs.unrolled(draft)(model), unrolled(program)(model)];
        if ('open' in one || 'open' in other) {
          expect('open' in one).toBe('open' in other);
          continue;
        }
        expect(told(one)).toEqual(told(other));
        expect(guessesIn(one)).toEqual(guessesOf(other.events, other.program.instructions));
        expect(emptyBases(one)).toEqual(emptyBases(other));
        compared += 1;
      }
    }),
    { numRuns: cases(60) },
  );
  expect(compared).toBeGreaterThan(few(50));
});
