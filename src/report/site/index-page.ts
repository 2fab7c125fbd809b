import { plural } from '../explain-style.js';
import type { Outcome } from '../outcome.js';
import { SIGNS, seenText, wordFor } from '../outcome.js';
import type { VerdictCell } from './verdict-cells.js';
import type { CorpusCounts } from './counts.js';
import { countsOf } from './counts.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { folderLinks, indexTable } from './index-table.js';
import { plainMark, verdictMark } from './marks.js';
import { pageText } from './page.js';
import { INDEX, linkBetween } from './paths.js';
import { INDEX_SCRIPT } from './script.js';
import type { QueryRow, Site } from './site.js';
import { queryId } from './site.js';
import { BASE_STYLE, PRINT_STYLE, indexStyle } from './style.js';
import { showQuery } from '../../program/print.js';

/** The index: the outcome table of all tests, with what to look at first above it. */
export function indexPage(
  site: Site,
  rows: readonly QueryRow[],
  unread: readonly string[],
): string {
  const { name, models } = site;
  const counts = countsOf(rows, models);
  const main = html`<h1>Outcomes of ${name}</h1>
    ${countsPart(counts)} ${attentionPart(rows)} ${unreadPart(unread)} ${filtersPart(counts)}
    ${legendPart()} ${folderLinks(rows)} ${indexTable(rows, models)}`;
  return pageText({
    title: `Outcomes of ${name}`,
    main,
    style: BASE_STYLE + indexStyle(models.length) + PRINT_STYLE,
    script: INDEX_SCRIPT,
    version: site.version,
  });
}

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

/** The outcomes that occur. */
function outcomesOf({ byModel }: CorpusCounts): readonly Outcome[] {
  return ALL.filter((outcome) => byModel.some(({ outcomes }) => outcomes.has(outcome)));
}

/** Verdicts that depart from the files, and those that are none. */
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
  const link = html`<a href="${linkBetween(INDEX, page, queryId(query))}"
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

/** The filters, which a script shows and works. */
function filtersPart(counts: CorpusCounts): Html {
  const flags: readonly (readonly [flag: string, words: string])[] = [
    ['differ', 'models differ'],
    ['departs', 'departs'],
    ['published', 'published'],
    ['observed', 'on hardware'],
  ];
  return html`<form id="filters" class="filters" aria-label="Filters" hidden>
    <p>
      <label for="text">Text</label>
      <input id="text" name="text" type="search" autocomplete="off" spellcheck="false" />
    </p>
    <p>
      <label for="model">Model</label>
      <select id="model" name="model">
        <option value="">any model</option>
        ${counts.byModel.map(({ model }) => html`<option value="${model}">${model}</option>`)}
      </select>
    </p>
    <p>
      <label for="verdict">Verdict</label>
      <select id="verdict" name="verdict">
        <option value="">any verdict</option>
        ${outcomesOf(counts).map((o) => html`<option value="${o}">${wordFor(o)}</option>`)}
      </select>
    </p>
    <fieldset>
      <legend>Only where</legend>
      ${flags.map(
        ([flag, words]) =>
          html`<label><input type="checkbox" name="only" value="${flag}" /> ${words}</label>`,
      )}
    </fieldset>
    <p class="result">
      <output id="shown" aria-live="polite">${plural(counts.questions, 'question')}</output>
      <button type="reset">Show all</button>
    </p>
  </form>`;
}

function legendPart(): Html {
  const sample = (cell: Partial<VerdictCell>): Html =>
    verdictMark({ model: '', outcome: 'allowed', departs: false, ...cell });
  const published = { verdict: 'allowed', authority: 'published' } as const;
  const expected = { verdict: 'allowed', authority: 'computed' } as const;
  const entries: readonly (readonly [Html, string])[] = [
    [sample({ expected: published }), 'published, and computed the same'],
    [sample({ expected }), 'computed as the file expects: reviewed before, or claimed there'],
    [sample({}), 'computed; the file says nothing'],
    [sample({ expected, departs: true }), 'departs from what the file states'],
    [html`<span class="seen">${seenText(true)}</span>`, 'observed on hardware'],
  ];
  return html`<details class="legend" open>
    <summary>What the marks mean</summary>
    <dl>
      ${entries.map(
        ([mark, words]) =>
          html`<div>
            <dt>${mark}</dt>
            <dd>${words}</dd>
          </div>`,
      )}
    </dl>
    <p>
      “allowed”: some execution ends so; “forbidden”: none does; “holds” and “fails” are the answers
      for all final states; ${SIGNS.bounded}: for runs within the loop bound.
    </p>
  </details>`;
}
