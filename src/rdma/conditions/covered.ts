import type { Diagnostic } from '../../parse/diagnostics/index.js';
import type { Program } from '../../program/program.js';
import type { Coverage } from '../coverage.js';
import { WITH_POLLS, notCoveredBy } from '../coverage.js';

/** The instructions that the programs of the robustness paper have. */
const COVERED: Coverage = {
  theory: 'the static conditions for robustness',
  elsewhere: 'robust without --static does',
  loopBack: false,
  kinds: {
    ...WITH_POLLS,
    faa: 'known',
    xchg: 'known',
    'remote-atomic': 'unknown',
    wait: ({ work }) => ({
      message: `the static conditions for robustness do not know wait(${work})`,
    }),
  },
};

/**
 * The instructions of a program, with waits translated to polls, that the conditions do not cover. The proofs assume
 * that a location is either remote or the thread's own; with loop-back it is both.
 */
export const notUnderConditions = (program: Program): readonly Diagnostic[] =>
  notCoveredBy(COVERED, program);
