/** Columns of a terminal that does not say how many it has. */
const USUAL = 80;

/**
 * The columns that tables have to fit: those of the terminal that standard output goes to, or what the
 * variable COLUMNS says. In a file or a pipe, lines may be of any length.
 */
export function terminalColumns(): number {
  const { COLUMNS = '' } = process.env;
  if (/^[1-9]\d*$/.test(COLUMNS)) return Number(COLUMNS);
  const { isTTY, columns } = process.stdout;
  return isTTY ? columns || USUAL : Infinity;
}
