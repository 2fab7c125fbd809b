import { askWhy } from '../src/analyses/ask/explain.js';
import type * as core from '../src/core.js';
import type { Timeline } from '../src/analyses/timeline/timeline.js';
import { explanationText } from '../src/report/explain.js';
import { drawTimelineSvg } from '../src/report/picture/timeline-svg.js';
import type { Decider } from './decided.js';
import type { Focus, Part } from './question.js';

/** A query under a model, and where the page shows it. */
export interface Asked {
  readonly test: core.Test;
  readonly source: core.SourceFile;
  readonly model: core.Model;
  readonly focus: Focus;
}

/** Why a query has its answer. */
export async function explained(
  { test, model, focus }: Asked,
  { engine, pool }: Decider,
): Promise<Part> {
  const head = { kind: 'explanation', focus, fixable: test.models === undefined } as const;
  const found = await askWhy(pool, test, [model], focus.query, {
    engine,
    timelines: true,
  });
  if (!found.ok) return { ...head, text: found.errors[0].message };
  const [{ run, admitted, refuted, verdict }] = found.value.models;
  const execution = admitted ?? refuted?.ways?.shapes[0]?.way;
  const timeline = (run ?? execution)?.timeline;
  const title = `${test.name} under ${model.name}: ${found.value.question}: ${verdict}`;
  return {
    ...head,
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
