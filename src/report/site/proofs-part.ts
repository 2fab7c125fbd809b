import type { Html } from './html.js';
import { html } from './html.js';
import { linkBetween } from './paths.js';
import type { Findings } from './site.js';

/** Links to the proofs of the verdicts on a query, and how to check them. */
export function proofsPart({ page, proofs, test }: Findings, query: number): Html {
  const own = proofs.filter((proof) => proof.query === query);
  if (own.length === 0) return html``;
  return html`<h3>Proofs</h3>
    <ul class="proofs">
      ${own.map(
        ({ model, path, steps, size }) =>
          html`<li>
            <a href="${linkBetween(page, path)}">under ${model}</a>${
              steps && html` (<a href="${linkBetween(page, steps)}">steps</a>)`
            }:
            ${size}, checked; <code>remora verify ${test.file} ${path}</code> checks it again
          </li>`,
      )}
    </ul>`;
}
