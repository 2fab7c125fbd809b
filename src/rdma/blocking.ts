import type { Instruction, Program } from '../program/program.js';

/** For each remote node, how many completions are left for polls at least; a node that is missing has none. */
type OpenCompletions = ReadonlyMap<string, number>;

/**
 * The polls that may have nothing to poll: a thread that comes to such a poll waits for ever. Only the shape of
 * the threads is looked at. Every branch counts as possible, and every number of iterations of a loop.
 */
export function blockingPolls(program: Program): ReadonlySet<Instruction> {
  const found = new Set<Instruction>();
  for (const thread of program.threads) after(thread.body, new Map());
  return found;

  function after(body: readonly Instruction[], before: OpenCompletions): OpenCompletions {
    return body.reduce((open, i) => step(i, open), before);
  }

  function step(i: Instruction, open: OpenCompletions): OpenCompletions {
    switch (i.kind) {
      case 'get':
      case 'put':
        return new Map(open).set(i.node, (open.get(i.node) ?? 0) + 1);
      case 'poll': {
        const left = open.get(i.node) ?? 0;
        if (left === 0) found.add(i);
        return new Map(open).set(i.node, Math.max(left - 1, 0));
      }
      case 'if':
        return least([after(i.then, open), after(i.else, open)]);
      case 'choose':
        return least(i.branches.map((branch) => after(branch, open)));
      case 'loop': {
        // From round to round there is as much left as before, or less. So this ends.
        let head = open;
        for (;;) {
          const next = least([head, after(i.body, head)]);
          if ([...head].every(([node, left]) => next.get(node) === left)) return head;
          head = next;
        }
      }
      case 'assign':
      case 'cas':
      case 'mfence':
      case 'rfence':
      case 'wait':
      case 'assume':
        return open;
    }
  }
}

const least = ([first, ...others]: readonly OpenCompletions[]): OpenCompletions =>
  new Map(
    [...first].map(([node, left]) => [
      node,
      Math.min(left, ...others.map((open) => open.get(node) ?? 0)),
    ]),
  );
