import { wrap } from './explain-style.js';
import { shortNames } from './short-names.js';
import type { TableRow } from './table.js';
import { GAP, broken, columnWidths, padded, tableText, width } from './table.js';

/** A table with a row for each query and a column for each model. */
export interface ModelTable {
  readonly models: readonly string[];
  /** The heads of the models' columns, which may have several lines. */
  readonly heads: readonly string[];
  /** The heads of the columns after those of the models. */
  readonly rest: readonly string[];
  /** The cells of a row: the name of the test, the query, one for each model, the rest. Or a text across all columns. */
  readonly rows: readonly TableRow[];
}

/** On a terminal with fewer columns there is a list instead of a table. */
const NARROWEST = 60;

/** How many columns the names of tests and the queries together get at least. */
const LEAST_ROOM = 20;

/** The part of these columns that the names of tests get at least, if they need it. */
const NAMES = 0.45;

/**
 * A table that fits a terminal. If it is too wide, models get short heads, which a line below explains; then names and
 * queries are broken into lines. If there is no room even for that, it becomes a list.
 */
export function modelTable(table: ModelTable, columns: number): string {
  if (columns < NARROWEST) return listText(table, columns);
  const { models, heads, rest, rows } = table;
  const wide = [['test', 'outcome', ...heads, ...rest], ...rows];
  if (sum(columnWidths(wide)) <= columns) return tableText(wide);
  const names = shortNames(models);
  const brief = [['test', 'outcome', ...names, ...rest], ...rows];
  const [name, query, ...others] = columnWidths(brief);
  const room = columns - sum(others) - 2 * GAP;
  if (room < LEAST_ROOM) return listText(table, columns);
  const first = Math.min(name, Math.max(Math.floor(NAMES * room), room - query));
  const fitted = brief.map((row) => {
    if (typeof row === 'string') return row;
    const [test, text, ...cells] = row;
    return [broken(test, '-', first), broken(text, ' ', room - first), ...cells];
  });
  const told = models.flatMap((model, i) => (names[i] === model ? [] : [`${names[i]} ${model}`]));
  return [tableText(fitted), ...(told.length > 0 ? ['', tableLegend(told, columns)] : [])].join(
    '\n',
  );
}

/** The legend of a table, in lines that fit the terminal. */
export const tableLegend = (entries: readonly string[], columns: number): string =>
  wrap(entries, '  ', columns).join('\n');

/** The table as a list: each query with its test, and below it a line for each model. */
function listText({ models, rest, rows }: ModelTable, columns: number): string {
  const titles = [...models, ...rest];
  let test = '';
  const lines = rows.flatMap((row) => {
    if (typeof row === 'string') return [row];
    const [name, query, ...cells] = row;
    test = name === '' ? test : name;
    const shown = cells.flatMap((cell, i) =>
      cell === '' ? [] : cell.split('\n').map((line) => [line, titles[i]]),
    );
    const marks = Math.max(0, ...shown.map(([cell]) => width(cell)));
    return [
      broken(`${test}: ${query}`, ' ', columns),
      ...shown.map(([cell, title]) => `  ${padded(cell, marks)}  ${title}`.trimEnd()),
    ];
  });
  return lines.join('\n');
}

const sum = (widths: readonly number[]): number =>
  widths.reduce((total, w) => total + w, GAP * (widths.length - 1));
