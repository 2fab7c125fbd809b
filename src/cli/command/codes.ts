/** Exit codes that several commands have (docs/cli.md). */
import type { ExitCodes } from './declare.js';

/** Of commands that compare verdicts with the expectations of files. */
export const VERDICT_CODES: ExitCodes = {
  asExpected: 'every verdict is as expected',
  departs: 'some verdict departs from what a file expects',
  undecided: 'something asked was not answered: a verdict is unknown, or there is none',
};

/** Of commands that expect no particular answer. */
export const ANSWER_CODES: ExitCodes = {
  asExpected: 'everything is decided',
  undecided: 'something is undecided: an unknown verdict, an incomplete list',
};

/** Of commands that ask for robustness. */
export const ROBUSTNESS_CODES: ExitCodes = {
  asExpected: 'every program is robust',
  departs: 'some program is not',
  undecided: 'some program is undecided',
};
