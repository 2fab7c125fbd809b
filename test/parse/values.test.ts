import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  EMPTY,
  LENGTH,
  NONE,
  WORD,
  hashOf,
  valueText,
  tupleCode,
  tupleWords,
} from '../../src/parse/values.js';

const words = fc.array(fc.integer({ min: 0, max: WORD - 1 }), { minLength: 2, maxLength: 4 });

test('tuples and their values are one to one', () => {
  fc.assert(
    fc.property(words, (tuple) => {
      const code = tupleCode(tuple)!;
      expect(Number.isSafeInteger(code)).toBe(true);
      expect(tupleWords(code)).toEqual(tuple);
      expect(valueText(code)).toBe(`<${tuple.join(', ')}>`);
    }),
  );
});

test('a hash tells tuples of one length apart, and is what remains of a value without its length', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      if (a.length === b.length) expect(hashOf(a) === hashOf(b)).toBe(String(a) === String(b));
      expect(tupleCode(a)! % LENGTH).toBe(hashOf(a));
    }),
  );
  expect(hashOf([0, 0, 0])).toBe(0);
});

test('none, the empty tuple and numbers are different values', () => {
  expect([NONE, tupleCode([])!, 0, -1, WORD].map(valueText)).toEqual([
    'none',
    '<>',
    '0',
    '-1',
    '2048',
  ]);
  expect(Number.isSafeInteger(NONE) && Number.isSafeInteger(EMPTY)).toBe(true);
  expect(tupleCode([-5])).toBe(-5);
  expect(tupleWords(EMPTY)).toEqual([]);
  expect(tupleWords(-5)).toEqual([-5]);
});

test('what has no value', () => {
  expect(tupleCode([1, WORD])).toBeUndefined();
  expect(tupleCode([1, -1])).toBeUndefined();
  expect(tupleCode([1, 2, 3, 4, 5])).toBeUndefined();
});
