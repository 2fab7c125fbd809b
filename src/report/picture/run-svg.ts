import { digest } from 'ohash';
import { piece, titlePiece } from './lines.js';
import { NAME } from './place.js';
import { arrowName, laneLines, stepLines } from './run-lines.js';
import type { RunPicture } from './run-picture.js';
import { runPictureOf } from './run-picture.js';
import type { DrawnRun, PlacedStep } from './run-place.js';
import { ROUND_WORDS } from './run-place.js';
import type { SvgOptions } from './svg.js';
import {
  beginning,
  centred,
  curves,
  identifier,
  legendContent,
  part,
  pointed,
  rectangle,
  tip,
  wholeSvg,
} from './svg-parts.js';
import { INK, INSIDE, MARK, ORDER, PEN, RUN_STROKES, LEGEND_WORDS } from './theme.js';

/** A picture of a run as SVG, for a file or for a page. */
export function drawRunSvg(
  run: DrawnRun,
  title: string,
  { idPrefix, name }: Partial<SvgOptions> = {},
): string {
  const prefix = idPrefix ?? `x${digest(JSON.stringify([run.steps, title])).slice(0, 10)}`;
  return runSvgOf(runPictureOf(run, title), { idPrefix: prefix, ...(name && { name }) });
}

export function runSvgOf(picture: RunPicture, { idPrefix, name }: SvgOptions): string {
  const { title, lanes, spans, lines, steps, arrows, round, legend, frame } = picture;
  const id = identifier(idPrefix);
  const description = describeRun(picture);
  return wholeSvg({ id, name: name ?? title.text, description, frame }, [
    part(id, 'heading', [beginning(title.box, titlePiece(title), LEGEND_WORDS)]),
    ...spans.map(({ name: block, box }, i) =>
      part(id, `s${i}`, [tip(`in ${block}`), rectangle(box, { fill: INSIDE })]),
    ),
    ...(round === undefined
      ? []
      : [
          part(id, 'round', [
            rectangle(round.box, { stroke: INK, pen: PEN.order, dash: 'dashed' }),
            beginning(round.label, piece(ROUND_WORDS, NAME, INK), LEGEND_WORDS),
          ]),
        ]),
    ...lanes.map((lane, i) => part(id, `t${i}`, centred(lane.head, laneLines(lane)))),
    part(id, 'lines', curves(lines, ORDER, PEN.order)),
    ...arrows.map((arrow) => part(id, arrowName(arrow), arrowContent(arrow, steps))),
    ...steps.map((placed, i) => part(id, `e${i}`, stepContent(placed))),
    ...legend.map((entry, i) => part(id, `k${i}`, legendContent(entry))),
  ]);
}

function arrowContent(
  { from, to, look, path }: RunPicture['arrows'][number],
  steps: readonly PlacedStep[],
): readonly string[] {
  const stroke = RUN_STROKES[look];
  const { text } = steps[from].step;
  return to === undefined
    ? [tip(`${text}: not in memory when the run ends`), ...curves([path], stroke, PEN.arrow)]
    : [tip(`${text}; then ${steps[to].step.text}`), ...pointed([path], stroke, PEN.arrow)];
}

function stepContent(placed: PlacedStep): readonly string[] {
  const { step, box, plain, marked } = placed;
  const outline = rectangle(box, {
    ...(marked && { fill: MARK }),
    stroke: INK,
    pen: marked ? PEN.marked : PEN.box,
  });
  const outlined = marked || !plain ? [outline] : [];
  return [tip(step.text), ...outlined, ...centred(box, stepLines(placed))];
}

/** Everything that is drawn, in words, for screen readers. */
function describeRun({ steps, before }: RunPicture): string {
  const told = (some: readonly PlacedStep[]): string =>
    some.map(({ step }) => `${step.text}.`).join(' ');
  const round = steps.slice(before);
  return (
    told(steps.slice(0, before)) + (round.length === 0 ? '' : ` ${ROUND_WORDS}: ${told(round)}`)
  );
}
