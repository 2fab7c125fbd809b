import type { Test } from '../src/program/program.js';

/** A test under SC as a Promela model. Throws for operations that it does not know. */
export function promelaOf(test: Test): string;
