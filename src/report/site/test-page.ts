import type { Explanation } from '../../analyses/explain/explanation.js';
import type { Test } from '../../program/program.js';
import { showQuery } from '../../program/print.js';

import type { VerdictCell } from './verdict-cells.js';
import { asPublished } from './verdict-cells.js';
import { contrastPart } from './contrast-part.js';
import { explanationPart } from './explanation-part.js';
import type { ModelGroup } from './groups.js';
import { contrastsOf, groupsOf } from './groups.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { verdictMark } from './marks.js';
import { pageText } from './page.js';
import { INDEX_PAGE, harmless, linkBetween } from './paths.js';
import type { Packer } from './picture.js';
import { Album } from './picture.js';
import { proofsPart } from './proofs-part.js';
import { programTable } from './program-table.js';
import { isC } from '../../program/read.js';
import type { RunGroup } from './run-part.js';
import { runGroupsOf, runPart } from './run-part.js';
import type { Findings, Neighbour, PageSite } from './site.js';
import { LEGEND, modelsOfSite, queryId, rowsOf, verdictId } from './site.js';
import { observedPart, verdictTable } from './verdict-table.js';

/** The page of a test: its program, and its verdicts, with explanations. */
export function testPage(of: PageSite, findings: Findings, pack: Packer): string {
  const { test, text, records } = findings;
  const site = { ...of, models: modelsOfSite(test, records, of.models) };
  const rows = rowsOf(findings, records, site.models);
  const album = new Album();
  const questions = test.queries.map((_, q) =>
    questionPart(site, findings, q, rows[q].cells, album),
  );
  const main = html`${headPart(findings)}
    <section aria-labelledby="program">
      <h2 id="program">Program</h2>
      ${programTable(test, text)}
      <details class="file">
        <summary>The ${isC(test.file) ? 'C' : 'litmus'} file</summary>
        <pre>${text}</pre>
      </details>
    </section>
    ${test.queries.length > 1 && overview(findings, site.models, rows)}
    ${test.queries.length > 0 && marksLink(findings.page)}${questions}${
      test.queries.length === 0 && html`<p>This file asks nothing.</p>`
    }
    ${aroundPart(site, findings.page, 'Tests before and after')} ${album.packed(pack)}`;
  return pageText({
    title: `${test.name} – ${site.name}`,
    kind: 'test',
    path: findings.page,
    name: harmless(test.name),
    navigation: aroundPart(site, findings.page, 'All tests'),
    main,
    version: site.version,
  });
}

const marksLink = (page: string): Html =>
  html`<p><a href="${linkBetween(page, INDEX_PAGE, LEGEND)}">What the marks mean</a></p>`;

/** Links back to the index, and to the tests before and after. */
function aroundPart(
  { folder, folderId, before, after }: PageSite,
  page: string,
  label: string,
): Html {
  return html`<nav aria-label="${label}">
    <span class="up"
      ><a href="${linkBetween(page, INDEX_PAGE)}">All tests</a> ›
      <a href="${linkBetween(page, INDEX_PAGE, folderId)}">${folder}</a></span
    >
    <span class="around">
      ${before !== undefined && around(page, before, 'prev')}
      ${after !== undefined && around(page, after, 'next')}
    </span>
  </nav>`;
}

function around(from: string, { page, name }: Neighbour, which: 'prev' | 'next'): Html {
  const [left, right, key] = which === 'prev' ? ['← ', '', '['] : ['', ' →', ']'];
  const word = which === 'prev' ? 'previous' : 'next';
  return html`<span>
    <a rel="${which}" href="${linkBetween(from, page)}" aria-keyshortcuts="${key}"
      >${left}<span class="unseen">${word}: </span>${name}${right}</a
    >
    <kbd title="key for the ${word} test">${key}</kbd>
  </span>`;
}

function headPart({ test }: Findings): Html {
  const { name, title, question, source, notes, file, program } = test;
  const bound = program.bound === undefined ? [] : [`loops are unrolled ${program.bound} times`];
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ['Question', question === undefined ? [] : [question]],
    ['Note', notes],
    ['Source', source === undefined ? [] : [source]],
    ['Bound', bound],
    ['File', [file]],
  ];
  return html`<h1>${name}</h1>
    ${title !== undefined && html`<p class="title">${title}</p>`}
    <dl class="facts">
      ${facts
        .filter(([, texts]) => texts.length > 0)
        .map(
          ([what, texts]) =>
            html`<div>
              <dt>${what}</dt>
              ${texts.map((one) => html`<dd>${one}</dd>`)}
            </div>`,
        )}
    </dl>`;
}

/** A table of all queries of a test, if there are several. */
function overview(
  { test }: Findings,
  models: readonly string[],
  rows: readonly { readonly cells: readonly VerdictCell[] }[],
): Html {
  const asked = models.filter((_, m) => rows.some(({ cells }) => cells[m].outcome !== 'not asked'));
  return html`<section aria-labelledby="overview">
    <h2 id="overview">Questions</h2>
    <div class="scroll">
      <table class="overview">
        <caption class="unseen">
          The questions of this test and their verdicts
        </caption>
        <thead>
          <tr>
            <th scope="col">question</th>
            ${asked.map((model) => html`<th scope="col">${model}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ cells }, q) =>
              html`<tr>
                <th scope="row">
                  <a href="#${queryId(q)}"><code>${showQuery(test.queries[q])}</code></a>
                </th>
                ${cells
                  .filter((c) => asked.includes(c.model))
                  .map(
                    (c) =>
                      html`<td>
                        ${
                          c.outcome === 'not asked'
                            ? verdictMark(c)
                            : html`<a
                                class="why"
                                href="#${encodeURIComponent(verdictId(q, c.model))}"
                                >${verdictMark(c)}</a
                              >`
                        }
                      </td>`,
                  )}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

/** A query, its verdicts, and why they are what they are. */
function questionPart(
  { models: all }: PageSite,
  findings: Findings,
  q: number,
  cells: readonly VerdictCell[],
  album: Album,
): Html {
  const { test, explanations } = findings;
  const query = test.queries[q];
  const id = queryId(q);
  const explanation = explanations[q];
  const published = cells.filter(asPublished).map((cell) => cell.model);
  const groups = groupsOf(explanation, all, published);
  const runs = runGroupsOf(cells);
  const explained = new Set([...groups, ...runs].flatMap(({ models }) => models));
  return html`<section class="question" aria-labelledby="${id}">
    <h2 id="${id}"><code>${showQuery(query)}</code></h2>
    ${query.label !== undefined && html`<p class="title">${query.label}</p>`}
    ${verdictTable(
      cells,
      (model) => verdictId(q, model),
      (model) => explained.has(model),
    )}
    ${observedPart(query)} ${whyPart(explanation, groups, q, album)}
    ${runsPart(runs, test, q, album)} ${proofsPart(findings, q)}
    ${differencesPart(explanation, all, id, album)}
  </section>`;
}

const groupId = (query: number, group: number): string => `${queryId(query)}-why-${group + 1}`;

/** The anchors to which the verdicts of models are linked. */
const anchorsOf = (query: number, models: readonly string[]): Html =>
  html`${models.map((model) => html`<span id="${verdictId(query, model)}" class="anchor"></span>`)}`;

function whyPart(
  explanation: Explanation,
  groups: readonly ModelGroup[],
  q: number,
  album: Album,
): Html {
  const { unfinished } = explanation;
  if (groups.length === 0 && unfinished === undefined) return html``;
  const parts = groups.map((group, i) =>
    explanationPart(group, {
      id: groupId(q, i),
      anchors: anchorsOf(q, group.models),
      album,
      open: i === 0,
    }),
  );
  return html`<h3>Why</h3>
    ${parts}${unfinished !== undefined && html`<p class="unfinished">Not explained: ${unfinished}</p>`}`;
}

/** The runs that show the answers to a query about runs. Such a query has no explanations, but these. */
function runsPart(
  runs: readonly RunGroup[],
  { program, queries }: Test,
  q: number,
  album: Album,
): Html {
  if (runs.length === 0) return html``;
  return html`<h3>Why</h3>
    ${runs.map((run, i) =>
      runPart(run, program, queries[q], {
        id: groupId(q, i),
        anchors: anchorsOf(q, run.models),
        album,
        open: i === 0,
      }),
    )}`;
}

function differencesPart(
  explanation: Explanation,
  models: readonly string[],
  id: string,
  album: Album,
): Html {
  const contrasts = contrastsOf(explanation, models);
  if (contrasts.length === 0) return html``;
  const parts = contrasts.map((c, i) =>
    contrastPart(c, explanation, { id: `${id}-differ-${i + 1}`, album, open: i === 0 }),
  );
  return html`<h3>Where models differ</h3>
    ${parts}`;
}
