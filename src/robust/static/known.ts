import { join } from 'node:path';
import type { Diagnostic, Result } from '../../diagnostics/index.js';
import { fail, ok } from '../../diagnostics/index.js';
import { MODELS_FOLDER } from '../../model/load.js';
import type { Model } from '../../model/term.js';
import type { ConditionModel } from './conditions.js';

const KNOWN: readonly ConditionModel[] = ['rdma-sc', 'rdma-tso'];

/** The model that the conditions are for; any but the two that are shipped is an error. */
export function conditionModel({ name, file }: Model): Result<ConditionModel> {
  // A file of the same name elsewhere may say anything.
  const isShipped = file === join(MODELS_FOLDER, `${name}.cat`);
  const known = isShipped ? KNOWN.find((one) => one === name) : undefined;
  if (known !== undefined) return ok(known);
  const error: Diagnostic = {
    span: { file: isShipped ? name : file, start: 0, end: 0 },
    message: `the static conditions for robustness are known for ${KNOWN.join(' and ')} only`,
  };
  return fail([error]);
}
