import type { Verdict } from '../../check/result.js';
import type { Refuted, Shape } from '../../analyses/explain/explanation.js';
import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import type { Timeline } from '../../analyses/timeline/timeline.js';
import { plural } from '../explain-style.js';
import { coresInWords, listInWords } from '../explain-words.js';
import { endingOf } from '../outcome.js';
import { showState } from '../record.js';
import type { ModelGroup } from './groups.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { plainMark } from './marks.js';
import type { FigureTexts } from './picture.js';
import { figure, timelineFigure } from './picture.js';
import type { PagePlace } from './place.js';
import { relationsInWords, violationPart } from './violation.js';
import { violationInWords, waysInWords } from './words.js';

/** A section that opens: why some models answer as they do. */
export function explanationPart(group: ModelGroup, place: PagePlace): Html {
  const { id, anchors, open } = place;
  const { models, explanation } = group;
  const { verdict, unfinished, refuted } = explanation;
  const body =
    refuted === undefined
      ? admittedPart(group, place)
      : refutedPart(refuted, explanation.verdict, listInWords(models), place);
  return html`<details class="explanation" ${open && 'open'}>
    <summary>
      <b>${listInWords(models)}</b>: ${plainMark(verdict)}
      <span class="gist">${gistOf(group)}</span>
    </summary>
    <div id="${id}" class="body">
      ${anchors}${body}${unfinished !== undefined && html`<p class="unfinished">Not finished: ${unfinished}</p>`}
    </div>
  </details>`;
}

/** The summary in the head of a section, which is visible while it is closed. */
function gistOf({ explanation: { verdict, admitted, refuted } }: ModelGroup): string {
  if (admitted !== undefined) return showState(admitted.state);
  const first = refuted?.ways?.shapes[0];
  if (first === undefined) return `no execution ends ${endingOf(verdict)}`;
  return violationInWords(first.way.violation);
}

function admittedPart({ models, explanation, orders }: ModelGroup, place: PagePlace): Html {
  const { admitted } = explanation;
  if (admitted === undefined) return html``;
  const { graph, state, timeline } = admitted;
  const title = `An execution that ${listInWords(models)} ${admit(models)}, with ${showState(state)}`;
  const ending = endingOf(explanation.verdict);
  const pictures = picturesOf(graph, timeline, place, {
    title,
    caption: `An execution that ends ${ending}`,
  });
  return html`<div class="beside">
      ${pictures.first}
      <div>${orders.map((of, i) => orderPart(of, ending, i === 0))}</div>
    </div>
    ${pictures.folded}`;
}

/**
 * The pictures of an execution: a timeline, for readers who know verbs; and folded away a graph of events, for readers
 * who know models. Without a timeline, only the graph.
 */
function picturesOf(
  graph: ExecutionGraph,
  timeline: Timeline | undefined,
  { id, album }: PagePlace,
  { title, caption }: FigureTexts,
): { readonly first: Html; readonly folded?: Html } {
  const drawn = figure(graph, `${id}-p`, { title, caption: `${caption}:` }, album);
  if (timeline === undefined) return { first: drawn };
  const texts = { title: `${title}, in space and time`, caption: `${caption}, from above:` };
  return {
    first: timelineFigure(timeline, `${id}-t`, texts, album),
    folded: html`<details class="graph">
      <summary>As a graph of events</summary>
      ${drawn}
    </details>`,
  };
}

const admit = (models: readonly string[]): string => (models.length === 1 ? 'admits' : 'admit');

/** The steps that lead to an execution. If models have different ones, all but those of the first are folded away. */
function orderPart(
  { models, order }: ModelGroup['orders'][number],
  ending: string,
  open: boolean,
): Html {
  const head =
    order.kind === 'run'
      ? html`A run of the machine of ${listInWords(models)} that ends ${ending}`
      : html`${listInWords(models)}: the events in an order that agrees with ${order.axiom}`;
  return html`<details class="run" ${open && 'open'}>
    <summary>${head}</summary>
    <ol>
      ${order.steps.map((step) => html`<li>${step}</li>`)}
    </ol>
  </details>`;
}

/** At most so many shapes of violations are shown: nobody reads more. */
const SHAPES = 8;

function refutedPart(refuted: Refuted, verdict: Verdict, models: string, place: PagePlace): Html {
  const { ways } = refuted;
  const why = html`<p>${coresInWords(refuted, verdict)}</p>`;
  if (ways === undefined || ways.shapes.length === 0) return why;
  const [first, ...others] = ways.shapes.slice(0, SHAPES);
  const hidden = Math.max(0, ways.shapes.length - SHAPES);
  const words = relationsInWords([
    first.way.violation,
    ...first.way.others,
    ...others.map(({ way }) => way.violation),
  ]);
  return html`${why}
    <p>${waysInWords(ways)}</p>
    ${firstPart(first, verdict, models, place)}${others.map(otherPart)}${
      hidden > 0 && html`<p>${plural(hidden, 'more shape')} not shown.</p>`
    }${words}`;
}

const alike = ({ ways }: Shape): string =>
  ways === 1 ? '' : ` (${plural(ways, 'way')} of this shape)`;

/** A candidate of the first shape, with pictures, and all the axioms that it breaks. */
function firstPart(shape: Shape, verdict: Verdict, models: string, place: PagePlace): Html {
  const { graph, violation, others, state, timeline } = shape.way;
  const pictures = picturesOf(graph, timeline, place, {
    title: `A candidate with ${showState(state)} under ${models}: ${violationInWords(violation)}`,
    caption: `A candidate that ends ${endingOf(verdict)}${alike(shape)}`,
  });
  return html`<div class="beside">
      ${pictures.first}
      <div>${[violation, ...others].map((v) => violationPart(v, graph))}</div>
    </div>
    ${pictures.folded}`;
}

/** Another shape of violations. It has no picture, because that would look much like the first. */
function otherPart(shape: Shape): Html {
  const { violation, graph, beside } = shape.way;
  const aside = beside ? ', about none of the values asked for' : '';
  return html`<details class="way">
    <summary>Another way${aside}${alike(shape)}: ${violationInWords(violation)}</summary>
    ${violationPart(violation, graph)}
  </details>`;
}
