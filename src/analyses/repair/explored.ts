import type { Program } from '../../program/program.js';
import type { RunLimits } from '../../explore/answer.js';
import type { StepNames } from '../../explore/near.js';
import { findBad, findNear } from '../../explore/near.js';
import type { Safety } from '../../explore/safety.js';
import type { Model } from '../../model/term.js';
import type { RepairOffer, Still, Trial } from './trial.js';

/** So many states are gone through for what all additions together leave possible. */
const LONGER = 100_000;

/**
 * Tries additions by exploring the program with them, up to the first state that is bad for one of the queries.
 *
 * What can happen with some additions can happen with fewer. The run is the same without the steps of those that are
 * left out: fences and polls only wait. Polls that come later take earlier completions, which were there when the ones
 * that they took before were, and a get that is left out writes to memory that nobody else reads. (So it is if
 * there is room. With less room than a run needs, more polls may make more possible.)
 */
export function tryExploring(
  { additions, make }: RepairOffer,
  model: Model,
  queries: readonly Safety[],
  limits: RunLimits,
): Trial {
  let way: StepNames = [];
  let there: readonly number[] = [];
  // The same text in all threads may be about a queue pair that is another one for each: then they are symmetric no more.
  const ask = (program: Program, limits: RunLimits): ReturnType<typeof findBad> => {
    const answer = findBad(program, model, queries, limits);
    return answer.kind === 'unknown' && program.symmetric !== undefined
      ? findBad({ ...program, symmetric: undefined }, model, queries, limits)
      : answer;
  };
  const found = (chosen: readonly number[], by: StepNames): Still => {
    way = by;
    there = chosen;
    return { kind: 'found' };
  };
  return {
    usable: [...additions.keys()],
    still(some) {
      const chosen = [...some];
      const answer = ask(make(chosen).program, limits);
      if (answer.kind === 'found') return found(chosen, answer.way);
      const { deadline = Infinity } = limits;
      const late = answer.kind === 'unknown' && performance.now() > deadline;
      return late ? { ...answer, late } : answer;
    },
    // Not all runs are looked at, so that one may be missed. Then more is taken to be needed, which is less to go by. That
    // all additions together do not help is worth a longer look: nothing is left to be tried then.
    stillWith(chosen) {
      const { program } = make(chosen);
      const near = findNear(way, program, model, queries, limits);
      if (near !== undefined) return found(chosen, near).kind;
      if (chosen.length < additions.length) return 'unknown';
      const answer = ask(program, { ...limits, limit: LONGER });
      return answer.kind === 'found' ? found(chosen, answer.way).kind : answer.kind;
    },
    isThere: (addition) => there.includes(addition),
    dispose() {},
  };
}
