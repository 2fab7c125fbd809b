import { isBusy } from './keys.js';

/** The links that keys follow, by what the links are. */
const RELATIONS: Readonly<Partial<Record<string, string>>> = { '[': 'prev', ']': 'next' };

/** To the tests before and after by key; what the index was filtered by goes along, and back. */
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
