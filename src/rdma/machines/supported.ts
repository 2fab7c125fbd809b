import type { Diagnostic } from '../../parse/diagnostics/index.js';
import { instructionsOf } from '../../program/instructions.js';
import type { Program } from '../../program/program.js';

/**
 * The instructions of a program that no machine here can run. There is an operational semantics of
 * polls (TSO paper), but none of waits: the LOCO paper defines RDMA^WAIT by executions only.
 */
export function unsupported(program: Program): readonly Diagnostic[] {
  return program.threads.flatMap((t) =>
    [...instructionsOf(t.body)].flatMap((i) =>
      i.kind !== 'wait'
        ? []
        : [
            {
              span: i.span,
              message: `wait(${i.work}) cannot be run: waits have no operational semantics`,
              hint: 'poll instead, where each wait is for one operation and none is skipped',
            },
          ],
    ),
  );
}
