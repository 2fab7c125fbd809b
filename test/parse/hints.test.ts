import { describe, expect, test } from 'vitest';
import { didYouMean, fail, withHints } from '../../src/parse/diagnostics/index.js';
import type { Mistake } from '../../src/parse/diagnostics/index.js';

/** To find a hint takes long among many names. So it is looked for where it is told, and nowhere else. */
describe('hints of many mistakes', () => {
  const mistakes = (n: number, sought: number[]): Mistake[] =>
    Array.from({ length: n }, (_, i) => ({
      span: { file: 't', start: i, end: i + 1 },
      message: `mistake ${i}`,
      hint: () => {
        sought.push(i);
        return `hint ${i}`;
      },
    }));

  test('of too many errors, only those that are told have their hints looked for', () => {
    const sought: number[] = [];
    const result = fail(mistakes(10_000, sought));
    const told = result.ok ? [] : result.errors;
    expect(told).toHaveLength(101);
    expect(told.at(-2)).toMatchObject({ message: 'mistake 99', hint: 'hint 99' });
    expect(told.at(-1)).toMatchObject({ message: '9900 more errors are not shown' });
    expect(sought).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  test('warnings are all told, the first with their hints', () => {
    const sought: number[] = [];
    const told = withHints(mistakes(10_000, sought));
    expect(told).toHaveLength(10_000);
    expect(told.filter(({ hint }) => hint !== undefined)).toHaveLength(sought.length);
    expect(sought).toHaveLength(100);
  });

  test('no name is a hint for itself', () => {
    expect(didYouMean('later', ['later'])).toBeUndefined();
    expect(didYouMean('later', ['later', 'layer'])).toBe("did you mean 'layer'?");
  });
});
