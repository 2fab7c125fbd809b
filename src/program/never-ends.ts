import { constantOf } from './arithmetic.js';
import { flowOf } from './flow/compile.js';
import type { Counts } from './flow/facts.js';
import { backwards, forwards, most, waysOf } from './flow/facts.js';
import type { FlowGraph, FlowStep } from './flow/graph.js';
import { idle, partnersOf } from './partners.js';
import type { Program, Thread } from './program.js';

/**
 * Why no run of a program comes to its end, under any model and with any loop bound: on all its paths, some
 * thread has a poll with nothing to poll, an `assume` of a constant 0 or an endless loop. Undefined if
 * no such thread is found.
 */
export function neverEnds(program: Program): string | undefined {
  for (const thread of program.threads) {
    const reason = threadNeverEnds(program, thread);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function threadNeverEnds(program: Program, thread: Thread): string | undefined {
  const flow = flowOf(thread, program.instructions, { resting: true });
  const partners = partnersOf(program);
  const partnersIn = (step: FlowStep) =>
    step.kind === 'use' && step.use.call !== undefined ? partners(step.use.call) : [];
  const asked = new Map<string, number>();
  for (const { queuePair, asked: n } of flow.steps.flatMap(partnersIn)) {
    asked.set(queuePair.key, (asked.get(queuePair.key) ?? 0) + n);
  }

  /** The largest numbers of operations not polled yet behind a step, or why no run comes behind it. */
  const behind = (left: Counts, step: FlowStep): Counts | string => {
    if (step.kind === 'pass' && step.mark === '') return `a loop of ${thread.name} never ends`;
    if (step.kind === 'assume' && constantOf(step.condition) === 0) {
      return `${thread.name} assumes what is always false`;
    }
    let now = left;
    for (const { queuePair, given, asked: n, does } of partnersIn(step)) {
      const count = (now.get(queuePair.key) ?? 0) + given - n;
      if (count < 0) return idle(program, thread, does, queuePair);
      // More than all polls in the text are as good as any number: no circle needs to go round once more.
      now = new Map(now).set(queuePair.key, Math.min(count, asked.get(queuePair.key)!));
    }
    return now;
  };
  const found = forwards<Counts>(
    withoutConstants(flow),
    new Map(),
    (left, step) => {
      const now = behind(left, step);
      return typeof now === 'string' ? undefined : now;
    },
    most,
  );
  if (found[flow.steps.length] !== undefined) return undefined;
  // Where a thread may get past a step in another way, something behind it is the reason.
  const reachedBehind = backwards(flow, [], (_, at) => ({
    adds: found[at] === undefined ? [] : [at],
    removes: [],
  }));
  for (const [at, step] of flow.steps.entries()) {
    const left = found[at];
    const now = left === undefined ? '' : behind(left, step);
    if (typeof now !== 'string' || now === '') continue;
    if (waysOf(flow, at).every((next) => reachedBehind[next].every((other) => other === at)))
      return now;
  }
  return undefined;
}

/** The graph without the ways that constants say are never taken. */
function withoutConstants(flow: FlowGraph): FlowGraph {
  const steps = flow.steps.map((step) => {
    const known = step.kind === 'branch' ? constantOf(step.condition) : undefined;
    return known === undefined ? step : { ...step, next: [step.next[known === 0 ? 1 : 0]] };
  });
  return { ...flow, steps };
}
