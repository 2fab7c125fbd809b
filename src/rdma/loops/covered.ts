import type { Diagnostic } from '../../parse/diagnostics/index.js';
import type { Program } from '../../program/program.js';
import type { Coverage } from '../coverage.js';
import { WITH_POLLS, notCoveredBy } from '../coverage.js';

/** The instructions that the programs of the decidability paper have. */
const COVERED: Coverage = {
  theory: 'proofs of robustness',
  elsewhere: 'robust without --explore does, up to a loop bound',
  loopBack: false,
  kinds: {
    ...WITH_POLLS,
    faa: 'unknown',
    xchg: 'unknown',
    'remote-atomic': 'unknown',
    wait: ({ work }) => ({
      message: `wait(${work}) is not covered: robustness is decided for programs with polls`,
      hint: 'poll instead, where each wait is for one operation and none is skipped',
    }),
  },
};

/** The instructions of a program for which there is no instrumentation. */
export const notInstrumented = (program: Program): readonly Diagnostic[] =>
  notCoveredBy(COVERED, program);
