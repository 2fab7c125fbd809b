import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { ALL } from '../support/random.js';
import { ROOT } from '../support/run.js';

/** Every link of the built site leads to a page of it, and to a place there; or to another host. */

const SITE = join(ROOT, 'site');

const pages = readdirSync(SITE, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.html'));

const textOf = (path: string): string => readFileSync(join(SITE, path), 'utf8');

const unescaped = (text: string): string =>
  text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");

/** Where links of a page lead: a file of the site, and a place in it. */
function linksOf(page: string): readonly (readonly [link: string, path: string, place: string])[] {
  // What a script writes is no link yet.
  const text = textOf(page).replaceAll(/<script\b[^]*?<\/script>/g, '');
  const links = [...text.matchAll(/<(?:a|link|img|script|iframe)\b[^>]*? (?:href|src)="([^"]*)"/g)];
  return [...new Set(links.map(([, link]) => unescaped(link)))]
    .filter((link) => !/^(?:https?|mailto|data|javascript):/.test(link))
    .map((link) => {
      const { pathname, hash } = new URL(link, `http://site/${page}`);
      const path = decodeURIComponent(pathname).slice(1);
      return [link, path, decodeURIComponent(hash.slice(1))] as const;
    });
}

/** The file that a host sends for a path. */
function fileOf(path: string): string | undefined {
  const at = (name: string): boolean =>
    existsSync(join(SITE, name)) && statSync(join(SITE, name)).isFile();
  return [path, posix.join(path, 'index.html'), `${path}.html`].find(at);
}

const places = new Map<string, ReadonlySet<string>>();

function placesOf(page: string): ReadonlySet<string> {
  const known = places.get(page);
  if (known !== undefined) return known;
  const ids = [...textOf(page).matchAll(/ (?:id|name)="([^"]*)"/g)].map(([, id]) => unescaped(id));
  const found = new Set(ids);
  places.set(page, found);
  return found;
}

test('no link of the site is dead', () => {
  expect(pages.length).toBeGreaterThan(ALL ? 500 : 50);
  const dead = pages.flatMap((page) =>
    linksOf(page).flatMap(([link, path, place]) => {
      const file = fileOf(path);
      if (file === undefined) return [`${page}: ${link}`];
      // What stands behind # in the playground's address is a question.
      const isKnown = place === '' || file.startsWith('play/') || placesOf(file).has(place);
      return isKnown ? [] : [`${page}: ${link} (no such place)`];
    }),
  );
  expect(dead).toEqual([]);
});
