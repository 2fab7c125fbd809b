import type { Diagnostic } from '../../parse/diagnostics/index.js';
import { mapInstructions } from '../../program/instructions.js';
import type { Program } from '../../program/program.js';
import type { Coverage } from '../coverage.js';
import { WITH_POLLS, notCoveredBy } from '../coverage.js';
import type { Hardware } from './hardware.js';
import { postingOf } from './requests.js';

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

/** The instructions of a program that a machine here cannot run. Of several words and unsignalled work, `simplified` alone knows. */
export function unsupported(
  program: Program,
  queuePairs: Hardware['queuePairs'] = 'simplified',
): readonly Diagnostic[] {
  if (queuePairs !== 'simplified') return notCoveredBy(SUPPORTED, program);
  const threads = program.threads.map((thread) => ({
    ...thread,
    body: mapInstructions(thread.body, (i) => postingOf(i)?.words),
  }));
  return notCoveredBy(SUPPORTED, { ...program, threads });
}
