import { showQuery } from '../../program/print.js';
import type { FabricRow, OnFabric } from '../fabric-rows.js';
import {
  assumedFor,
  isOnFabricLimited,
  outcomeOn,
  weakestCell,
  withoutStart,
} from '../fabric-rows.js';
import { LISTED, MARKS, SIGNS, wordFor } from '../outcome.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { plainMark } from './marks.js';
import { pageText } from './page.js';
import { FABRICS_PAGE, INDEX_PAGE, linkBetween } from './paths.js';
import type { Site, SiteEntry } from './site.js';
import { queryId, siteFolderOf, verdictId } from './site.js';

/** A test, and what is found of its queries on all fabrics. */
export interface OnFabrics {
  readonly entry: SiteEntry;
  readonly rows: readonly FabricRow[];
}

/** The page that says on which fabrics programs are safe: a row for each query, a column for each fabric. */
export function fabricsPage(site: Site, tests: readonly OnFabrics[]): string {
  const title = 'On which fabrics is it safe?';
  const folders = [...new Set(tests.map(({ entry }) => siteFolderOf(entry)))];
  const main = html`<h1>${title}</h1>
    ${introduction(site)} ${summary(tests.flatMap(({ rows }) => rows))} ${legend(tests)}
    <table class="outcomes">
      <caption>
        A row for each question, a column for each fabric
      </caption>
      <thead>
        <tr>
          <th scope="col" class="test">test</th>
          <th scope="col">question</th>
          ${site.fabrics.map(({ name }) => html`<th scope="col" class="model">${name}</th>`)}
          <th scope="col" class="weakest">weakest on which it is safe</th>
        </tr>
      </thead>
      ${folders.map((folder) =>
        folderPart(
          site,
          folder,
          tests.filter(({ entry }) => siteFolderOf(entry) === folder),
        ),
      )}
    </table>`;
  return pageText({
    title: `${title} – ${site.name}`,
    kind: 'fabrics',
    path: FABRICS_PAGE,
    navigation: html`<a href="${linkBetween(FABRICS_PAGE, INDEX_PAGE)}">All tests</a>`,
    main,
    version: site.version,
  });
}

function introduction({ fabrics }: Site): Html {
  const titles = withoutStart(new Map(fabrics.map(({ name, title }) => [name, title])));
  return html`<p>
      A program is safe on a fabric if what a question asks about cannot happen there. What is safe
      on a fabric, is safe on all that order more. The names of tests lead to their pages.
    </p>
    <details>
      <summary>The fabrics</summary>
      <ul>
        ${[...titles].map(([name, title]) => html`<li><code>${name}</code>: ${title}</li>`)}
      </ul>
    </details>`;
}

function summary(rows: readonly FabricRow[]): Html {
  const weakest = rows.map(weakestCell);
  const count = (which: string): number => weakest.filter((one) => one === which).length;
  return html`<ul class="counts">
    <li><b>${rows.length}</b> ${rows.length === 1 ? 'question' : 'questions'}</li>
    <li><b>${count('all')}</b> safe on all fabrics</li>
    <li><b>${count('none')}</b> on none</li>
  </ul>`;
}

/** The marks that are there, in words. */
function legend(tests: readonly OnFabrics[]): Html {
  const all = tests.flatMap(({ rows }) => rows.flatMap(({ on }) => on));
  const seen = new Set(all.map(outcomeOn));
  return html`<p>
    ${LISTED.filter((outcome) => seen.has(outcome)).map((outcome) => html`${plainMark(outcome)} `)}
    ${
      all.some(isOnFabricLimited) &&
      html`<b>${SIGNS.bounded}</b> for some runs only, which the page of the test names`
    }
  </p>`;
}

function folderPart(site: Site, folder: string, tests: readonly OnFabrics[]): Html {
  return html`<tbody>
    <tr class="folder">
      <th scope="rowgroup" colspan="${site.fabrics.length + 3}"><h2>${folder}</h2></th>
    </tr>
    ${tests.flatMap(({ entry, rows }) => rows.map((row) => rowPart(site, entry, row)))}
  </tbody>`;
}

function rowPart(site: Site, { test, page }: SiteEntry, row: FabricRow): Html {
  const { query, on } = row;
  const { label } = test.queries[query];
  const anchor = query === 0 ? '' : queryId(query);
  return html`<tr class="row">
    <th scope="row">
      <a href="${linkBetween(FABRICS_PAGE, page, anchor)}">${test.name}</a>
      ${query === 0 && test.title !== undefined && html`<span class="title">${test.title}</span>`}
    </th>
    <td class="query">
      <code>${showQuery(test.queries[query])}</code>
      ${label !== undefined && html`<span class="title">${label}</span>`}
      ${assumedFor(row).map((line) => html`<span class="title">if ${line}</span>`)}
    </td>
    ${on.map((one, i) => {
      const { explained } = site.fabrics[i];
      const link = linkBetween(FABRICS_PAGE, page, verdictId(query, one.model));
      const mark = markPart(one);
      return html`<td data-model="${one.model}">
        ${explained ? html`<a class="why" href="${link}">${mark}</a>` : mark}
      </td>`;
    })}
    <td class="weakest">${weakestCell(row)}</td>
  </tr>`;
}

/** A mark alone, so that all fabrics are beside each other; its word is for those who hear it. */
function markPart(one: OnFabric): Html {
  const outcome = outcomeOn(one);
  const limited = isOnFabricLimited(one);
  return html`<span class="verdict ${outcome}"
    ><span class="mark" aria-hidden="true">${MARKS[outcome]}${limited && SIGNS.bounded}</span
    ><span class="unseen">${wordFor(outcome)}${limited && ', for some runs only'}</span></span
  >`;
}
