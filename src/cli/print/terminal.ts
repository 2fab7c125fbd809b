import { BAD_INPUT } from '../command/exit.js';

/** Columns of a terminal that does not say how many it has. */
const USUAL_COLUMNS = 80;

/**
 * The columns that tables have to fit: those of the terminal that standard output goes to, or what the
 * variable COLUMNS says. In a file or a pipe, lines may be of any length.
 */
export function terminalColumns(): number {
  const { COLUMNS = '' } = process.env;
  if (/^[1-9]\d*$/.test(COLUMNS)) return Number(COLUMNS);
  const { isTTY, columns } = process.stdout;
  return isTTY ? columns || USUAL_COLUMNS : Infinity;
}

/** Ends the process where what it prints cannot be written. A reader such as `head` may close the pipe: that is no error. A full disk is one. */
export function watchOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`remora: the results cannot be written: ${error.message}\n`);
    process.exit(BAD_INPUT);
  });
  process.stderr.on('error', () => {});
}
