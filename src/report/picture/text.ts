/**
 * The width of a letter, as a multiple of the size of the font. Widths are computed without fonts: in the fonts for
 * code, all letters have this width; in other fonts, their average is not more.
 */
const LETTER = 0.6;

/** Letters that are twice as wide: Chinese, Japanese, Korean, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}]/u;

/** The approximate width of a text at a font size. */
export function textWidth(text: string, size: number): number {
  let letters = 0;
  for (const letter of text) letters += WIDE.test(letter) ? 2 : 1;
  return letters * LETTER * size;
}

/** A text cut to at most a number of letters. Dots stand for what is left out. */
export function shortened(text: string, letters: number): string {
  const all = [...text];
  return all.length <= letters ? text : `${all.slice(0, letters - 1).join('')}…`;
}

/** Puts texts on lines: on each line at least one, and as many as fit into a number of letters. */
export function wrapped<T>(
  parts: readonly T[],
  textOf: (part: T) => string,
  letters: number,
): readonly (readonly T[])[] {
  const lines: T[][] = [];
  let length = 0;
  for (const part of parts) {
    const more = [...textOf(part)].length + 1;
    if (lines.length > 0 && length + more <= letters) lines[lines.length - 1].push(part);
    else {
      lines.push([part]);
      length = 0;
    }
    length += more;
  }
  return lines;
}

/** Escapes a text for SVG. Characters that XML does not allow are replaced. */
export const escapeXml = (text: string): string =>
  printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Escapes a text for an HTML-like label of Graphviz. Backslashes are escapes there, as in other labels. */
export const escapeLabel = (text: string): string => escapeXml(text).replaceAll('\\', '\\\\');

/**
 * A text as a string in DOT, for an attribute in which backslashes and entities have a meaning.
 *
 * @param end an escape to put at its end
 */
export const quoted = (text: string, end = ''): string =>
  `"${printable(text).replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}${end}"`;

/** A text without control characters and lone surrogates. */
const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]+/gu, ' ').replace(/\p{Cs}/gu, '\ufffd');

/** A number as text, rounded, because machines may differ in the last digits. */
export const num = (value: number, digits = 2): string =>
  String(Number.isInteger(value) ? value + 0 : Number(value.toFixed(digits)) + 0);
