import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import type { Timeline } from '../../analyses/timeline/timeline.js';
import type { DrawnRun, Picture } from '../picture/index.js';
import {
  pictureOf,
  runPictureOf,
  runSvgOf,
  svgOf,
  timelinePictureOf,
  timelineSvgOf,
} from '../picture/index.js';
import type { Html } from './html.js';
import { html, raw } from './html.js';
import { needing } from './style.js';

/** How far a picture shrinks where there is less room, before its box scrolls. */
const SMALLEST = 0.8;

/** How many points a rem has. */
const REM = 12;

/** What a picture is of: in a line above it, and for those who do not see it. */
export interface FigureTexts {
  readonly title: string;
  readonly caption: string;
}

/** The pictures of a page. */
export interface Album {
  /** What the names of their files begin with. */
  readonly name: string;
  /** Executions that are shown in several places are laid out once. */
  readonly layouts: Map<string, Picture>;
}

/** A picture of an execution; `id` begins all ids in it. */
export function figure(graph: ExecutionGraph, id: string, texts: FigureTexts, album: Album): Html {
  const key = JSON.stringify(graph);
  const picture = album.layouts.get(key) ?? pictureOf(graph);
  album.layouts.set(key, picture);
  const svg = svgOf(picture, { idPrefix: id, name: texts.title });
  return framed(picture.frame.width, texts.caption, svg, `${album.name}-${id}`);
}

/** A picture of an execution in space and time, as `figure`. */
export function timelineFigure(
  timeline: Timeline,
  id: string,
  texts: FigureTexts,
  album: Album,
): Html {
  const picture = timelinePictureOf(timeline, '');
  const svg = timelineSvgOf(picture, { idPrefix: id, name: texts.title });
  return framed(picture.frame.width, texts.caption, svg, `${album.name}-${id}`);
}

/** A picture of a run, as `figure`. */
export function runFigure(run: DrawnRun, id: string, texts: FigureTexts, album: Album): Html {
  const picture = runPictureOf(run, texts.title);
  const svg = runSvgOf(picture, { idPrefix: id, name: texts.title });
  return framed(picture.frame.width, texts.caption, svg, `${album.name}-${id}`);
}

function framed(width: number, caption: string, svg: string, file: string): Html {
  const least = Math.round(width * SMALLEST);
  return html`<figure style="width:${width}pt">
    <figcaption>${caption}</figcaption>
    <p class="sideways ${needing(least / REM)}">
      This picture is wider than its place: it scrolls sideways.
    </p>
    <div class="picture">
      <div class="room" style="width:${width}pt;min-width:${least}pt">${raw(svg)}</div>
    </div>
    <button type="button" class="save" data-name="${file}.svg" hidden>Save as SVG</button>
  </figure>`;
}
