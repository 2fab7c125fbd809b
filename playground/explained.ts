import type { AskOptions } from '../src/analyses/ask/explain.js';
import { askWhy } from '../src/analyses/ask/explain.js';
import type { ModelExplanation } from '../src/analyses/explain/explanation.js';
import type * as core from '../src/core.js';
import type { Timeline } from '../src/analyses/timeline/timeline.js';
import { explanationText } from '../src/report/explain.js';
import { drawTimelineSvg } from '../src/report/picture/timeline-svg.js';
import type { Decider } from './decided.js';
import type { Explained, Focus, Part } from './question.js';

/** A query under a model, and where the page shows it. */
export interface Asked {
  readonly test: core.Test;
  readonly source: core.SourceFile;
  readonly model: core.Model;
  readonly focus: Focus;
}

/** Why a query has its answer. */
export async function explained(asked: Asked, by: Decider): Promise<Part> {
  const { test, focus } = asked;
  const head = { kind: 'explanation', focus, fixable: test.models === undefined } as const;
  const { explanation, told } = await toldOf(asked, by, { id: 'timeline' });
  const executions = test.models === undefined && explanation?.admitted !== undefined;
  return { ...head, executions, ...told };
}

/** What is shown of an explanation, and what it is of. */
interface Told {
  readonly explanation?: ModelExplanation;
  readonly told: Explained;
}

/**
 * Has a query explained.
 *
 * @param id a name for the picture, as a page may have several
 * @param answer if it is there already
 */
export async function toldOf(
  { test, model, focus }: Asked,
  { engine, pool }: Decider,
  { id, answer, exactly }: Pick<AskOptions, 'exactly'> & { id: string; answer?: core.Answer },
): Promise<Told> {
  const found = await askWhy(pool, test, [model], focus.query, {
    engine,
    timelines: true,
    answers: [answer],
    exactly,
  });
  if (!found.ok) return { told: { text: found.errors[0].message } };
  const [explanation] = found.value.models;
  const text = explanationText(found.value);
  if (explanation === undefined) return { told: { text } };
  const { run, admitted, refuted, verdict } = explanation;
  const execution = admitted ?? refuted?.ways?.shapes[0]?.way;
  const timeline = (run ?? execution)?.timeline;
  const title = `${test.name} under ${model.name}: ${found.value.question}: ${verdict}`;
  return {
    explanation,
    told: {
      text,
      ...(timeline && because(timeline)),
      ...(timeline && refuted === undefined && { steps: timeline }),
      ...(execution && { graph: execution.graph }),
      ...(timeline && { timeline: drawTimelineSvg(timeline, title, { idPrefix: id }) }),
    },
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
