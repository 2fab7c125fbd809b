import type { Diagnostic, Result } from '../../parse/diagnostics/index.js';
import { fail, ok } from '../../parse/diagnostics/index.js';
import type { Model } from '../../model/term.js';
import type { ConditionModel } from './conditions.js';

const KNOWN: readonly ConditionModel[] = ['rdma-sc', 'rdma-tso'];

/** The variant of the conditions for a model. Only two models have one; any other is an error. */
export function conditionModel(model: Model): Result<ConditionModel> {
  const shipped = model.shipped;
  const known = shipped ? KNOWN.find((one) => one === model.name) : undefined;
  if (known !== undefined) return ok(known);
  const error: Diagnostic = {
    span: { file: shipped ? model.name : model.file, start: 0, end: 0 },
    message: `the static conditions for robustness are known for ${KNOWN.join(' and ')} only`,
  };
  return fail([error]);
}
