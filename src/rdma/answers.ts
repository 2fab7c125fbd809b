import type { Answer } from '../check/result.js';
import type { StageMeans, Questions } from '../check/stages.js';
import { decideInStages } from '../check/stages.js';
import { hasMachine } from '../machine/layers.js';
import { isStateQuery } from '../program/program.js';
import type { Engine } from './engines.js';
import { stagesOf } from './engines.js';

/**
 * The answers to queries, by model, in their order. Stages of an engine answer queries about final states; an
 * exploration of a machine answers those about runs, which have no answer under a model without a machine.
 */
export async function decideAll(
  engine: Engine,
  questions: Questions,
  means: StageMeans,
): Promise<readonly (readonly Answer[])[]> {
  const { tests, models, queries, limit } = questions;
  const isOnStates = (query: number): boolean => isStateQuery(tests[0].queries[query]);
  const onStates = queries.filter(isOnStates);
  const onRuns = queries.filter((query) => !isOnStates(query));
  const found =
    onStates.length === 0
      ? tests.map(() => [])
      : await decideInStages(stagesOf(engine), { ...questions, queries: onStates }, means);
  if (onRuns.length === 0) return found;
  const { decideRuns } = await import('../explore/decide.js');
  means.started();
  return tests.map((test, i) => {
    const { [i]: model } = models;
    if (!hasMachine(model)) return found[i];
    const deadline = performance.now() + means.timeLimit;
    const { room } = questions;
    const { memory } = means;
    const progress = (states: number): void => means.explored?.(states);
    const runs = decideRuns(test, model, onRuns, { limit, deadline, memory, room, progress });
    return [...found[i], ...runs].sort((a, b) => a.query - b.query);
  });
}
