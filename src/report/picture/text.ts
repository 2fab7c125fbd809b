/**
 * Widths of texts, without fonts: letters of the fonts for code are all as wide, 0.6 of their size,
 * and those of other texts are at most that on the whole.
 */
const LETTER = 0.6;

/** Chinese, Japanese, Korean, and pictures: twice as wide. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}]/u;

/** About how wide a text is at a font size. */
export function textWidth(text: string, size: number): number {
  let letters = 0;
  for (const letter of text) letters += WIDE.test(letter) ? 2 : 1;
  return letters * LETTER * size;
}

/** A text with at most a number of letters; dots stand for what is left out. */
export function shortened(text: string, letters: number): string {
  const all = [...text];
  return all.length <= letters ? text : `${all.slice(0, letters - 1).join('')}…`;
}

/** Texts on lines, as many on each as fit into a number of letters, and at least one. */
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

/** For SVG. What XML cannot have is replaced. */
export const escapeXml = (text: string): string =>
  printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** For HTML-like labels of Graphviz, in which there are the escapes of other labels, too. */
export const escapeLabel = (text: string): string => escapeXml(text).replaceAll('\\', '\\\\');

/**
 * A string of the DOT language, for an attribute in which escapes and entities count.
 *
 * @param end an escape to end it with
 */
export const quoted = (text: string, end = ''): string =>
  `"${printable(text).replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}${end}"`;

/** A text without control characters and lone surrogates. */
const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]+/gu, ' ').replace(/\p{Cs}/gu, '\ufffd');

/** A number, rounded: machines may differ in the last digits. */
export const num = (value: number, digits = 2): string =>
  String(Number.isInteger(value) ? value + 0 : Number(value.toFixed(digits)) + 0);
