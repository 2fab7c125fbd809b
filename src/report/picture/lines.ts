import type { PlacedArrow } from './layout.js';
import type { LegendEntry } from './legend.js';
import type { Picture } from './picture.js';
import type { PlacedColumn, PlacedEvent } from './place.js';
import { HEAD, LABEL, NAME, SMALL, TITLE } from './place.js';
import type { Color, Stroke } from './theme.js';
import { FAINT, INK } from './theme.js';

/** A part of a line of text that is in one font and colour. */
export interface TextPiece {
  readonly text: string;
  readonly size: number;
  readonly color: Color;
  readonly bold: boolean;
}

/** A line of text in a picture, from left to right. */
export type TextLine = readonly TextPiece[];

export const piece = (text: string, size: number, color: Color, bold = false): TextPiece => ({
  text,
  size,
  color,
  bold,
});

/** The head of a column: its thread, and below it the node. */
export const columnLines = ({ thread, node }: PlacedColumn): readonly TextLine[] => [
  [piece(thread, HEAD, INK, true)],
  [piece(node, SMALL, FAINT)],
];

/** The number and label of an event, and below them its instruction, if it has one. */
export const eventLines = ({ event, source, marked }: PlacedEvent): readonly TextLine[] => [
  [piece(`${event.name} `, SMALL, FAINT, marked), piece(event.label, LABEL, INK, marked)],
  ...(source === undefined ? [] : [[piece(source, SMALL, FAINT)]]),
];

/** The names of an arrow's relations, with commas between them. Those on the highlighted cycle are bold. */
export function labelLines(
  { names, label }: PlacedArrow,
  strokes: ReadonlyMap<string, Stroke>,
): readonly TextLine[] {
  const last = names[names.length - 1];
  return label.lines.map((line) =>
    line.map((n) => {
      const text = n === last ? n.name : `${n.name}, `;
      return piece(text, NAME, strokes.get(n.name)!.color, n.onCycle);
    }),
  );
}

export const titlePiece = ({ text }: NonNullable<Picture['title']>): TextPiece =>
  piece(text, TITLE, INK);
export const legendName = ({ name, color }: LegendEntry): TextPiece => piece(name, NAME, color);
export const legendWords = ({ words }: LegendEntry): TextPiece => piece(words, SMALL, FAINT);
