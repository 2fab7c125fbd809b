import type { Row } from './index-table.js';
import { rows, table } from './index-table.js';

export const form = document.getElementById('filters') as HTMLFormElement;

/** The fields with one value each, which is empty if nothing is chosen. */
export const FIELDS = ['text', 'model', 'verdict'] as const;

export const fieldOf = (name: (typeof FIELDS)[number]): HTMLInputElement | HTMLSelectElement =>
  form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;

/** The boxes that a reader may tick to see fewer rows. */
export const boxes: readonly HTMLInputElement[] = [
  ...form.querySelectorAll<HTMLInputElement>('[name=only]'),
];

const models = [...(fieldOf('model') as HTMLSelectElement).options].slice(1).map((o) => o.value);

interface Wanted {
  readonly words: readonly string[];
  /** The index of the model; -1 if none is chosen. */
  readonly model: number;
  readonly verdict: string;
  readonly only: readonly string[];
}

function matches(row: Row, { words, model, verdict, only }: Wanted): boolean {
  const here = row.isClient ? [] : [row.outcomes[model]];
  const outcomes = model < 0 ? row.outcomes : here;
  return (
    words.every((word) => row.text.includes(word)) &&
    only.every((flag) => row.flags.includes(flag)) &&
    ((model < 0 && !verdict) || outcomes.some((o) => (verdict ? o === verdict : Boolean(o))))
  );
}

/** Shows the rows that match the form, hides the others, and says how many match. */
export function apply(): void {
  const wanted = {
    words: fieldOf('text').value.toLowerCase().split(/\s+/).filter(Boolean),
    model: models.indexOf(fieldOf('model').value),
    verdict: fieldOf('verdict').value,
    only: boxes.filter((box) => box.checked).map((box) => box.value),
  };
  for (const row of rows) row.row.hidden = !matches(row, wanted);
  for (const body of table.tBodies) {
    body.hidden = body.querySelector('tr.row:not([hidden])') === null;
  }
  const count = rows.filter(({ row }) => !row.hidden).length;
  table.classList.toggle('filtered', count < rows.length);
  table.hidden = count === 0;
  document.getElementById('none')!.hidden = count > 0;
  document.getElementById('shown')!.textContent = inWords(count);
}

function inWords(count: number): string {
  if (count === 0) return 'no match';
  const share = count === rows.length ? `all ${count}` : `${count} of ${rows.length}`;
  return `${share} ${rows.length === 1 ? 'question' : 'questions'}`;
}
