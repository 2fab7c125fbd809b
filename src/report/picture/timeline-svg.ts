import { digest } from 'ohash';
import type { Timeline } from '../../analyses/timeline/timeline.js';
import { reversed } from './geometry.js';
import type { SvgOptions } from './svg.js';
import {
  circle,
  curves,
  haloed,
  identifier,
  legendContent,
  part,
  pointed,
  rectangle,
  tip,
  wholeSvg,
} from './svg-parts.js';
import { penOf, timelinePictureOf } from './timeline-place.js';
import type { PlacedRow, TimelinePicture } from './timeline-place.js';
import {
  CODE,
  FAINT,
  GROUND,
  INK,
  MARK,
  ORDER,
  PALE,
  PEN,
  TIMELINE_STROKES,
  LEGEND_WORDS,
} from './theme.js';

/** A timeline as SVG, for a file or for a page. */
export function drawTimelineSvg(
  timeline: Timeline,
  title: string,
  { idPrefix, name }: Partial<SvgOptions> = {},
): string {
  const prefix = idPrefix ?? `x${digest(JSON.stringify([timeline, title])).slice(0, 10)}`;
  const picture = timelinePictureOf(timeline, title);
  return timelineSvgOf(picture, { idPrefix: prefix, name: name ?? title });
}

/** A timeline that is laid out already, as SVG. */
export function timelineSvgOf(
  picture: TimelinePicture,
  { idPrefix, name }: Required<SvgOptions>,
): string {
  const id = identifier(idPrefix);
  const { nodes, lanes, rows, ways, waits, legend, frame } = picture;
  return wholeSvg({ id, name, description: describe(picture), frame }, [
    ...nodes.map(({ box }, i) =>
      part(id, `n${i}`, [rectangle(box, { stroke: PALE, pen: PEN.box })]),
    ),
    ...rows
      .filter(({ step }) => step.note !== undefined)
      .map(({ band }, i) => part(id, `b${i}`, [rectangle(band, { fill: MARK })])),
    part(
      id,
      'lanes',
      lanes.flatMap(({ path }) => curves([path], ORDER, PEN.order)),
    ),
    ...waits.map(({ text, box }, i) =>
      part(id, `w${i}`, [
        tip(`${text} is not in memory yet`),
        rectangle(box, { fill: TIMELINE_STROKES.wait.color }),
      ]),
    ),
    ...ways.map(({ way, path }, i) =>
      part(id, `a${i}`, pointed([path], TIMELINE_STROKES[way.look], penOf(way.look))),
    ),
    ...rows.map((row, i) => part(id, `e${i}`, rowContent(row))),
    part(id, 'heads', [
      ...picture.title.map((line) => haloed(line, INK, LEGEND_WORDS)),
      ...nodes.map((node) => haloed(node.name, INK, LEGEND_WORDS, true)),
      ...lanes.map(({ head }) => haloed(head, FAINT, LEGEND_WORDS)),
    ]),
    ...legend.map((entry, i) => part(id, `k${i}`, legendContent(entry))),
  ]);
}

function rowContent({ step, number, brief, note, dot, path, look }: PlacedRow): readonly string[] {
  const stroke = TIMELINE_STROKES[look];
  const ground = note === undefined ? GROUND : MARK;
  const isMarked = step.note !== undefined || step.onCycle === true;
  return [
    tip(step.text),
    ...(path === undefined ? [] : pointed([path], stroke, PEN.arrow)),
    ...(path !== undefined && step.both ? pointed([reversed(path)], stroke, PEN.arrow) : []),
    circle(dot, isMarked ? 4.5 : 3, isMarked ? TIMELINE_STROKES.back.color : INK),
    ...(number === undefined ? [] : [haloed(number, FAINT, LEGEND_WORDS)]),
    haloed(brief, INK, CODE, isMarked, ground),
    ...(note === undefined
      ? []
      : [haloed(note, TIMELINE_STROKES.back.color, LEGEND_WORDS, true, ground)]),
  ];
}

/** Everything that is drawn, in words, for screen readers. */
const describe = ({ rows }: TimelinePicture): string =>
  rows
    .map(
      ({ step: { number, text, note } }) =>
        `${number === undefined ? '' : `${number}. `}${text}${note === undefined ? '' : ` (${note})`}.`,
    )
    .join(' ');
