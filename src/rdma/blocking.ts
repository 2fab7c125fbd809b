import { flowOf } from '../program/flow/compile.js';
import type { Counts } from '../program/flow/facts.js';
import { forwards, least } from '../program/flow/facts.js';
import type { FlowStep } from '../program/flow/graph.js';
import type { Instruction, Program } from '../program/program.js';
import { isPosted, queuePairKey, viewedAsPosted } from './instructions.js';

/**
 * The polls that may have nothing to poll, so that the thread waits for ever. This only depends on the text of the
 * threads: every branch counts as possible, and every number of iterations of a loop.
 */
export function blockingPolls(program: Program): ReadonlySet<Instruction> {
  const found = new Set<Instruction>();
  for (const thread of program.threads) {
    const flow = flowOf(thread, program.instructions, { resting: true });
    const before = forwards<Counts>(flow, new Map(), leftBehind, least);
    for (const [at, step] of flow.steps.entries()) {
      if (step.kind !== 'use' || step.use.call === undefined) continue;
      const i = viewedAsPosted(step.use.call);
      if (i.kind === 'poll' && !before[at]?.get(queuePairKey(i))) found.add(step.use.call);
    }
  }
  return found;
}

/** For each queue pair, the least number of completions left for polls behind a step. */
function leftBehind(left: Counts, step: FlowStep): Counts {
  const call = step.kind === 'use' ? step.use.call : undefined;
  const i = call && viewedAsPosted(call);
  if (i === undefined || !(isPosted(i) || i.kind === 'poll')) return left;
  const before = left.get(queuePairKey(i)) ?? 0;
  return new Map(left).set(queuePairKey(i), isPosted(i) ? before + 1 : Math.max(before - 1, 0));
}
