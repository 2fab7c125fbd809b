import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import type { DrawnRun, Picture } from '../picture/index.js';
import { pictureOf, runPictureOf, runSvgOf, svgOf } from '../picture/index.js';
import type { Html } from './html.js';
import { html, raw } from './html.js';

/** How far a picture shrinks where there is less room, before its box scrolls. */
const SMALLEST = 0.8;

/** Pictures that are shown in several places are laid out once. */
const laidOut = new WeakMap<ExecutionGraph, Picture>();

/**
 * A picture of an execution, with what it shows in words for those who do not see it; `id` begins all
 * ids in it.
 */
export function figure(
  graph: ExecutionGraph,
  id: string,
  { title, caption }: { readonly title: string; readonly caption: string },
): Html {
  const picture = laidOut.get(graph) ?? pictureOf(graph);
  laidOut.set(graph, picture);
  return framed(picture.frame.width, caption, svgOf(picture, { idPrefix: id, name: title }));
}

/** A picture of a run, as `figure`. */
export function runFigure(
  run: DrawnRun,
  id: string,
  { title, caption }: { readonly title: string; readonly caption: string },
): Html {
  const picture = runPictureOf(run, title);
  return framed(picture.frame.width, caption, runSvgOf(picture, { idPrefix: id, name: title }));
}

function framed(width: number, caption: string, svg: string): Html {
  const room = `width:${width}pt;min-width:${Math.round(width * SMALLEST)}pt`;
  return html`<figure>
    <figcaption>${caption}</figcaption>
    <div class="picture">
      <div class="room" style="${room}">${raw(svg)}</div>
    </div>
  </figure>`;
}
