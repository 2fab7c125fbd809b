import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headToFill } from '../../src/c/fill.js';
import { parseCFile } from '../../src/c/read.js';
import { loadC } from '../../src/node/c.js';
import { cases } from '../support/random.js';

await loadC();

const TEXTS = readdirSync('corpus/c')
  .filter((file) => file.endsWith('.c'))
  .map((file) => readFileSync(`corpus/c/${file}`, 'utf8'));
const PIECES = [
  ...['(', ')', '{', '}', ';', '*', '&', '->', '.', '[0]', '=', '==', '0', '"', '/*', '*/', '\n'],
  ...[
    'if (x) ',
    'while (1) ',
    'do ',
    'for (;;) ',
    'return ',
    'goto a;',
    'switch (x) { case 1: ; }',
  ],
  ...['raddr', 'qp', '?', '=>', 'thread f on client', 'int ', 'struct s '],
];

/** Some text is left out, or something is put in its place. */
const edit = fc.record({
  at: fc.nat(),
  length: fc.nat(40),
  by: fc.constantFrom('', '', ...PIECES),
});

test('whatever is in a C file, there are mistakes with places, and no crash', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...TEXTS),
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      (given, edits) => {
        const text = edits.reduce((now, { at, length, by }) => {
          const start = at % (now.length + 1);
          return now.slice(0, start) + by + now.slice(start + length);
        }, given);
        const source = { path: 'f.c', text };
        const { value, errors } = parseCFile(source);
        expect(value === undefined).toBe(errors.length > 0);
        for (const { span } of errors) {
          expect(span.start).toBeLessThanOrEqual(span.end);
          expect(span.end).toBeLessThanOrEqual(text.length);
        }
        headToFill(source);
      },
    ),
    { numRuns: cases(5000), seed: 3 },
  );
});
