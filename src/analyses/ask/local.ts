import type { LocalAnswer, LocalInput } from '../local/local.js';
import type { Model } from '../../model/term.js';
import type { Pool } from '../workers.js';

/** Has a worker decide local soundness for one client; what does not come to an end is unknown. */
export async function askLocal(
  pool: Pool,
  input: LocalInput,
  models: readonly [above: Model, below: Model],
  bound?: number,
): Promise<LocalAnswer> {
  const answer = await pool.analyse({
    kind: 'analysis',
    analysis: 'local',
    engine: 'search',
    models,
    input,
    bound,
  });
  if ('output' in answer) return answer.output;
  return { promised: 0, order: { kind: 'unknown', reason: answer.unfinished } };
}
