// Markdown tables and the numbers in them.

export const seconds = (ms) => (ms / 1000).toFixed(2);
export const ms = (n) => (n < 10 ? n.toFixed(1) : n.toFixed(0));
export const met = (isMet) => (isMet ? 'yes' : '**no**');

const row = (cells) => `| ${cells.join(' | ')} |`;

/** The lines of a table. */
export const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)];
