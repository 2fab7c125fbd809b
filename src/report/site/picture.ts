import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import type { Timeline } from '../../analyses/timeline/timeline.js';
import { groupBy } from '../../model/relation/groups.js';
import type { DrawnRun } from '../picture/index.js';
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

/** Makes a text smaller, and writes it with letters that HTML takes as they are: the zlib format in Base64. */
export type Packer = (text: string) => string;

type Kind = 'timeline' | 'run' | 'graph';

interface Kept {
  readonly name: string;
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/**
 * The pictures of a page: each is there once, wherever it is shown. Together they are most of a page, so they are packed, and the
 * script of the page draws each when it is opened.
 */
export class Album {
  private readonly kept = new Map<string, Kept & { readonly kind: Kind }>();

  /**
   * The picture of something.
   *
   * @param draw makes it, if it is not there yet; all ids in it begin with its name
   */
  keep(kind: Kind, of: unknown, draw: (name: string) => Omit<Kept, 'name'>): Kept {
    const key = JSON.stringify([kind, of]);
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const name = `picture-${this.kept.size + 1}`;
    const made = { kind, name, ...draw(name) };
    this.kept.set(key, made);
    return made;
  }

  /** All pictures for the script of the page; nothing where there are none. Those of one kind are together, as they are much alike. */
  packed(pack: Packer): Html | undefined {
    if (this.kept.size === 0) return undefined;
    const alike = groupBy([...this.kept.values()], ({ kind }) => kind);
    const texts = [...alike.values()].flat().map(({ svg }) => svg);
    // A block of data, not code: browsers do not run it.
    return html`<p class="unscripted">
        A script draws the pictures, and does not run here. What they show is also told in words.
      </p>
      ${raw(`<script type="text/plain" id="pictures">${pack(texts.join('\0'))}</script>`)}`;
  }
}

/** A picture of an execution; `id` names the file that it can be saved as. */
export const figure = (graph: ExecutionGraph, id: string, texts: FigureTexts, album: Album): Html =>
  framed(
    album.keep('graph', graph, (idPrefix) => {
      const picture = pictureOf(graph);
      return { svg: svgOf(picture, { idPrefix, name: '' }), ...sizeOf(picture) };
    }),
    id,
    texts,
  );

/** A picture of an execution in space and time, as `figure`. */
export const timelineFigure = (
  timeline: Timeline,
  id: string,
  texts: FigureTexts,
  album: Album,
): Html =>
  framed(
    album.keep('timeline', timeline, (idPrefix) => {
      const picture = timelinePictureOf(timeline, '');
      return { svg: timelineSvgOf(picture, { idPrefix, name: '' }), ...sizeOf(picture) };
    }),
    id,
    texts,
  );

/** A picture of a run, as `figure`. */
export const runFigure = (run: DrawnRun, id: string, texts: FigureTexts, album: Album): Html =>
  framed(
    album.keep('run', [run, texts.title], (idPrefix) => {
      const picture = runPictureOf(run, texts.title);
      return { svg: runSvgOf(picture, { idPrefix, name: '' }), ...sizeOf(picture) };
    }),
    id,
    texts,
  );

const sizeOf = ({ frame: { width, height } }: { frame: { width: number; height: number } }) => ({
  width,
  height,
});

/** The place of a picture, which is as large from the start as when it is drawn. */
function framed({ name, width, height }: Kept, id: string, { title, caption }: FigureTexts): Html {
  const least = Math.round(width * SMALLEST);
  const room = `width:${width}pt;min-width:${least}pt;aspect-ratio:${width}/${height}`;
  return html`<figure
    class="${needing(least / REM)}"
    style="width:${width}pt"
    data-picture="${name}"
    data-id="${id}"
    data-title="${title}"
  >
    <figcaption>${caption}</figcaption>
    <div class="picture"><div class="room" style="${room}"></div></div>
  </figure>`;
}
