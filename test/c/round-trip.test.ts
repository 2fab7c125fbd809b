import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadC } from '../../src/node/c.js';
import { defaultInstructions } from '../../src/node/models.js';
import { parseLitmus, readLitmus } from '../../src/node/tests.js';
import { instructionsOf } from '../../src/program/instructions.js';
import type { Program } from '../../src/program/program.js';
import { declaredPrograms } from '../../src/rdma/random/declared.js';
import type { Source } from '../../src/rdma/random/programs.js';
import { inBlocks, programs } from '../../src/rdma/random/programs.js';
import type { Vocabulary } from '../../src/rdma/random/vocabulary.js';
import { vocabularyOf } from '../../src/rdma/random/vocabulary.js';
import { modelOf } from '../support/checker.js';
import { printC } from '../support/print-c.js';
import { valueOf } from '../support/litmus.js';
import { cases, few } from '../support/random.js';
import { tracesOf } from '../support/traces.js';

await loadC();

/** What the reader of C refuses, and litmus files have. */
const REFUSED = /never returns|never ends|depends on a condition|nothing was written to it/;

/** The calls of a program, with their tags: `put [inline] [unsignalled]`. */
const callsIn = ({ threads }: Program): readonly string[] =>
  threads.flatMap(({ body }) =>
    [...instructionsOf(body)].flatMap((i) =>
      i.kind === 'call'
        ? [[i.operation, ...[...(i.tags ?? [])].sort().map((tag) => `[${tag}]`)].join(' ')]
        : [],
    ),
  );

/** How often each call was in a program that was printed and read back as the same one. */
function roundTrips(source: fc.Arbitrary<Source>, numRuns: number): ReadonlyMap<string, number> {
  const seen = new Map<string, number>();
  fc.assert(
    fc.property(source, (drawn) => {
      const plain = valueOf(parseLitmus(inBlocks(drawn), 'plain.litmus')).program;
      const text = printC(plain);
      if (text === undefined) return;
      const { test: read, sources } = readLitmus(text, 'printed.c');
      if (!read.ok && read.errors.some(({ message }) => REFUSED.test(message))) return;
      expect({ text, threads: tracesOf(valueOf(read, sources).program) }).toEqual({
        text,
        threads: tracesOf(plain),
      });
      for (const call of callsIn(plain)) seen.set(call, (seen.get(call) ?? 0) + 1);
    }),
    { numRuns, seed: 7 },
  );
  return seen;
}

const PLAIN = [
  'put',
  'get',
  'rcas',
  'rfaa',
  'rxchg',
  'poll',
  'rfence',
  'mfence',
  'CAS',
  'faa',
  'xchg',
];

test('random programs, printed as C and read back, do the same', () => {
  const source = programs({ atomics: true, queuePairs: true, branches: true, instructions: 4 });
  const seen = roundTrips(source, cases(4000));
  for (const call of PLAIN) expect(seen.get(call) ?? 0, call).toBeGreaterThan(few(100));
});

const DECLARED = {
  tags: [
    'put [inline]',
    'put [unsignalled]',
    'get [unsignalled]',
    'rfaa [unsignalled]',
    'flush',
    'flush [unsignalled]',
  ],
  messages: ['send', 'send [inline]', 'recv', 'pollr'],
} as const;

/** What C has of what models declare. */
function inVerbs(): Vocabulary {
  const all = vocabularyOf([modelOf('rdma-tso')], defaultInstructions());
  return {
    ...{ ...all, sharing: false },
    forms: all.forms.filter(({ operation }) => operation.name !== 'cut'),
    tags: { location: [], constant: [], operation: ['unsignalled'], qp: [], node: [] },
  };
}

test.each(['tags', 'messages'] as const)('so do those of all that models declare: %s', (theme) => {
  const seen = roundTrips(declaredPrograms(inVerbs(), theme), cases(4000));
  for (const call of DECLARED[theme]) expect(seen.get(call) ?? 0, call).toBeGreaterThan(few(100));
});
