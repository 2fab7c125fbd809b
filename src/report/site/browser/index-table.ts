/** The table of the index, as the page has it when it is loaded. */
export const table = document.querySelector<HTMLTableElement>('.outcomes')!;

/** A question. */
export interface Row {
  readonly row: HTMLTableRowElement;
  /** Which row it is. */
  readonly place: number;
  /** The part of the table that is its folder. */
  readonly home: HTMLElement;
  /** Clients of libraries have one answer, which is under no model. */
  readonly isClient: boolean;
  /** What is searched for words. */
  readonly text: string;
  readonly flags: readonly string[];
  /** By model; empty where a model was not asked. */
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
