import { askWhy } from '../src/analyses/ask/explain.js';
import { askFix } from '../src/analyses/ask/fix.js';
import type * as core from '../src/core.js';
import { DEFAULT_COSTS } from '../src/rdma/additions.js';
import type { Timeline } from '../src/analyses/timeline/timeline.js';
import { explanationText } from '../src/report/explain.js';
import { fixLines, fixPatchLines } from '../src/report/fix.js';
import { drawTimelineSvg } from '../src/report/picture/timeline-svg.js';
import type { Decider } from './decided.js';
import type { InC } from './in-c.js';
import type { Focus, Part } from './question.js';

/** A query under a model, and where the page shows it. */
interface Asked {
  readonly test: core.Test;
  readonly source: core.SourceFile;
  readonly model: core.Model;
  readonly focus: Focus;
}

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

/** Why a query has its answer. */
export async function explained(
  { test, model, focus }: Asked,
  { engine, pool }: Decider,
): Promise<Part> {
  const found = await askWhy(pool, test, [model], focus.query, {
    engine,
    timelines: true,
  });
  if (!found.ok) return { kind: 'explanation', focus, text: found.errors[0].message };
  const [{ run, admitted, refuted, verdict }] = found.value.models;
  const execution = admitted ?? refuted?.ways?.shapes[0]?.way;
  const timeline = (run ?? execution)?.timeline;
  const title = `${test.name} under ${model.name}: ${found.value.question}: ${verdict}`;
  return {
    kind: 'explanation',
    focus,
    text: explanationText(found.value),
    ...(timeline && because(timeline)),
    ...(timeline && refuted === undefined && { steps: timeline }),
    ...(execution && { graph: execution.graph }),
    ...(timeline && {
      timeline: drawTimelineSvg(timeline, title, { idPrefix: 'timeline' }),
    }),
  };
}

/** What goes wrong in a run, or what rules it out: what is said at a step of the picture. */
function because({ steps }: Timeline): { readonly because?: string } {
  const noted = steps.filter(({ note }) => note !== undefined);
  const step = noted.findLast(({ note }) => note!.startsWith('too early')) ?? noted.at(-1);
  if (step === undefined) return {};
  const note = step.note!.replace(/ (since|before) (\d+)$/, ' $1 step $2');
  const reason = /^cannot be: (.* is in memory .*)/.exec(note)?.[1];
  return { because: reason ?? `${step.text}, ${note}` };
}
