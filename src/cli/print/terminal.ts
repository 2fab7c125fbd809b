import { BAD_INPUT } from '../command/exit.js';

/** The columns of a terminal that does not say how many it has. */
const USUAL_COLUMNS = 80;

/**
 * The width that tables have to fit: the variable COLUMNS, or the columns of the terminal of standard output. In a file
 * or a pipe, lines may have any length.
 */
export function terminalColumns(): number {
  const { COLUMNS = '' } = process.env;
  if (/^[1-9]\d*$/.test(COLUMNS)) return Number(COLUMNS);
  const { isTTY, columns } = process.stdout;
  return isTTY ? columns || USUAL_COLUMNS : Infinity;
}

/**
 * Ends the process if its output cannot be written. It is no error if a reader such as `head` closes the pipe, but a
 * full disk is one.
 */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`remora: the results cannot be written: ${error.message}\n`);
    process.exit(BAD_INPUT);
  });
  process.stderr.on('error', () => {});
}
