import type { Diagnostic } from '../../parse/diagnostics/index.js';
import { instructionsOf } from '../../program/instructions.js';
import type { Program } from '../../program/program.js';

/** The instructions that the paper's programs do not have. */
export function notCovered(program: Program): readonly Diagnostic[] {
  return program.threads.flatMap((t) =>
    [...instructionsOf(t.body)].flatMap((i) =>
      i.kind !== 'wait'
        ? []
        : [
            {
              span: i.span,
              message: `wait(${i.work}) is not covered: robustness is decided for programs with polls`,
              hint: 'poll instead, where each wait is for one operation and none is skipped',
            },
          ],
    ),
  );
}
