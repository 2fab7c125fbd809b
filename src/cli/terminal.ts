/** Columns of a terminal that does not say how many it has. */
const USUAL = 80;

/**
 * The columns that tables have to fit: those of the terminal that standard output goes to, or what the
 * variable COLUMNS says. A file or a pipe has no end of them.
 */
export function terminalColumns(): number {
  const { COLUMNS = '' } = process.env;
  if (/^[1-9]\d*$/.test(COLUMNS)) return Number(COLUMNS);
  const { isTTY, columns } = process.stdout;
  return isTTY ? columns || USUAL : Infinity;
}
