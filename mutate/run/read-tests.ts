import { readCorpus } from '../../src/cli/inputs/corpus.js';
import type { Test } from '../../src/program/program.js';

/** Every litmus test that the paths name, and what is wrong with others. */
export function readTests(paths: readonly string[]): {
  readonly items: readonly Test[];
  readonly errors: readonly string[];
} {
  const { tests, errors } = readCorpus(paths, { items: [] });
  return { items: tests.map(({ test }) => test), errors };
}
