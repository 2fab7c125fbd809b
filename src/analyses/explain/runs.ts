import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import { decideRuns } from '../../explore/decide.js';
import { isOutOfOrder, readLayers } from '../../machine/layers.js';
import type { Circumstances } from '../circumstances.js';
import { timelineOfShown } from '../timeline/from-run.js';
import type { ModelExplanation } from './explanation.js';

/**
 * The answer to a query about runs: where it fails, the run is the explanation.
 *
 * @param timelines whether it is shown in space and time, too
 */
export function explainRuns(
  test: Test,
  query: number,
  model: Model,
  timelines: boolean,
  { deadline }: Circumstances,
): ModelExplanation {
  const layers = readLayers(model);
  if ('message' in layers && !isOutOfOrder(model)) {
    const reason = `${model.name} is no machine: ${layers.message}`;
    return { model: model.name, verdict: 'unknown', reason, flags: [] };
  }
  const [answer] = decideRuns(test, model, [query], { deadline });
  const { verdict, reason, run, round, steps: data = [], assuming, flags } = answer;
  const head = { model: model.name, verdict, reason, flags, assuming };
  if (run === undefined) return head;
  const timeline = timelines
    ? timelineOfShown(test.program, test.queries[query], answer)
    : undefined;
  return { ...head, run: { steps: run, round, data, timeline } };
}
