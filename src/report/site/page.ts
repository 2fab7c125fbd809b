import { digest } from 'ohash';
import type { Html } from './html.js';
import { html, raw } from './html.js';

/** What a page consists of. */
export interface Page {
  readonly title: string;
  /** Links to other pages, above the content and out of its way. */
  readonly navigation?: Html;
  readonly main: Html;
  readonly style: string;
  readonly script: string;
  /** Which Remora made it. */
  readonly version: string;
}

/**
 * A page as a file: complete by itself. It forbids the browser to load anything at all, and to run any
 * script but its own, should text from a file ever come to be taken for HTML.
 */
export function pageText({ title, navigation, main, style, script, version }: Page): string {
  const hash = base64(digest(script));
  const policy =
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; ` +
    `img-src data:; base-uri 'none'; form-action 'none'`;
  const sheet = raw(`<style>${style}</style>`);
  const code = raw(`<script>${script}</script>`);
  const page = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${sheet}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${navigation !== undefined && html`<header>${navigation}</header>`}
        <main id="main" tabindex="-1">${main}</main>
        <footer>
          <p>Made by <code>remora report</code>, Remora ${version}.</p>
        </footer>
        ${code}
      </body>
    </html>
  `;
  return `<!doctype html>${page.html}`;
}

/** Base64 of addresses as the base64 of security policies, with padding. */
const base64 = (text: string): string =>
  text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .padEnd(Math.ceil(text.length / 4) * 4, '=');
