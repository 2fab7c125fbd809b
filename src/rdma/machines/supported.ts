import type { Diagnostic } from '../../parse/diagnostics/index.js';
import type { Program } from '../../program/program.js';
import type { Coverage } from '../coverage.js';
import { WITH_POLLS, notCoveredBy } from '../coverage.js';

/**
 * What the machines here can run. There is an operational semantics of polls (TSO paper), but none of waits:
 * the LOCO paper defines RDMA^WAIT by executions only.
 */
const SUPPORTED: Coverage = {
  theory: 'the machines',
  elsewhere: 'the engines smt, search and enumerate do',
  loopBack: true,
  kinds: {
    ...WITH_POLLS,
    'remote-atomic': 'known',
    faa: 'known',
    xchg: 'known',
    wait: ({ work }) => ({
      message: `wait(${work}) cannot be run: waits have no operational semantics`,
      hint: 'poll instead, where each wait is for one operation and none is skipped',
    }),
  },
};

/** The instructions of a program that no machine here can run. */
export const unsupported = (program: Program): readonly Diagnostic[] =>
  notCoveredBy(SUPPORTED, program);
