/** The table of the index. */
export const table = document.querySelector<HTMLTableElement>('.outcomes')!;

/** A row of the table: a query. */
export interface Row {
  readonly row: HTMLTableRowElement;
  /** Its index in the order of the page as it was loaded. */
  readonly place: number;
  /** The part of the table that is its folder, to which it returns when the table is no longer sorted. */
  readonly home: HTMLElement;
  /** Whether it is about a client of libraries. Its answer is under no model. */
  readonly isClient: boolean;
  /** The text that the search looks at. */
  readonly text: string;
  readonly flags: readonly string[];
  /** The outcome under each model, in the order of the columns. Empty if a model was not asked. */
  readonly outcomes: readonly string[];
}

export const rows: readonly Row[] = [
  ...document.querySelectorAll<HTMLTableRowElement>('tr.row'),
].map((row, place) => {
  const cells = [...row.querySelectorAll<HTMLElement>('[data-outcome]')];
  const { client, text, flags } = row.dataset;
  return {
    ...{ row, place, home: row.parentElement!, isClient: client === 'yes', text: text! },
    flags: (flags ?? '').split(' '),
    outcomes: cells.map((cell) => cell.dataset.outcome!),
  };
});
