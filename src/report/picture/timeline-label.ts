import type { Box, PicturePoint } from './geometry.js';
import { left, near, right } from './geometry.js';
import { TITLE } from './place.js';
import { textWidth } from './text.js';

/** A line of text with its place. */
export interface PlacedText {
  readonly text: string;
  readonly at: PicturePoint;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly size: number;
  readonly box: Box;
}

/** The average width of a letter in a title, as a multiple of the size of the font. */
export const TITLE_LETTER = 0.52;

export function placedText(
  words: string,
  at: PicturePoint,
  anchor: PlacedText['anchor'],
  size: number,
): PlacedText {
  const width = size === TITLE ? words.length * TITLE * TITLE_LETTER : textWidth(words, size);
  const shift = anchor === 'start' ? width / 2 : anchor === 'end' ? -width / 2 : 0;
  const box = { x: at.x + shift, y: at.y - size / 3, width, height: size * 1.2 };
  return { text: words, at, anchor, size, box };
}

/** A place for a text: where it begins, or where it ends. */
export interface Spot extends PicturePoint {
  readonly anchor: 'start' | 'end';
}

/** The least distance between a text and the head of an arrow. */
const APART = 1;

/**
 * Places a text so that it covers no head of an arrow: at the first of the spots where it does not. If there is none,
 * it goes beside the heads in its way, as near to the first spot as possible.
 */
export function beside(
  words: string,
  size: number,
  spots: readonly Spot[],
  heads: readonly Box[],
): PlacedText {
  const at = ({ anchor, ...point }: Spot): PlacedText => placedText(words, point, anchor, size);
  const isFree = ({ box }: PlacedText): boolean => !heads.some((head) => near(head, box, APART));
  const wanted = at(spots[0]);
  const { y } = spots[0];
  const others = heads
    .filter((head) => near({ ...head, x: wanted.box.x }, wanted.box, APART))
    .flatMap((head): Spot[] => [
      { x: right(head) + APART + 3, y, anchor: 'start' },
      { x: left(head) - APART - 3, y, anchor: 'end' },
    ])
    .map(at)
    .sort((a, b) => away(a, wanted) - away(b, wanted));
  // There is always room: to the right of all heads at this height.
  return [...spots.map(at), ...others].find(isFree)!;
}

const away = (a: PlacedText, b: PlacedText): number => Math.abs(a.box.x - b.box.x);
