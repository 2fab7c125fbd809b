import type { Outcome } from '../outcome.js';
import { MARKS, SIGNS, wordFor } from '../outcome.js';
import type { VerdictCell } from './verdict-cells.js';
import { asPublished } from './verdict-cells.js';
import type { Html } from './html.js';
import { html } from './html.js';

/** How a verdict relates to what the file of its test states. */
type Standing = 'departs' | 'published' | 'expected' | 'computed';

function standingOf(cell: VerdictCell): Standing {
  if (cell.departs) return 'departs';
  if (asPublished(cell)) return 'published';
  const undecided = cell.outcome === 'unknown' || cell.outcome === 'untranslatable';
  return cell.expected === undefined || undecided ? 'computed' : 'expected';
}

/** What follows a verdict, by its standing: a sign to look at, and words, which screen readers read out. */
const STANDINGS: { readonly [standing in Standing]: readonly [sign: string, words: string] } = {
  departs: [SIGNS.departs, 'departs from the file'],
  published: [SIGNS.published, 'as published'],
  expected: ['', 'as the file expects'],
  computed: ['', ''],
};

/** A verdict in a table. A sign, a word and a shape tell it; its colour never tells anything more. */
export function verdictMark(cell: VerdictCell): Html {
  const { outcome, answer } = cell;
  if (outcome === 'not asked') return html`<span class="silent">not asked</span>`;
  const standing = standingOf(cell);
  const [sign, words] = STANDINGS[standing];
  const bound = answer?.upTo === undefined ? '' : SIGNS.bounded;
  return html`<span class="verdict ${outcome} ${standing}"
    ><span class="mark" aria-hidden="true">${MARKS[outcome]}</span> ${wordFor(outcome)}${
      sign !== '' && html`<span class="sign" aria-hidden="true" title="${words}">${sign}</span>`
    }${
      bound !== '' &&
      html`<span class="sign" aria-hidden="true" title="up to the loop bound">${bound}</span>`
    }${words !== '' && html`<span class="unseen">, ${words}</span>`}${
      bound !== '' && html`<span class="unseen">, up to the loop bound</span>`
    }</span
  >`;
}

/** The mark of an outcome alone, without its relation to what a file states. */
export function plainMark(outcome: Outcome): Html {
  return html`<span class="verdict ${outcome} computed"
    ><span class="mark" aria-hidden="true">${MARKS[outcome]}</span> ${wordFor(outcome)}</span
  >`;
}
