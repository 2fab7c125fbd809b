import {
  digraph,
  edgeLine,
  dotHtml,
  legendLines,
  loneLine,
  nodeLine,
  strokeOf,
  textLine,
} from './dot-parts.js';
import { piece, titlePiece } from './lines.js';
import { NAME } from './place.js';
import { laneLines, stepLines } from './run-lines.js';
import { runPictureOf } from './run-picture.js';
import type { DrawnRun, PlacedStep } from './run-place.js';
import { ROUND_WORDS } from './run-place.js';
import { num } from './text.js';
import { INK, INSIDE, MARK, ORDER, PEN, RUN_STROKES, LEGEND_WORDS } from './theme.js';

/** A picture of a run in DOT. Everything in it has its place already. */
export function drawRunDot(run: DrawnRun, title: string): string {
  const picture = runPictureOf(run, title);
  const { lanes, spans, lines, steps, arrows, round, legend } = picture;
  const shape = { label: '""', shape: 'box' };
  return digraph('run', [
    textLine('title', picture.title.box, titlePiece(picture.title), LEGEND_WORDS),
    ...spans.map(({ box }, i) =>
      nodeLine(`s${i}`, box, {
        ...shape,
        style: 'filled',
        color: INSIDE.light,
        fillcolor: INSIDE.light,
      }),
    ),
    ...(round === undefined
      ? []
      : [
          nodeLine('round', round.box, { ...shape, style: 'dashed', color: INK.light }),
          textLine('for_ever', round.label, piece(ROUND_WORDS, NAME, INK), LEGEND_WORDS),
        ]),
    ...lanes.map((lane, i) => nodeLine(`t${i}`, lane.head, { label: dotHtml(laneLines(lane)) })),
    ...lines.flatMap((path, i) =>
      loneLine(`l${i}`, path, { ...strokeOf(ORDER, PEN.order), dir: 'none' }),
    ),
    ...steps.map(stepLine),
    ...arrows.flatMap(({ from, to, look, path }) => {
      const stroke = strokeOf(RUN_STROKES[look], PEN.arrow);
      if (to === undefined) return loneLine(`p${from}`, path, { ...stroke, dir: 'none' });
      return edgeLine(`e${from}`, `e${to}`, [path], stroke);
    }),
    ...legend.flatMap((entry, i) => legendLines(entry, `k${i}`)),
  ]);
}

function stepLine(placed: PlacedStep, index: number): string {
  const { box, plain, marked } = placed;
  return nodeLine(`e${index}`, box, {
    label: dotHtml(stepLines(placed)),
    ...(plain && !marked
      ? {}
      : {
          shape: 'box',
          style: marked ? 'filled' : 'solid',
          ...(marked && { fillcolor: MARK.light }),
          color: INK.light,
          penwidth: num(marked ? PEN.marked : PEN.box),
        }),
  });
}
