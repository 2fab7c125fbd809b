import { rows, table } from './index-table.js';

/** If a table of several folders has at least this many rows, its folders are closed at first. */
const MANY = 50;

/** The folders of the table, which open and close. A short table has none. */
export const folders: readonly HTMLTableSectionElement[] =
  table.tBodies.length > 1 && rows.length >= MANY ? [...table.tBodies] : [];

export const isFolded = (folder: HTMLElement): boolean => folder.classList.contains('folded');

/** Closes or opens a folder. While rows are filtered, those that match are visible even in a closed folder. */
export function fold(folder: HTMLElement, closed: boolean): void {
  folder.classList.toggle('folded', closed);
  folder.querySelector('h2 button')!.setAttribute('aria-expanded', String(!closed));
}

/** Lets readers open and close folders, and closes all of them. Calls `changed` whenever a reader opens or closes one. */
export function startFolding(changed: () => void): void {
  for (const folder of folders) {
    buttonIn(folder.querySelector('h2')!).addEventListener('click', () => {
      fold(folder, !isFolded(folder));
      changed();
    });
    fold(folder, true);
  }
}

/** Puts the text of an element into a button inside of it. */
export function buttonIn(element: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = element.textContent;
  element.textContent = '';
  element.appendChild(button);
  return button;
}

/** Shows the element with an id: opens its folder, and scrolls to it. */
export function reveal(id: string): void {
  const target = document.getElementById(id);
  if (target === null) return;
  if (target instanceof HTMLDetailsElement) target.open = true;
  if (folders.length > 0 && target.localName === 'tr') fold(target.parentElement!, false);
  target.scrollIntoView();
}
