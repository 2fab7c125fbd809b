import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import { decideRuns } from '../../rdma/explore/decide.js';
import { hardwareOf } from '../../rdma/explore/hardware.js';
import type { Circumstances } from '../circumstances.js';
import type { ModelExplanation } from './explanation.js';

/** The answer to a query about runs: where it fails, the run is the explanation. */
export function explainRuns(
  test: Test,
  query: number,
  model: Model,
  { deadline }: Circumstances,
): ModelExplanation {
  const hardware = hardwareOf(model);
  if (hardware === undefined) {
    const reason = `${model.name} has no machine`;
    return { model: model.name, verdict: 'unknown', reason, flags: [] };
  }
  const [answer] = decideRuns(test, hardware, [query], { deadline });
  const { verdict, reason, run, round, steps: data = [], assuming, flags } = answer;
  const shown = run === undefined ? undefined : { steps: run, round, data };
  return { model: model.name, verdict, reason, flags, run: shown, assuming };
}
