import type { ExecutionGraph } from '../explain/graph.js';
import type { Html } from './html.js';
import { escapeHtml, html, raw } from './html.js';

/** What makes an SVG of an execution, or says why there is none; `id` begins all ids in it. */
export type Draw = (
  graph: ExecutionGraph,
  id: string,
) => Promise<string | { readonly unfinished: string }>;

/** How far a picture shrinks where there is less room, before its box scrolls. */
const SMALLEST = 0.8;

/** A picture of an execution, with what it shows in words for those who do not see it. */
export async function figure(
  draw: Draw,
  graph: ExecutionGraph,
  id: string,
  { title, caption }: { readonly title: string; readonly caption: string },
): Promise<Html> {
  const svg = await draw(graph, id);
  if (typeof svg !== 'string') {
    return html`<p class="unfinished">There is no picture: ${svg.unfinished}</p>`;
  }
  const [, width = '', unit = ''] = /<svg[^>]*? width="([\d.]+)(\w*)"/.exec(svg) ?? [];
  const room = `width:${width}${unit || 'px'};min-width:${(Number(width) * SMALLEST).toFixed(0)}${unit || 'px'}`;
  return html`<figure>
    <figcaption>${caption}</figcaption>
    <div class="picture"><div class="room" style="${room}">${raw(titled(svg, title))}</div></div>
  </figure>`;
}

/** Gives an SVG a name: the first title in it is that of the whole. */
const titled = (svg: string, title: string): string =>
  svg.replace(/(<title[^>]*>)[^<]*(?=<\/title>)/, (_, tag: string) => tag + escapeHtml(title));
