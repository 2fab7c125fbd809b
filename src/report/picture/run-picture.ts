import type { Box, CurvePath } from './geometry.js';
import { around, bottom, left, line, top } from './geometry.js';
import type { LegendEntry, LegendText } from './legend.js';
import { SPARE, entriesBelow } from './legend.js';
import { TITLE } from './place.js';
import type { RunArrow } from './run-arrows.js';
import { arrowsOfRun, guttersOf, arrowPath } from './run-arrows.js';
import type { DrawnRun, RunPlacement } from './run-place.js';
import { placeRun } from './run-place.js';
import { textWidth } from './text.js';
import { PEN, RUN_STROKES } from './theme.js';

/** A picture of a run: everything in it, with its place. */
export interface RunPicture extends RunPlacement {
  readonly title: { readonly text: string; readonly box: Box };
  readonly arrows: readonly (RunArrow & { readonly path: CurvePath })[];
  /** The lines of lanes, between their steps. */
  readonly lines: readonly CurvePath[];
  readonly legend: readonly LegendEntry[];
  readonly frame: Box;
  /** How many steps come before the round that is repeated for ever. */
  readonly before: number;
}

const MARGIN = 11;

/** Places everything in the picture of a run. The same run gives the same picture. */
export function runPictureOf(run: DrawnRun, title: string): RunPicture {
  // The lanes, and the rows of steps in them, do not depend on the spaces between lanes, which are not known yet.
  const draft = placeRun(run, []);
  const arrows = arrowsOfRun(draft.steps);
  const placement = placeRun(run, guttersOf(draft.lanes.length, arrows));
  const paths = arrows.map((arrow) => ({ ...arrow, path: arrowPath(arrow, placement) }));
  const body = around([
    ...placement.lanes.map(({ head }) => head),
    ...placement.steps.map(({ box }) => box),
    ...placement.spans.map(({ box }) => box),
    ...(placement.round === undefined ? [] : [placement.round.box, placement.round.label]),
    ...paths.flatMap(({ path }) => path.flat().map((p) => ({ ...p, width: 4, height: 4 }))),
  ]);
  const legend = entriesBelow(body, entriesOf(arrows));
  const [width, height] = [textWidth(title, TITLE) * SPARE, 22];
  const titleBox = { x: left(body) + width / 2, y: top(body) - height, width, height };
  const boxes = legend.flatMap(({ nameBox, wordsBox }) => [nameBox, wordsBox]);
  const all = around([body, titleBox, ...boxes]);
  return {
    ...placement,
    title: { text: title, box: titleBox },
    arrows: paths,
    lines: linesOf(placement),
    legend,
    before: run.before,
    frame: {
      ...all,
      width: Math.ceil(all.width + 2 * MARGIN),
      height: Math.ceil(all.height + 2 * MARGIN),
    },
  };
}

/** Lines down each lane from its head to its last step, interrupted by the boxes. */
function linesOf({ lanes, steps }: RunPlacement): readonly CurvePath[] {
  return lanes.flatMap(({ head, x }, lane) => {
    let y = bottom(head);
    return steps
      .filter((placed) => placed.lane === lane)
      .flatMap(({ box }) => {
        const [from, to] = [y, top(box)];
        y = bottom(box);
        return to - from < 1 ? [] : [[line({ x, y: from }, { x, y: to })]];
      });
  });
}

const WORDS: Readonly<Record<RunArrow['look'], readonly [name: string, words: string]>> = {
  network: ['operation', 'is carried on by a network card'],
  memory: ['write', 'comes to memory'],
  buffered: ['store', 'leaves the store buffer'],
  polled: ['completion', 'is polled'],
  pending: ['pending', 'is not in memory when the run ends'],
};

function entriesOf(arrows: readonly RunArrow[]): readonly LegendText[] {
  const looks = Object.keys(WORDS) as readonly RunArrow['look'][];
  return looks
    .filter((look) => arrows.some((arrow) => arrow.look === look))
    .map((look) => {
      const [name, words] = WORDS[look];
      const stroke = RUN_STROKES[look];
      return { name, words, stroke, pen: PEN.arrow, head: look !== 'pending', color: stroke.color };
    });
}
