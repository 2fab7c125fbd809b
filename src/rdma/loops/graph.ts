import type { Flow, FlowOp, OpId } from './flow.js';
import { successorsOf } from './flow.js';

/** For each operation: itself, and all operations that a thread can come to after it. */
export function reachable({ ops }: Flow): readonly ReadonlySet<OpId>[] {
  return ops.map((_, start) => {
    const seen = new Set<OpId>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...successorsOf(ops[at]));
    }
    return seen;
  });
}

/** For each operation: all operations that a thread can come to after it. It is one of them only if it is in a loop. */
export function reachableAfter(flow: Flow): readonly ReadonlySet<OpId>[] {
  const reach = reachable(flow);
  return flow.ops.map((op) => new Set(successorsOf(op).flatMap((next) => [...reach[next]])));
}

/** How many edges lead to each operation. The start of the thread counts as one. */
export function degrees({ ops, start }: Flow): readonly number[] {
  const degrees = ops.map((_, id) => (id === start ? 1 : 0));
  for (const op of ops) for (const next of successorsOf(op)) degrees[next] += 1;
  return degrees;
}

/** For each operation: how many operations that pass a test a thread can still perform there. Infinity: one is in a loop. */
export function mostOf(flow: Flow, test: (op: FlowOp) => boolean): readonly number[] {
  const after = reachableAfter(flow);
  return reachable(flow).map((from) => {
    const found = [...from].filter((id) => test(flow.ops[id]));
    return found.some((id) => after[id].has(id)) ? Infinity : found.length;
  });
}
