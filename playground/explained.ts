import { askWhy } from '../src/analyses/ask/explain.js';
import { askFix } from '../src/analyses/ask/fix.js';
import type * as core from '../src/core.js';
import { DEFAULT_COSTS } from '../src/rdma/additions.js';
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

/** Why a query has its answer, and what would change it. */
export async function* explained(
  asked: Asked,
  by: Decider,
  inC: InC | undefined,
): AsyncGenerator<Part> {
  const { test, source, model, focus } = asked;
  const { query } = focus;
  const told = inC?.withLines(test) ?? test;
  yield await explanation(told, model, focus, by);
  if (test.models !== undefined) return;
  const { engine, pool } = by;
  const found = await askFix(pool, told, model, query, {
    costs: DEFAULT_COSTS,
    engine,
  });
  const fix = (await inC?.fix(found, { test, model, query })) ?? found;
  const patch = fixPatchLines(fix);
  const lines = [...fixLines(fix, source), ...(patch.length > 0 ? ['', ...patch] : [])];
  yield { kind: 'fix', focus, text: lines.join('\n') };
}

async function explanation(
  test: core.Test,
  model: core.Model,
  focus: Focus,
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
    ...(execution && { graph: execution.graph }),
    ...(timeline && {
      timeline: drawTimelineSvg(timeline, title, { idPrefix: 'timeline' }),
    }),
  };
}
