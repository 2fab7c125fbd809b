import type { GraphRelation } from '../../analyses/explain/graph.js';
import { BASE_WORDS } from '../../model/bases.js';
import type { Box, CurvePath, PicturePoint } from './geometry.js';
import { bottom, left, line } from './geometry.js';
import { NAME, SMALL } from './place.js';
import { textWidth } from './text.js';
import type { Color, Stroke } from './theme.js';
import { FAINT, INK, ORDER, PEN } from './theme.js';

/** What one kind of line in a picture means. */
export interface LegendEntry {
  readonly name: string;
  readonly words: string;
  readonly stroke: Stroke;
  readonly pen: number;
  /** Does the line have an arrow's head? */
  readonly head: boolean;
  /** The colour of the name. */
  readonly color: Color;
  readonly path: CurvePath;
  readonly nameBox: Box;
  readonly wordsBox: Box;
}

/** What is in a picture and is to be explained. */
export interface Legend {
  readonly relations: readonly GraphRelation[];
  readonly strokes: ReadonlyMap<string, Stroke>;
  /** Is program order drawn anywhere? */
  readonly order: boolean;
  /** Is a cycle highlighted? */
  readonly cycle: boolean;
}

const SAMPLE = 30;
const SPACE = 8;
const ROW = 17;
const BETWEEN = 24;
/** Room to spare: fonts for words differ in width. */
export const SPARE = 1.2;

/** Narrow pictures may have legends that are wider. */
const WIDTH = 340;

/** The legend of an execution. */
export const legendBelow = (picture: Box, legend: Legend): readonly LegendEntry[] =>
  entriesBelow(picture, entriesOf(legend));

/** A legend below a picture: what has words to explain it, then what has a name only. */
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

/** Entries in as many equal columns as there is width for, filled one after the other. */
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

/** An entry without a place. */
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
