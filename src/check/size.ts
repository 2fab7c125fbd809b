import { unrollWithin } from '../events/unroll.js';
import { instructionsOf } from '../program/instructions.js';
import type { Test } from '../program/program.js';

/** Events within which a test can be tiny: a candidate costs the more, the more there are. */
const EVENTS = 48;

/** Is a test small enough to be tried without a solver? */
export const isSmall = ({ program }: Test, bound?: number): boolean =>
  unrollWithin(EVENTS, program, bound) !== undefined;

/** Will a test be decided without a solver? A guess: answers to tests with loops are mostly qualified. */
export const seemsTiny = (test: Test, bound?: number): boolean =>
  isSmall(test, bound) &&
  !test.program.threads.some(({ body }) =>
    [...instructionsOf(body)].some(({ kind }) => kind === 'loop'),
  );
