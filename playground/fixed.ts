import { askFix } from '../src/analyses/ask/fix.js';
import type { PrintedRepair } from '../src/analyses/repair/print.js';
import type { SourceFile } from '../src/core.js';
import { edited, editsFor } from '../src/editor/additions.js';
import { DEFAULT_COSTS } from '../src/rdma/additions.js';
import { fixLines } from '../src/report/fix.js';
import type { Decider } from './decided.js';
import { difference } from './difference.js';
import type { Asked } from './explained.js';
import type { InC } from './in-c.js';
import type { Change, Part } from './question.js';

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
  const change = fix.kind === 'additions' ? changeOf(source, fix.repair) : undefined;
  // Where the change is shown, the whole program need not be.
  const told =
    fix.kind === 'additions' && change !== undefined
      ? { ...fix, repair: { ...fix.repair, litmus: '' } }
      : fix;
  const text = fixLines(told, source).join('\n').trimEnd();
  return { kind: 'fix', focus, text, ...(change && { change }) };
}

/** The program with what a repair adds: written into the text as it is, or as the C was patched. None: it cannot be written there. */
function changeOf(source: SourceFile, repair: PrintedRepair): Change | undefined {
  if (repair.kind !== 'found') return undefined;
  const { text: before } = source;
  const after = textWith(source, repair);
  return after === before ? undefined : { before, after, lines: difference(before, after) };
}

function textWith(source: SourceFile, repair: Extract<PrintedRepair, { kind: 'found' }>): string {
  const { inC } = repair;
  if (inC === undefined) return edited(source.text, editsFor(source, repair));
  return inC.kind === 'patch' ? inC.text : source.text;
}
