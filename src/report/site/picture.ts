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

/** How far a picture may shrink if there is little room. If there is even less, its box scrolls. */
const SMALLEST = 0.8;

/** How many points a rem has. */
const REM = 12;

/** What a picture shows: `caption` is the line above it, and `title` is for screen readers. */
export interface FigureTexts {
  readonly title: string;
  readonly caption: string;
}

/** Packs a text: the zlib format in Base64, which HTML needs no escapes for. */
export type Packer = (text: string) => string;

type Kind = 'timeline' | 'run' | 'graph';

interface Kept {
  readonly name: string;
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/**
 * The pictures of a page. Each is kept once, however often it is shown. They are the largest part of a page, so they
 * are packed, and the script of the page unpacks a picture when a reader opens it.
 */
export class Album {
  private readonly kept = new Map<string, Kept & { readonly kind: Kind }>();

  /**
   * The picture of a thing, which is drawn if the album does not have it yet.
   *
   * @param of the thing; all that are equal as JSON have the same picture
   * @param draw draws it; all ids in the picture must begin with the given name
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

  /**
   * All pictures, packed for the script of the page; undefined if there are none. Those of one kind are next to each
   * other: they are much alike, and so are packed better.
   */
  packed(pack: Packer): Html | undefined {
    if (this.kept.size === 0) return undefined;
    const alike = groupBy([...this.kept.values()], ({ kind }) => kind);
    const texts = [...alike.values()].flat().map(({ svg }) => svg);
    // A block of data, which browsers never run as code.
    return html`<p class="unscripted">
        A script draws the pictures, and does not run here. What they show is also told in words.
      </p>
      ${raw(`<script type="text/plain" id="pictures">${pack(texts.join('\0'))}</script>`)}`;
  }
}

/** A figure of an execution. If a reader saves the picture, the name of the file ends with `id`. */
export const figure = (graph: ExecutionGraph, id: string, texts: FigureTexts, album: Album): Html =>
  framed(
    album.keep('graph', graph, (idPrefix) => {
      const picture = pictureOf(graph);
      return { svg: svgOf(picture, { idPrefix, name: '' }), ...sizeOf(picture) };
    }),
    id,
    texts,
  );

/** A figure of an execution in space and time, like `figure`. */
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

/** A figure of a run, like `figure`. */
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

/**
 * The frame of a picture. It has the size of the picture from the start, so that nothing on the page moves when that is
 * drawn.
 */
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
