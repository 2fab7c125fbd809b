import { FIELDS, apply, boxes, fieldOf } from './filters.js';
import { fold, folders, isFolded, reveal } from './folding.js';
import { sort, sortedBy } from './sorting.js';

/** The state of the index as text for addresses: after `#?` in that of the index, and after `?` in those of tests. */
export function state(): string {
  const all = new URLSearchParams();
  for (const name of FIELDS) if (fieldOf(name).value) all.set(name, fieldOf(name).value);
  for (const { checked, value } of boxes) if (checked) all.append('only', value);
  if (sortedBy() !== '') all.set('sort', sortedBy());
  for (const folder of folders) if (!isFolded(folder)) all.append('open', idOf(folder));
  return all.toString();
}

const idOf = (folder: HTMLTableSectionElement): string => folder.rows[0].id;

/** Writes the state into the address. */
export function keepState(): void {
  const text = state();
  history.replaceState(null, '', location.href.split('#')[0] + (text && `#?${text}`));
}

/** Sets the index to the state in the address; or, if the address names an element, shows that. */
export function restoreState(): void {
  const { hash } = location;
  if (hash && !hash.startsWith('#?')) return reveal(decodeURIComponent(hash.slice(1)));
  const all = new URLSearchParams(hash.slice(2));
  for (const name of FIELDS) {
    const field = fieldOf(name);
    field.value = all.get(name) ?? '';
    // The address may name a choice that does not exist.
    if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.value = '';
  }
  const [only, open] = [all.getAll('only'), all.getAll('open')];
  for (const box of boxes) box.checked = only.includes(box.value);
  for (const folder of folders) fold(folder, !open.includes(idOf(folder)));
  const by = all.get('sort') ?? '';
  if (by !== sortedBy()) sort(by);
  apply();
  reveal(all.get('at') ?? '');
}
