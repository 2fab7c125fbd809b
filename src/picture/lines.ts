/**
 * Graphviz places each piece of a line of text by its own idea of widths. Here each line becomes one
 * text around its middle, whatever font it is shown in, with its pieces one after the other.
 */

interface Piece {
  readonly x: number;
  readonly y: string;
  readonly size: number;
  readonly family: string;
  /** What of its attributes stays with the piece. */
  readonly look: string;
  readonly content: string;
}

/** Graphviz takes each byte of a text for a letter that is 0.6 of the font's size wide. */
const LETTER = 0.6;

const TEXTS = /(?:<text [^>]*>[^<]*<\/text>\n)+/g;
const TEXT = /<text ([^>]*)>([^<]*)<\/text>\n/g;

/** The SVG of a node or an edge, with its lines of text centred. */
export const centred = (group: string): string =>
  group.replaceAll(TEXTS, (texts) => {
    const lines: Piece[][] = [];
    for (const [, attributes, content] of texts.matchAll(TEXT)) {
      const piece = pieceOf(attributes, content);
      const line = lines[lines.length - 1];
      if (line !== undefined && line[0].y === piece.y) line.push(piece);
      else lines.push([piece]);
    }
    return lines.map(lineText).join('');
  });

function pieceOf(attributes: string, content: string): Piece {
  const value = (name: string): string | undefined =>
    new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1];
  const kept = ['font-weight', 'font-size', 'fill'].flatMap((name) => {
    const given = value(name);
    return given === undefined ? [] : [`${name}="${given}"`];
  });
  return {
    x: Number(value('x')),
    y: value('y')!,
    size: Number(value('font-size')),
    family: value('font-family')!,
    look: kept.join(' '),
    content,
  };
}

function lineText(pieces: readonly Piece[]): string {
  const [{ x, y, family }] = pieces;
  const width = pieces.reduce((sum, p) => sum + bytesOf(p.content) * p.size * LETTER, 0);
  const middle = Number((x + width / 2).toFixed(2));
  const spans = pieces.map(({ look, content }) => `<tspan ${look}>${content}</tspan>`);
  const place = `text-anchor="middle" x="${middle}" y="${y}" font-family="${family}"`;
  return `<text xml:space="preserve" ${place}>${spans.join('')}</text>\n`;
}

const bytesOf = (content: string): number =>
  Buffer.byteLength(
    content
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll(/&\w+;/g, '&'),
  );
