import type { Description } from './describe.js';
import { centred } from './lines.js';
import { escapeXml } from './text.js';
import { styleFor } from './theme.js';

/**
 * What the fonts become that DOT names: Graphviz has to know them by their widths, readers need not.
 * The second name is for those who read no CSS.
 */
const FONTS: readonly (readonly [string, string, string])[] = [
  [
    'Courier New',
    'monospace',
    "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace",
  ],
  ['Arial', 'sans-serif', "Arial,Helvetica,'Liberation Sans',sans-serif"],
];

/**
 * Makes of Graphviz's SVG one that stands on its own and inside a page alike: with words for what is
 * drawn, colours for light and for dark grounds, and nothing outside of the `svg` element.
 */
export function dressed(svg: string, id: string, { title, text, parts }: Description): string {
  const [head, body] = parted(svg.replaceAll('&#45;', '-').replaceAll(/<!--[^]*?-->\n?/g, ''));
  const [width, height, viewBox] = ['width', 'height', 'viewBox'].map(
    (name) => new RegExp(`${name}="([^"]*)"`).exec(head)![1],
  );
  const root = [
    `id="${id}"`,
    'xmlns="http://www.w3.org/2000/svg"',
    'role="img"',
    `aria-labelledby="${id}-title ${id}-desc"`,
    `width="${width}" height="${height}"`,
    `viewBox="${viewBox}"`,
    'style="max-width:100%;height:auto"',
  ];
  return [
    `<svg ${root.join(' ')}>`,
    `<title id="${id}-title">${escapeXml(title)}</title>`,
    `<desc id="${id}-desc">${escapeXml(text)}</desc>`,
    `<style>\n${fontStyle(id)}${styleFor(id)}\n</style>`,
    withFonts(withWords(withLines(body, id), parts)),
  ].join('\n');
}

/** The first tag of the root element, and what follows it. */
function parted(svg: string): readonly [string, string] {
  const from = svg.indexOf('<svg');
  const to = svg.indexOf('>', from) + 1;
  return [svg.slice(from, to), svg.slice(to).trimStart()];
}

/** Lines are centred in boxes, heads and labels; those of title and legend begin where they are. */
const withLines = (body: string, id: string): string =>
  body.replaceAll(new RegExp(`<g id="${id}-[et]\\d[^]*?</g>`, 'g'), centred);

/** Graphviz writes its own names of nodes and edges where browsers look for words to show. */
const withWords = (body: string, parts: Description['parts']): string =>
  body.replaceAll(/<title>([^<]*)<\/title>\n/g, (_, name: string) => {
    const words = parts.get(name.replace('&gt;', '>'));
    return words === undefined ? '' : `<title>${escapeXml(words)}</title>\n`;
  });

const withFonts = (body: string): string =>
  FONTS.reduce(
    (text, [from, to]) =>
      text.replaceAll(new RegExp(`font-family="${from}[^"]*"`, 'g'), `font-family="${to}"`),
    body,
  );

const fontStyle = (id: string): string =>
  FONTS.map(([, name, fonts]) => `#${id} [font-family="${name}"]{font-family:${fonts}}\n`).join('');
