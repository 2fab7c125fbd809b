import { unrollWithin } from '../program/events/unroll.js';
import type { Model } from '../model/term.js';
import type { Test } from '../program/program.js';
import { unrollingFor } from './structure.js';

/** Events within which a test can be tiny: a candidate costs the more, the more there are. */
const EVENTS = 48;

/** Is a test small enough to be tried without a solver? */
export const isSmall = ({ program }: Test, model: Model, bound?: number): boolean =>
  unrollWithin(EVENTS, program, bound, unrollingFor(program, model)) !== undefined;
