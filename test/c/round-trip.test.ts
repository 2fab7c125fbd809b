import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadC } from '../../src/node/c.js';
import { readLitmus } from '../../src/node/tests.js';
import { parseLitmus } from '../../src/node/tests.js';
import { search } from '../support/c-states.js';
import { programs, inBlocks } from '../../src/rdma/random/programs.js';
import { printC } from '../support/print-c.js';
import { valueOf } from '../support/litmus.js';
import { cases, few } from '../support/random.js';

await loadC();

/** What a program over libibverbs can end with is what the litmus program can end with that it was printed from. */
test.each(['rdma-tso', 'rdma-ro'])('random programs, printed as C and read back: %s', (model) => {
  let told = 0;
  const source = programs({ atomics: true, queuePairs: true, branches: true, instructions: 4 });
  fc.assert(
    fc.property(source, (drawn) => {
      const plain = valueOf(parseLitmus(inBlocks(drawn), 'plain.litmus'));
      const text = printC(plain.program);
      if (text === undefined) return;
      const { test: read, sources } = readLitmus(text, 'printed.c');
      // A poll that never ends is a mistake in C.
      if (
        !read.ok &&
        read.errors.some((e) => /never returns|depends on a condition/.test(e.message))
      )
        return;
      const made = valueOf(read, sources);
      const states = search(plain, model);
      if (states.length > 1) told += 1;
      expect({ text, states: search(made, model) }).toEqual({ text, states });
    }),
    { numRuns: cases(2000), seed: 7 },
  );
  expect(told).toBeGreaterThan(few(300));
});
