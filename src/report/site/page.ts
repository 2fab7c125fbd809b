import type { Html } from './html.js';
import { html } from './html.js';
import type { PageKind } from './paths.js';
import { linkBetween, scriptOf, styleOf } from './paths.js';

/** What a page consists of. */
export interface SitePage {
  readonly title: string;
  readonly kind: PageKind;
  /** From the site's folder. */
  readonly path: string;
  /** What the names of files that are saved from it begin with. */
  readonly name?: string;
  /** Links to other pages, above the content and out of its way. */
  readonly navigation?: Html;
  readonly main: Html;
  /** Which Remora made it. */
  readonly version: string;
}

/** Where style sheets and scripts of a site may come from: browsers do not agree whether a file is of the same origin as its neighbour. */
const OWN = `'self' file:`;

/**
 * A page as a file. It has its style sheet and its script from the site, and forbids the browser to load anything else, and to run
 * any script that stands in it, should text from a file ever come to be taken for HTML.
 */
export function pageText({ title, kind, path, name, navigation, main, version }: SitePage): string {
  const policy =
    `default-src 'none'; style-src ${OWN} 'unsafe-inline'; script-src ${OWN}; ` +
    `img-src data:; base-uri 'none'; form-action 'none'`;
  const page = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${linkBetween(path, styleOf(kind))}" />
        <script src="${linkBetween(path, scriptOf(kind))}" defer></script>
      </head>
      <body${name !== undefined && html` data-name="${name}"`}>
        <a class="skip" href="#main">Skip to the content</a>
        ${navigation !== undefined && html`<header>${navigation}</header>`}
        <main id="main" tabindex="-1">${main}</main>
        <footer>
          <p>Made by <code>remora report</code>, Remora ${version}.</p>
        </footer>
      </body>
    </html>
  `;
  return `<!doctype html>${page.html}`;
}
