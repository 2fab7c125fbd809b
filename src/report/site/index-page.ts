import type { Outcome } from '../outcome.js';
import { wordFor } from '../outcome.js';
import type { VerdictCell } from './verdict-cells.js';
import type { CorpusCounts } from './counts.js';
import { countsOf } from './counts.js';
import { filtersPart } from './filters-part.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { folderLinks, indexTable } from './index-table.js';
import { legendPart } from './legend-part.js';
import { plainMark } from './marks.js';
import { pageText } from './page.js';
import { FABRICS_PAGE, INDEX_PAGE, linkBetween } from './paths.js';
import type { QueryRow, Site } from './site.js';
import { verdictId } from './site.js';
import { showQuery } from '../../program/print.js';

/** The index of a site: the table of all verdicts, and above it what to look at first. */
export function indexPage(
  site: Site,
  rows: readonly QueryRow[],
  unread: readonly string[],
): string {
  const { name, models, fabrics } = site;
  const counts = countsOf(rows, models);
  const main = html`<h1>Outcomes of ${name}</h1>
    ${fabrics.length > 0 && fabricsLink()} ${countsPart(counts)} ${attentionPart(rows)}
    ${unreadPart(unread)} ${legendPart()}
    ${filtersPart(counts.questions, models, outcomesOf(counts))} ${folderLinks(rows)}
    ${indexTable(rows, models)}`;
  return pageText({
    title: `Outcomes of ${name}`,
    kind: 'index',
    path: INDEX_PAGE,
    main,
    version: site.version,
  });
}

const fabricsLink = (): Html =>
  html`<p><a href="${linkBetween(INDEX_PAGE, FABRICS_PAGE)}">On which fabrics is it safe?</a></p>`;

function countsPart(counts: CorpusCounts): Html {
  const { tests, questions, verdicts, published, departing, undecided, differing, observed } =
    counts;
  const outcomes = outcomesOf(counts);
  return html`<ul class="counts">
      <li>
        <b>${tests}</b> ${tests === 1 ? 'test' : 'tests'},
        <b>${questions}</b> ${questions === 1 ? 'question' : 'questions'}, <b>${verdicts}</b>
        ${verdicts === 1 ? 'verdict' : 'verdicts'}
      </li>
      <li><b>${published}</b> as published</li>
      <li class="${departing > 0 && 'departure'}">
        <b>${departing > 0 && '! '}${departing}</b> ${departing === 1 ? 'departs' : 'depart'} from
        the files
      </li>
      <li><b>${undecided}</b> undecided</li>
      <li>
        <b>${differing}</b> ${differing === 1 ? 'question' : 'questions'} on which models differ
      </li>
      <li><b>${observed}</b> ${observed === 1 ? 'question' : 'questions'} asked of hardware</li>
    </ul>
    <details class="by-model">
      <summary>Counts for each model</summary>
      <div class="scroll">
        <table>
          <caption class="unseen">
            How often each model gives each verdict
          </caption>
          <thead>
            <tr>
              <th scope="col">model</th>
              ${outcomes.map((outcome) => html`<th scope="col">${wordFor(outcome)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${counts.byModel.map(
              ({ model, outcomes: of }) =>
                html`<tr>
                  <th scope="row">${model}</th>
                  ${outcomes.map((outcome) => html`<td class="number">${of.get(outcome) ?? 0}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`;
}

const ALL: readonly Outcome[] = [
  'allowed',
  'forbidden',
  'holds',
  'fails',
  'vacuous',
  'unknown',
  'untranslatable',
];

/** The outcomes that occur in the table. */
function outcomesOf({ byModel }: CorpusCounts): readonly Outcome[] {
  return ALL.filter((outcome) => byModel.some(({ outcomes }) => outcomes.has(outcome)));
}

/** The verdicts that depart from the files, and those that are unknown or vacuous. */
function attentionPart(rows: readonly QueryRow[]): Html | undefined {
  const cells = rows.flatMap((row) => row.cells.map((cell) => ({ row, cell })));
  const departing = cells.filter(({ cell }) => cell.departs);
  const open = cells.filter(({ cell }) => !cell.departs && OPEN.includes(cell.outcome));
  if (departing.length + open.length === 0) return undefined;
  return html`<section class="attention" aria-labelledby="attention">
    <h2 id="attention">To look at</h2>
    <ul>
      ${[...departing, ...open].map(({ row, cell }) => html`<li>${attention(row, cell)}</li>`)}
    </ul>
  </section>`;
}

const OPEN: readonly Outcome[] = ['unknown', 'vacuous'];

function attention({ entry: { test, page }, query = 0 }: QueryRow, cell: VerdictCell): Html {
  const { model, expected, departs, answer, note, outcome } = cell;
  const link = html`<a href="${linkBetween(INDEX_PAGE, page, verdictId(query, cell.model))}"
    >${test.name}: <code>${showQuery(test.queries[query])}</code></a
  >`;
  const reason = answer?.reason ?? (outcome === 'untranslatable' ? note : undefined);
  const why = reason === undefined ? '' : ` (${reason})`;
  const mark = plainMark(outcome);
  if (!departs || expected === undefined) return html`${link} under ${model}: ${mark}${why}`;
  const { authority, verdict, where } = expected;
  const how = { published: 'published as', computed: 'expected', claim: 'claimed' }[authority];
  const source = where === undefined ? '' : ` (${where})`;
  return html`${link} under ${model}: ${mark}${why}, but ${how} <b>${verdict}</b>${source}`;
}

function unreadPart(unread: readonly string[]): Html | undefined {
  if (unread.length === 0) return undefined;
  return html`<section class="attention" aria-labelledby="unread">
    <h2 id="unread">Not in this report</h2>
    <p>What could not be read:</p>
    ${unread.map((error) => html`<pre>${error}</pre>`)}
  </section>`;
}
