import { unrollWithin } from '../program/events/unroll.js';
import type { Model } from '../model/term.js';
import type { Test } from '../program/program.js';
import { unrollingFor } from './structure.js';

/** A tiny test has at most so many events: a candidate costs more with more events. */
const EVENTS = 48;

/** Is a test small enough to be tried without a solver? */
export const isSmall = ({ program }: Test, model: Model, bound?: number): boolean =>
  unrollWithin(EVENTS, program, bound, unrollingFor(program, model)) !== undefined;
