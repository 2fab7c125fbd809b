import { showQuery } from '../../program/print.js';
import { plural } from '../explain-style.js';
import { SIGNS, seenMark } from '../outcome.js';
import type { VerdictCell } from './verdict-cells.js';
import { modelsDiffer } from './verdict-cells.js';
import { isObserved } from './counts.js';
import type { Html } from './html.js';
import { html, raw } from './html.js';
import { verdictMark } from './marks.js';
import { linkBetween, INDEX_PAGE } from './paths.js';
import type { QueryRow } from './site.js';
import { folderId, siteFolderOf, queryId, verdictId } from './site.js';

/** The table of verdicts: folder by folder, a row for each query and a column for each model. */
export function indexTable(rows: readonly QueryRow[], models: readonly string[]): Html {
  const folders = [...new Set(rows.map((row) => siteFolderOf(row.entry)))];
  return html`<table class="outcomes">
      <caption id="outcomes">
        Outcomes: a row for each question, a column for each model; a verdict leads to why it is so
      </caption>
      <thead>
        <tr>
          <th scope="col" class="test">test</th>
          <th scope="col">question</th>
          ${models.map((model) => html`<th scope="col" class="model">${model}</th>`)}
          <th scope="col" class="hardware">on hardware</th>
        </tr>
      </thead>
      ${folders.map((folder, i) =>
        folderPart(
          folder,
          folderId(i),
          rows.filter((row) => siteFolderOf(row.entry) === folder),
          models.length,
        ),
      )}
    </table>
    <p id="none" hidden>No match: no question of this report has all that the filters ask for.</p>`;
}

/** Links to the folders in the table, if there are several. */
export function folderLinks(rows: readonly QueryRow[]): Html | undefined {
  const folders = [...new Set(rows.map((row) => siteFolderOf(row.entry)))];
  if (folders.length < 2) return undefined;
  return html`<nav aria-label="Folders">
    <ul class="folders">
      ${folders.map((folder, i) => html`<li><a href="#${folderId(i)}">${folder}</a></li>`)}
    </ul>
  </nav>`;
}

function folderPart(folder: string, id: string, rows: readonly QueryRow[], models: number): Html {
  const tests = new Set(rows.map((row) => row.entry)).size;
  const departing = rows.filter(({ cells }) => cells.some((cell) => cell.departs)).length;
  return html`<tbody>
    <tr class="folder" id="${id}">
      <th scope="rowgroup" colspan="${models + 3}">
        <h2>${folder}</h2>
        <span class="count">${plural(tests, 'test')}, ${plural(rows.length, 'question')}</span>
        ${departing > 0 && html`<strong class="departure">${SIGNS.departs} ${departing} departing</strong>`}
      </th>
    </tr>
    ${rows.map((row) => rowPart(row, models))}
  </tbody>`;
}

function rowPart(row: QueryRow, models: number): Html {
  const { entry, query, cells } = row;
  const { test, page } = entry;
  const anchor = query === undefined || query === 0 ? '' : queryId(query);
  const name = html`<a href="${linkBetween(INDEX_PAGE, page, anchor)}">${test.name}</a>`;
  const title = (query ?? 0) === 0 && test.title;
  const head = html`<th scope="row">
    ${name}${title && html`<span class="title">${title}</span>`}
  </th>`;
  if (query === undefined) {
    return html`<tr class="row" data-text="${textOf(row)}">
      ${head}
      <td colspan="${models + 2}" class="silent">asks nothing</td>
    </tr>`;
  }
  const { label } = test.queries[query];
  const differ = modelsDiffer(cells);
  const departing = cells.some((c) => c.departs);
  const linkTo = ({ model }: VerdictCell): string =>
    linkBetween(INDEX_PAGE, page, verdictId(query, model));
  const flags = [
    test.question !== undefined ? 'question' : [],
    differ ? 'differ' : [],
    departing ? 'departs' : [],
    cells.some((c) => c.expected?.authority === 'published') ? 'published' : [],
    isObserved(row) ? 'observed' : [],
  ].flat();
  return html`<tr
    class="row ${departing && 'departing'}"
    data-text="${textOf(row)}"
    data-flags="${flags.join(' ')}"
    ${test.models !== undefined && raw('data-client="yes"')}
  >
    ${head}
    <td class="query">
      <code>${showQuery(test.queries[query])}</code>
      ${label !== undefined && html`<span class="title">${label}</span>`}
      ${departing && html`<strong class="departure">${SIGNS.departs} departs</strong>`}
      ${differ && html`<span class="differ">≠ models differ</span>`}
    </td>
    ${
      test.models === undefined
        ? cells.map((cell) => cellPart(cell, linkTo(cell)))
        : clientPart(cells, models, linkTo)
    }
    <td class="hardware">${seenPart(row)}</td>
  </tr>`;
}

/** The verdicts on a client, each with the libraries that decide it, in one cell across the columns of models. */
function clientPart(
  cells: readonly VerdictCell[],
  columns: number,
  linkTo: (cell: VerdictCell) => string,
): Html {
  const verdicts = cells.map(
    (cell) =>
      html`<div data-outcome="${cell.outcome}">
        ${verdictPart(cell, linkTo(cell))}
        <span class="title">with ${cell.model}</span>
      </div>`,
  );
  return html`<td colspan="${columns}">${verdicts}</td>`;
}

/** The cell of a verdict. It also names the model, which is only shown if there is no room for columns. */
function cellPart(cell: VerdictCell, link: string): Html {
  const { outcome, model } = cell;
  if (outcome === 'not asked')
    return html`<td class="idle" data-outcome=""><span class="unseen">not asked</span></td>`;
  return html`<td data-outcome="${outcome}" data-model="${model}">${verdictPart(cell, link)}</td>`;
}

const verdictPart = (cell: VerdictCell, link: string): Html =>
  html`<a class="why" href="${link}">${verdictMark(cell)}</a>${
      cell.departs && html`<span class="instead">${instead(cell.expected)}</span>`
    }`;

function instead(expected: VerdictCell['expected']): string {
  if (expected === undefined) return '';
  const how = { published: 'published', computed: 'expected', claim: 'claimed' };
  return `${how[expected.authority]}: ${expected.verdict}`;
}

function seenPart({ entry, query }: QueryRow): Html | undefined {
  if (query === undefined) return undefined;
  const seen = entry.test.queries[query].observations.map((o) => o.seen);
  return html`${[...new Set(seen)].map((yes) =>
    yes
      ? html`<span class="seen"><span aria-hidden="true">${seenMark(yes)}</span> seen</span>`
      : html`<span class="seen"><span aria-hidden="true">${seenMark(yes)}</span> not seen</span>`,
  )}`;
}

/** The text of a row that the search looks at. */
function textOf({ entry: { test }, query }: QueryRow): string {
  const { name, title, question, source, file, queries } = test;
  const own = query === undefined ? [] : [showQuery(queries[query]), queries[query].label];
  return [name, title, ...own, question, source, file]
    .filter((text) => text !== undefined)
    .join(' ')
    .toLowerCase();
}
