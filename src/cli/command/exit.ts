/** Exit codes (docs/cli.md). */
export const AS_EXPECTED = 0;
/** Some verdict departs from what is expected. */
export const DEPARTS = 1;
/** Bad usage or bad input. */
export const BAD_INPUT = 2;
/** Something is undecided. */
export const UNDECIDED = 3;
/** Ended by Ctrl-C, as shells have it. */
export const INTERRUPTED = 130;
