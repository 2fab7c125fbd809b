/** The name for standard input instead of a file. A file named `-` is written `./-`. */
export const STDIN = '-';

/** The name of standard input in messages and results. */
export const STDIN_NAME = '<stdin>';
