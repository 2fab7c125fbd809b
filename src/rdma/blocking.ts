import type { Instruction, Program } from '../program/program.js';
import { keyOf, viewed } from './instructions.js';

/** For each queue pair, how many completions are left for polls at least; one that is missing has none. */
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

  function step(given: Instruction, open: OpenCompletions): OpenCompletions {
    const i = viewed(given);
    switch (i.kind) {
      case 'get':
      case 'put':
      case 'remote-atomic':
        return new Map(open).set(keyOf(i), (open.get(keyOf(i)) ?? 0) + 1);
      case 'poll': {
        const left = open.get(keyOf(i)) ?? 0;
        if (left === 0) found.add(given);
        return new Map(open).set(keyOf(i), Math.max(left - 1, 0));
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
          if ([...head].every(([pair, left]) => next.get(pair) === left)) return head;
          head = next;
        }
      }
      case 'assign':
      case 'cas':
      case 'faa':
      case 'xchg':
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
    [...first].map(([pair, left]) => [
      pair,
      Math.min(left, ...others.map((open) => open.get(pair) ?? 0)),
    ]),
  );
