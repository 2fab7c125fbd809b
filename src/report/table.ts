import stringWidth from 'string-width';

/** A row: its cells, or one text across all columns. Texts may have several lines. */
export type TableRow = readonly string[] | string;

/** How many blanks are between columns. */
export const GAP = 2;

/** A table as text, with two blanks between columns, and no blanks at the ends of lines. */
export function tableText(rows: readonly TableRow[]): string {
  const widths = columnWidths(rows);
  const lines = rows.flatMap((row) => {
    if (typeof row === 'string') return row.split('\n');
    const cells = row.map((cell) => cell.split('\n'));
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, i) =>
      cells.map((cell, column) => padded(cell[i] ?? '', widths[column])).join(' '.repeat(GAP)),
    );
  });
  return lines.map((line) => line.replace(/[ \t]+$/, '')).join('\n');
}

/** The widths of the columns of a table. Texts across all columns do not count. */
export function columnWidths(rows: readonly TableRow[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    if (typeof row === 'string') continue;
    row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 1, width(cell))));
  }
  return widths;
}

/** The line with blanks added up to a width. */
export const padded = (line: string, to: number): string =>
  line + ' '.repeat(Math.max(0, to - width(line)));

/** How many columns of a terminal the widest line of a text takes. Colours take none; some letters take two. */
export function width(text: string): number {
  let found = known.get(text);
  if (found === undefined) {
    found = Math.max(...text.split('\n').map((line) => stringWidth(line)));
    known.set(text, found);
  }
  return found;
}

/** The widths that were measured so far. Measuring takes long, and most cells have one of a few texts. */
const known = new Map<string, number>();

/** Breaks a text into lines of at most a width: after a sign, or anywhere if there is none. */
export function broken(text: string, sign: string, limit: number): string {
  const lines = [''];
  const parts = text.split(new RegExp(`(?<=${sign})`)).flatMap((part) => pieces(part, limit));
  for (const part of parts) {
    const last = lines.length - 1;
    if (width(lines[last] + part.trimEnd()) <= limit) lines[last] += part;
    else lines.push(part);
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Cuts a text into pieces of at most a width. Blanks at the end of a piece do not count. */
function pieces(text: string, limit: number): readonly string[] {
  if (width(text.trimEnd()) <= limit) return [text];
  const found = [''];
  for (const sign of text) {
    const last = found.length - 1;
    if (found[last] !== '' && width(found[last] + sign) > limit) found.push(sign);
    else found[last] += sign;
  }
  return found;
}
