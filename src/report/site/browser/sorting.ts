import { buttonIn } from './folding.js';
import type { Row } from './index-table.js';
import { rows, table } from './index-table.js';

const heads = [...table.tHead!.rows[0].cells];
const names = heads.map((head) => head.textContent);

/** The part of the table that has all rows while they are sorted. Their folders are empty then. */
const together = document.createElement('tbody');

/** The head of the column by which rows are sorted, after `-` if they descend. Empty if rows are in their folders. */
let sorted = '';
export const sortedBy = (): string => sorted;

/**
 * Lets readers sort by a column: up, then down, then back to folders. Calls `changed` whenever a reader does.
 */
export function startSorting(changed: () => void): void {
  table.insertBefore(together, table.tBodies[0]);
  for (const { row, home } of rows) {
    row.cells[0].dataset.folder = home.querySelector('h2')!.textContent;
  }
  heads.forEach((head, i) => {
    buttonIn(head).addEventListener('click', () => {
      sort(sorted === names[i] ? `-${names[i]}` : sorted === `-${names[i]}` ? '' : names[i]);
      changed();
    });
  });
}

/** Sorts rows. The argument is as `sortedBy` gives it. */
export function sort(by: string): void {
  const down = by.startsWith('-');
  const column = names.indexOf(by.slice(down ? 1 : 0));
  sorted = column < 0 ? '' : by;
  heads.forEach((head, i) => {
    if (i === column) head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  });
  for (const { row, home } of inOrder(column, down ? -1 : 1)) {
    (sorted === '' ? home : together).appendChild(row);
  }
  table.classList.toggle('sorted', sorted !== '');
  const folders = document.querySelector<HTMLElement>('.folders');
  if (folders !== null) folders.hidden = sorted !== '';
}

/**
 * The rows in the order of their texts in a column: ascending for 1, descending for -1. Rows without a text are always
 * last.
 */
function inOrder(column: number, direction: 1 | -1): readonly Row[] {
  const keys = rows.map((row) => (column < 0 ? '' : keyOf(row, column)));
  return [...rows].sort((a, b) => {
    const [x, y] = [keys[a.place], keys[b.place]];
    if (x === y) return a.place - b.place;
    if (x === '' || y === '') return x === '' ? 1 : -1;
    return (x < y ? -1 : 1) * direction;
  });
}

function keyOf({ row, isClient, outcomes }: Row, column: number): string {
  const last = names.length - 1;
  if (column > 1 && column < last) return isClient ? '' : (outcomes[column - 2] ?? '');
  const cell = column === last ? row.querySelector('td.hardware') : row.cells[column];
  return (cell?.textContent ?? '').trim().toLowerCase();
}
