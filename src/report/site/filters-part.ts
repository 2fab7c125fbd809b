import type { Outcome } from '../outcome.js';
import { wordFor } from '../outcome.js';
import { plural } from '../explain-style.js';
import type { Html } from './html.js';
import { html } from './html.js';

/** What rows can be filtered by, besides verdicts: the name of the filter in the address, and its words. */
const FLAGS: readonly (readonly [flag: string, words: string])[] = [
  ['question', 'an engineer asks'],
  ['differ', 'models differ'],
  ['departs', 'departs'],
  ['published', 'published'],
  ['observed', 'on hardware'],
];

/**
 * The filters of the index. They are hidden until the script of the page shows them: without it, they would do nothing.
 */
export function filtersPart(
  questions: number,
  models: readonly string[],
  outcomes: readonly Outcome[],
): Html {
  return html`<form id="filters" class="filters" aria-label="Filters" hidden>
    <p>
      <label for="text">Text <kbd>/</kbd></label>
      <input
        id="text"
        name="text"
        type="search"
        autocomplete="off"
        spellcheck="false"
        aria-keyshortcuts="/"
      />
    </p>
    <p>
      <label for="model">Model</label>
      <select id="model" name="model">
        <option value="">any model</option>
        ${models.map((model) => html`<option value="${model}">${model}</option>`)}
      </select>
    </p>
    <p>
      <label for="verdict">Verdict</label>
      <select id="verdict" name="verdict">
        <option value="">any verdict</option>
        ${outcomes.map((o) => html`<option value="${o}">${wordFor(o)}</option>`)}
      </select>
    </p>
    <fieldset>
      <legend>Only where</legend>
      ${FLAGS.map(
        ([flag, words]) =>
          html`<label><input type="checkbox" name="only" value="${flag}" /> ${words}</label>`,
      )}
    </fieldset>
    <p class="result">
      <output id="shown" aria-live="polite">${plural(questions, 'question')}</output>
      <button type="reset">Show all</button>
    </p>
  </form>`;
}
