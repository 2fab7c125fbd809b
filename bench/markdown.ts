// Markdown tables and the numbers in them.

export const seconds = (ms: number): string => (ms / 1000).toFixed(2);
export const ms = (n: number): string => (n < 10 ? n.toFixed(1) : n.toFixed(0));
export const met = (isMet: boolean): string => (isMet ? 'yes' : '**no**');

/** What stands in a cell; nothing: it is empty. */
type Cell = string | number | undefined;

export type Row = readonly Cell[];

const row = (cells: Row): string => `| ${cells.join(' | ')} |`;

/** The lines of a table. */
export const table = (head: readonly string[], rows: readonly Row[]): readonly string[] => [
  row(head),
  row(head.map(() => '---')),
  ...rows.map(row),
];
