import type { Html } from './html.js';
import { html } from './html.js';
import type { PageKind } from './paths.js';
import { linkBetween, scriptOf, styleOf } from './paths.js';

/** The content of a page. */
export interface SitePage {
  readonly title: string;
  readonly kind: PageKind;
  /** Its path in the folder of the site. */
  readonly path: string;
  /** The beginning of the names of files that readers save from it. */
  readonly name?: string;
  /** Links to other pages, above the content. */
  readonly navigation?: Html;
  readonly main: Html;
  /** The version of Remora that made it. */
  readonly version: string;
}

/**
 * Where style sheets and scripts may come from. `file:` is needed, since in some browsers two files never have one
 * origin.
 */
const OWN = `'self' file:`;

/**
 * The text of the file of a page. Its content security policy lets the browser load only the style sheet and the script
 * of the site, and run no script inside the page. So even text of a litmus file that is taken for HTML by mistake does
 * no harm.
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
        ${
          kind !== 'fabrics' &&
          html`<script src="${linkBetween(path, scriptOf(kind))}" defer></script>`
        }
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
