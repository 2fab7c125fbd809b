// The script of the index: filters, folders, sorting. Its state is in the address, so that links and bookmarks keep it.
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

/** Adds the state to a link to the page of a test, so that the way back leads to the same state. */
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
  // The browser empties the fields only after this event.
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
