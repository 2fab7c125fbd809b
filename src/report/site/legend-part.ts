import type { Outcome } from '../outcome.js';
import { SIGNS, seenText } from '../outcome.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { plainMark, verdictMark } from './marks.js';
import { LEGEND } from './site.js';
import type { VerdictCell } from './verdict-cells.js';

const sample = (cell: Partial<VerdictCell>): Html =>
  verdictMark({ model: '', outcome: 'allowed', departs: false, ...cell });

const published = { verdict: 'allowed', authority: 'published' } as const;
const expected = { verdict: 'allowed', authority: 'computed' } as const;

/** What the frames and signs around verdicts mean. */
const STANDINGS: readonly (readonly [Html, string])[] = [
  [sample({ expected: published }), 'published, and computed the same'],
  [sample({ expected }), 'computed as the file expects: reviewed before, or claimed there'],
  [sample({}), 'computed; the file says nothing'],
  [sample({ expected, departs: true }), 'departs from what the file states'],
  [html`<b>${SIGNS.bounded}</b>`, 'behind a verdict: for runs within the loop bound'],
  [html`<span class="differ">≠ models differ</span>`, 'two models decide the question differently'],
  [html`<span class="seen">${seenText(true)}</span>`, 'observed on hardware'],
  [html`<span class="seen">${seenText(false)}</span>`, 'looked for on hardware, and not observed'],
];

/** What each outcome means. */
const OUTCOMES: { readonly [outcome in Exclude<Outcome, 'not asked'>]: string } = {
  allowed: 'some execution ends so',
  forbidden: 'no execution ends so',
  holds: 'all executions end so',
  fails: 'some execution does not end so',
  vacuous: 'the program has no execution at all',
  unknown: 'undecided; the page of the test says why',
  untranslatable: 'the program has something in it that the model does not speak of',
};

/** The legend of all marks of verdicts. */
export function legendPart(): Html {
  const outcomes = (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]).map(
    (outcome) => [plainMark(outcome), OUTCOMES[outcome]] as const,
  );
  return html`<details class="legend" id="${LEGEND}">
    <summary>What the marks mean</summary>
    <dl>
      ${[...outcomes, ...STANDINGS].map(
        ([mark, words]) =>
          html`<div>
            <dt>${mark}</dt>
            <dd>${words}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}
