import * as core from '../src/core.js';

/** Who decides. */
export interface Decider {
  readonly engine: core.Engine;
  readonly pool: core.Pool;
}

/** Decides all queries of a test under a model. */
export async function decided(
  test: core.Test,
  source: core.SourceFile,
  model: core.Model,
  { engine, pool }: Decider,
): Promise<core.VerdictRecord> {
  const head = { test, source, model: model.name };
  const prepared = core.prepare(test.program, model, engine);
  if (!prepared.ok) {
    const untranslatable = prepared.errors.map(({ message }) => message).join('; ');
    return { ...head, answers: [], untranslatable };
  }
  const [answers] = await pool.decide({
    kind: 'decide',
    engine,
    models: [model],
    tests: [{ ...test, program: prepared.value.program }],
    queries: [...test.queries.keys()],
  });
  return { ...head, answers };
}
