import { rows, table } from './index-table.js';

/** From how many rows on a table of several folders begins with its folders closed. */
const MANY = 50;

/** The parts of the table that open and close: its folders. None where the table is short. */
export const folders: readonly HTMLTableSectionElement[] =
  table.tBodies.length > 1 && rows.length >= MANY ? [...table.tBodies] : [];

export const isFolded = (folder: HTMLElement): boolean => folder.classList.contains('folded');

/** Closes a folder, or opens it. While something is filtered, what matches is there, whatever its folder. */
export function fold(folder: HTMLElement, closed: boolean): void {
  folder.classList.toggle('folded', closed);
  folder.querySelector('h2 button')!.setAttribute('aria-expanded', String(!closed));
}

/** Makes folders open and close, and closes them. Calls back when somebody opens or closes one. */
export function startFolding(changed: () => void): void {
  for (const folder of folders) {
    buttonIn(folder.querySelector('h2')!).addEventListener('click', () => {
      fold(folder, !isFolded(folder));
      changed();
    });
    fold(folder, true);
  }
}

/** Makes the text of an element that of a button in it. */
export function buttonIn(element: HTMLElement): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = element.textContent;
  element.textContent = '';
  element.appendChild(button);
  return button;
}

/** Shows what has an id. */
export function reveal(id: string): void {
  const target = document.getElementById(id);
  if (target === null) return;
  if (target instanceof HTMLDetailsElement) target.open = true;
  if (folders.length > 0 && target.localName === 'tr') fold(target.parentElement!, false);
  target.scrollIntoView();
}
