import { bodiesOf } from '../program/instructions.js';
import type { Instruction, Program } from '../program/program.js';
import { isPosted, keyOf, viewed } from './instructions.js';

/** For each queue pair, the least number of completions left for polls; 0 if the queue pair is missing. */
type OpenCompletions = ReadonlyMap<string, number>;

/**
 * The polls that may have nothing to poll, so that the thread waits for ever. This only depends on the text of the
 * threads: every branch counts as possible, and every number of iterations of a loop.
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
    if (isPosted(i)) return new Map(open).set(keyOf(i), (open.get(keyOf(i)) ?? 0) + 1);
    if (i.kind === 'poll') {
      const left = open.get(keyOf(i)) ?? 0;
      if (left === 0) found.add(given);
      return new Map(open).set(keyOf(i), Math.max(left - 1, 0));
    }
    if (i.kind === 'loop') return loop(i.body, open);
    const ends = bodiesOf(given).map((body) => after(body, open));
    return ends.length === 0 ? open : least(ends);
  }

  /** Repeats until nothing changes. This ends, since the numbers never grow from round to round. */
  function loop(body: readonly Instruction[], open: OpenCompletions): OpenCompletions {
    const next = least([open, after(body, open)]);
    const isSame = [...open].every(([pair, left]) => next.get(pair) === left);
    return isSame ? open : loop(body, next);
  }
}

const least = ([first, ...others]: readonly OpenCompletions[]): OpenCompletions =>
  new Map(
    [...first].map(([pair, left]) => [
      pair,
      Math.min(left, ...others.map((open) => open.get(pair) ?? 0)),
    ]),
  );
