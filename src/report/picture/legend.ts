import type { GraphRelation } from '../../analyses/explain/graph.js';
import { BASE_WORDS } from '../../model/bases.js';
import type { Box, CurvePath, PicturePoint } from './geometry.js';
import { bottom, left, line } from './geometry.js';
import { NAME, SMALL } from './place.js';
import { textWidth } from './text.js';
import type { Color, Stroke } from './theme.js';
import { FAINT, INK, ORDER, PEN } from './theme.js';

/** An entry of a legend, at its place: a kind of line, and what it means. */
export interface LegendEntry {
  readonly name: string;
  readonly words: string;
  readonly stroke: Stroke;
  readonly pen: number;
  /** Whether the line has the head of an arrow. */
  readonly head: boolean;
  /** The colour of the name. */
  readonly color: Color;
  readonly path: CurvePath;
  readonly nameBox: Box;
  readonly wordsBox: Box;
}

/** What there is in a picture that its legend has to explain. */
export interface Legend {
  readonly relations: readonly GraphRelation[];
  readonly strokes: ReadonlyMap<string, Stroke>;
  /** Whether program order is drawn anywhere. */
  readonly order: boolean;
  /** Whether a cycle is highlighted. */
  readonly cycle: boolean;
}

const SAMPLE = 30;
const SPACE = 8;
const ROW = 17;
const BETWEEN = 24;
/** How much wider than computed the boxes for words are: fonts differ, and the reader's may be a wide one. */
export const SPARE = 1.2;

/** A legend may be this wide, even if the picture is narrower. */
const WIDTH = 340;

/** The legend of an execution, below the picture. */
export const legendBelow = (picture: Box, legend: Legend): readonly LegendEntry[] =>
  entriesBelow(picture, entriesOf(legend));

/** A legend below a picture: first the entries that have words, then those with a name only. */
export function entriesBelow(picture: Box, entries: readonly LegendText[]): readonly LegendEntry[] {
  const width = Math.max(WIDTH, picture.width);
  const from = { x: left(picture), y: bottom(picture) + 30 };
  const explained = inColumns(
    entries.filter((e) => e.words !== ''),
    from,
    width,
  );
  const next = { ...from, y: from.y + explained.rows * ROW };
  const others = inColumns(
    entries.filter((e) => e.words === ''),
    next,
    width,
  );
  return [...explained.entries, ...others.entries];
}

/** Puts entries into equal columns, as many as the width allows. Columns are filled one after the other. */
function inColumns(
  texts: readonly LegendText[],
  { x: start, y: first }: PicturePoint,
  available: number,
): { readonly entries: readonly LegendEntry[]; readonly rows: number } {
  const names = Math.max(0, ...texts.map((e) => textWidth(e.name, NAME) + 4));
  const words = Math.max(0, ...texts.map((e) => textWidth(e.words, SMALL) * SPARE));
  const width = SAMPLE + SPACE + names + SPACE + words + BETWEEN;
  const most = Math.max(1, Math.floor((available + BETWEEN) / width));
  const rows = Math.ceil(texts.length / most);
  const entries = texts.map((text, i) => {
    const x = start + Math.floor(i / rows) * width;
    const y = first + (i % rows) * ROW;
    const box = (from: number, wide: number): Box => ({
      x: from + wide / 2,
      y,
      width: wide,
      height: ROW,
    });
    const from = x + SAMPLE + SPACE;
    return {
      ...text,
      path: [line({ x, y }, { x: x + SAMPLE, y })],
      nameBox: box(from, names),
      wordsBox: box(from + names + SPACE, words),
    };
  });
  return { entries, rows };
}

/** An entry of a legend that has no place yet. */
export type LegendText = Omit<LegendEntry, 'path' | 'nameBox' | 'wordsBox'>;

function entriesOf({ relations, strokes, order, cycle }: Legend): readonly LegendText[] {
  const entries: LegendText[] = relations.map(({ name, words = BASE_WORDS.get(name) ?? '' }) => {
    const stroke = strokes.get(name)!;
    return { name, words, stroke, pen: PEN.arrow, head: true, color: stroke.color };
  });
  if (order && !relations.some((r) => r.name === 'po')) {
    const look = { stroke: ORDER, pen: PEN.order, head: false, color: FAINT };
    entries.push({ name: 'po', words: 'program order, downwards', ...look });
  }
  if (cycle) {
    const stroke: Stroke = { color: INK, dash: 'solid' };
    const look = { stroke, pen: PEN.cycle, head: true, color: INK };
    entries.push({ name: 'cycle', words: 'bold, events marked', ...look });
  }
  return entries;
}
