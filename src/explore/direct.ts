import type { RunStep } from '../check/result.js';

/** A run in which a write that comes to memory in the next step is one step: nobody needs to hear of the store buffer then. */
export function withoutPassing(steps: readonly RunStep[]): readonly RunStep[] {
  const passes = (i: number): boolean =>
    steps[i].kind === 'write' && steps[i + 1]?.kind === 'drain' && steps[i + 1].from === i;
  const numbers: number[] = [];
  let left = 0;
  for (const i of steps.keys()) numbers.push(passes(i) ? left : left++);
  return steps.flatMap((step, i): readonly RunStep[] => {
    if (passes(i)) return [];
    const { from } = step;
    if (i === 0 || !passes(i - 1)) {
      return [from === undefined ? step : { ...step, from: numbers[from] }];
    }
    const write = steps[i - 1];
    return [{ ...write, text: `${write.actor} writes ${write.brief} to memory` }];
  });
}
