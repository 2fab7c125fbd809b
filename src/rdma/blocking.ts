import type { Instruction, Program } from '../program/program.js';

/** By remote node, how many completions there are at least that no poll has taken; none if not there. */
type OpenCompletions = ReadonlyMap<string, number>;

/**
 * The polls that may have nothing to poll, so that their threads stay where they are: by the shape of
 * the threads alone, whatever the conditions of branches and loops are.
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
        // Each round leaves as much as the one before, or less.
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
