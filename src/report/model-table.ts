import { wrap } from './explain-style.js';
import { shortNames } from './short-names.js';
import type { TableRow } from './table.js';
import { GAP, broken, columnWidths, padded, tableText, width } from './table.js';

/** A table with a row a query and a column a model. */
export interface ModelTable {
  readonly models: readonly string[];
  /** Heads of the models, which may have several lines. */
  readonly heads: readonly string[];
  /** Heads of what stands behind the models. */
  readonly rest: readonly string[];
  /** The test's name, the query, a cell a model, and the rest; or a text across all columns. */
  readonly rows: readonly TableRow[];
}

/** Columns of a terminal that a table takes at the least: there is a list on narrower ones. */
const NARROWEST = 60;

/** What the names of tests and the queries together need at the least. */
const LEAST_ROOM = 20;

/** The part of this room that the names of tests have at the least, if they need it. */
const NAMES = 0.45;

/**
 * A table that fits a terminal. Where it is too wide, models get short heads, which a line below
 * tells, then names and queries are broken; and where there is no room for that, it becomes a list.
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

/** What signs mean, in lines that fit a terminal. */
export const tableLegend = (entries: readonly string[], columns: number): string =>
  wrap(entries, '  ', columns).join('\n');

/** A list: each query with its test, then a line a model. */
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
