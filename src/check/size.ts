import { unrollWithin } from '../program/events/unroll.js';
import type { Model } from '../model/term.js';
import type { Test } from '../program/program.js';
import { unrollingFor } from './structure.js';

/** A small test has at most so many events and iterations of loops. */
const EVENTS = 48;

/** Is a test small enough for its bounds, clauses and candidates to be made in a thread that has other work? */
export const isSmall = ({ program }: Test, model: Model, bound?: number): boolean =>
  unrollWithin(EVENTS, program, bound, unrollingFor(program, model)) !== undefined;
