import { isBusy } from './keys.js';

/** The keys that follow links, with the `rel` of the link. */
const RELATIONS: Readonly<Partial<Record<string, string>>> = { '[': 'prev', ']': 'next' };

/**
 * Lets keys lead to the tests before and after. Links keep the filters of the index in the address, so that they are
 * still set on the way back.
 */
export function goByKey(): void {
  addEventListener('keydown', (event) => {
    const relation = RELATIONS[event.key];
    if (relation === undefined || isBusy(event)) return;
    document.querySelector<HTMLAnchorElement>(`a[rel=${relation}]`)?.click();
  });
  if (location.search.length <= 1) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a')) {
    if (link.rel) {
      link.search = location.search;
      continue;
    }
    const place = link.hash.slice(1);
    link.hash = `#${location.search}${place ? `&at=${place}` : ''}`;
  }
}
