import type { TextLine } from './lines.js';
import { piece } from './lines.js';
import { HEAD, NAME, SMALL } from './place.js';
import type { RunArrow } from './run-arrows.js';
import type { Lane, PlacedStep } from './run-place.js';
import { FAINT, INK } from './theme.js';

/** What an arrow is called in a file. */
export const arrowName = ({ from, to }: Pick<RunArrow, 'from' | 'to'>): string =>
  to === undefined ? `p${from}` : `e${from}-e${to}`;

/** The head of a lane. */
export const laneLines = ({ name, about }: Lane): readonly TextLine[] => [
  [piece(name, HEAD, INK, true)],
  [piece(about, SMALL, FAINT)],
];

/**
 * The text of a step. It is bold if readers look for it: for the last step, if it is marked, and for marks of the
 * program.
 */
export const stepLines = ({ step, text, plain, marked }: PlacedStep): readonly TextLine[] => [
  [
    piece(
      text,
      NAME,
      plain && step.mark === undefined ? FAINT : INK,
      marked || step.mark !== undefined,
    ),
  ],
];
