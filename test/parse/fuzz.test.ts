import { describe, expect, test } from 'vitest';
import { decodeSource } from '../../src/node/read.js';
import { FILE, HANG, MODELS, TESTS, always, checkLitmus, checkModel } from '../support/fuzzing.js';
import { two } from '../support/litmus.js';
import { bytes, mutants, soups } from '../support/mutations.js';

describe('litmus files', () => {
  test('with mistakes', { timeout: HANG }, () => {
    always(mutants(TESTS), 3000, checkLitmus);
  });

  test('of any words and signs', { timeout: HANG }, () => {
    const head = two('thread T on 1 { a := x; x := 1; z^2 :=^d x; ');
    always(soups(head), 8000, checkLitmus);
    always(soups(two('thread T on 1 { a := x } exists (')), 4000, checkLitmus);
  });

  test('of any bytes', { timeout: HANG }, () => {
    always(bytes(TESTS), 4000, (input) => {
      const source = decodeSource(FILE, input);
      if (source.ok) checkLitmus(source.value.text);
      else expect(source.errors[0].message).toMatch(/line \d+, column \d+$|is empty$/);
    });
  });
});

describe('models', () => {
  test('with mistakes', { timeout: HANG }, () => {
    always(mutants(MODELS), 2000, checkModel);
  });

  test('of any words and signs', { timeout: HANG }, () => {
    always(soups('let r = po let f(x) = x;rf acyclic r '), 6000, checkModel);
    always(soups('let rec r = po | '), 3000, checkModel);
  });

  test('of any bytes', { timeout: HANG }, () => {
    always(bytes(MODELS), 3000, (input) => {
      const source = decodeSource('input.cat', input);
      if (source.ok) checkModel(source.value.text);
    });
  });
});
