import { askFix } from '../src/analyses/ask/fix.js';
import { DEFAULT_COSTS } from '../src/rdma/additions.js';
import { fixLines, fixPatchLines } from '../src/report/fix.js';
import type { Decider } from './decided.js';
import type { Asked } from './explained.js';
import type { InC } from './in-c.js';
import type { Part } from './question.js';

/** What would change the answer to a query. */
export async function fixed(
  { test, source, model, focus }: Asked,
  { engine, pool }: Decider,
  inC: InC | undefined,
): Promise<Part> {
  const { query } = focus;
  const found = await askFix(pool, test, model, query, {
    costs: DEFAULT_COSTS,
    engine,
  });
  const fix = (await inC?.fix(found, { test, model, query })) ?? found;
  const patch = fixPatchLines(fix);
  const lines = [...fixLines(fix, source), ...(patch.length > 0 ? ['', ...patch] : [])];
  const repair = fix.kind === 'additions' && { repair: fix.repair };
  return { kind: 'fix', focus, text: lines.join('\n'), ...repair };
}
