import stringWidth from 'string-width';

/** The cells of a row, or one text across all columns. Texts may have several lines. */
export type Row = readonly string[] | string;

/** A table as text: no rules, two blanks between columns, and none at the ends of lines. */
export function tableText(rows: readonly Row[]): string {
  const widths = columnWidths(rows);
  const lines = rows.flatMap((row) => {
    if (typeof row === 'string') return row.split('\n');
    const cells = row.map((cell) => cell.split('\n'));
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, i) =>
      cells.map((cell, column) => padded(cell[i] ?? '', widths[column])).join('  '),
    );
  });
  return lines.map((line) => line.replace(/[ \t]+$/, '')).join('\n');
}

function columnWidths(rows: readonly Row[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    if (typeof row === 'string') continue;
    row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 1, width(cell))));
  }
  for (const row of [...rows].reverse()) if (typeof row === 'string') stretch(widths, width(row));
  return widths;
}

/** Widens columns evenly for a text across all of them. */
function stretch(widths: number[], needed: number): void {
  let missing = needed - widths.reduce((sum, w) => sum + w + 1, -1);
  for (let i = 0; i < widths.length && missing > 0; i++) {
    const more = Math.round(missing / (widths.length - i));
    widths[i] += more;
    missing -= more;
  }
}

const padded = (line: string, to: number): string =>
  line + ' '.repeat(Math.max(0, to - width(line)));

/** How many columns of a terminal the longest line of a text takes. */
function width(text: string): number {
  let found = known.get(text);
  if (found === undefined) {
    found = Math.max(...text.split('\n').map((line) => stringWidth(line)));
    known.set(text, found);
  }
  return found;
}

/** To measure a text takes long, and most cells say the same as others. */
const known = new Map<string, number>();
