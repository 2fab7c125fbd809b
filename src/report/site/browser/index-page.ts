// The script of the index: its filters, folders and columns. What they are set to is in the address, and goes along to the pages of tests.
import { apply, fieldOf, form } from './filters.js';
import { startFolding } from './folding.js';
import { table } from './index-table.js';
import { isBusy } from './keys.js';
import { unfoldForPrint } from './printing.js';
import { keepReachable } from './reaching.js';
import { sort, startSorting } from './sorting.js';
import { keepState, restoreState, state } from './state.js';

const change = (): void => {
  apply();
  keepState();
};

/** Lets a link to the page of a test take the state along. */
const carry = (event: Event): void => {
  const link = (event.target as Partial<Element>).closest?.('a');
  if (link && table.contains(link)) link.search = state();
};

unfoldForPrint();
keepReachable();
startFolding(change);
startSorting(change);
addEventListener('click', carry, true);
addEventListener('auxclick', carry, true);
form.addEventListener('input', change);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => {
  sort('');
  // The fields are emptied after this event.
  setTimeout(change);
});
addEventListener('hashchange', restoreState);
addEventListener('pageshow', () => {
  restoreState();
  apply();
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || isBusy(event)) return;
  event.preventDefault();
  const text = fieldOf('text') as HTMLInputElement;
  text.focus();
  text.select();
});
form.hidden = false;
restoreState();
apply();
