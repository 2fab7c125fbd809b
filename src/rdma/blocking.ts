import { flowOf } from '../program/flow/compile.js';
import type { Counts } from '../program/flow/facts.js';
import { forwards, least } from '../program/flow/facts.js';
import type { FlowStep } from '../program/flow/graph.js';
import type { Instruction, Program } from '../program/program.js';
import { queuePairKey } from './instructions.js';
import type { Posting } from './postings.js';
import { completionsOf, knownPosting, receiveQueueOf } from './postings.js';
import { pollsThatNobodyEnds } from './message-waits.js';

/**
 * The polls that may have nothing to poll, so that the thread waits for ever. This only depends on the text of the
 * threads: every branch counts as possible, and every number of iterations of a loop.
 */
export function blockingPolls(program: Program): ReadonlySet<Instruction> {
  const found = new Set(pollsThatNobodyEnds(program));
  for (const thread of program.threads) {
    const flow = flowOf(thread, program.instructions, { resting: true });
    const behind = (left: Counts, step: FlowStep): Counts => leftBehind(program, left, step);
    const before = forwards<Counts>(flow, new Map(), behind, least);
    for (const [at, step] of flow.steps.entries()) {
      if (step.kind !== 'use' || step.use.call === undefined) continue;
      const { key, more } = effectOf(program, knownPosting(program, step.use.call));
      if (more < 0 && !before[at]?.get(key)) found.add(step.use.call);
    }
  }
  return found;
}

/** For each queue, the least number of completions left for polls behind a step. */
function leftBehind(program: Program, left: Counts, step: FlowStep): Counts {
  const call = step.kind === 'use' ? step.use.call : undefined;
  if (call === undefined) return left;
  const { key, more } = effectOf(program, knownPosting(program, call));
  return more === 0 ? left : new Map(left).set(key, Math.max((left.get(key) ?? 0) + more, 0));
}

/** In which queue a call makes a completion, or takes one. */
function effectOf(
  program: Program,
  posting: Posting,
): { readonly key: string; readonly more: number } {
  switch (posting.kind) {
    case 'posted':
      return { key: completionsOf(program, posting.on), more: posting.completes ? 1 : 0 };
    case 'poll':
      return { key: posting.of, more: -1 };
    case 'receive':
    case 'receive-poll':
      return {
        key: receiveQueueOf(program, posting.on) ?? `received ${queuePairKey(posting.on)}`,
        more: posting.kind === 'receive' ? 1 : -1,
      };
    case 'other':
      return { key: '', more: 0 };
  }
}
