import type { Verdict } from '../../check/result.js';
import type { Refuted, Shape } from '../../analyses/explain/explanation.js';
import { plural } from '../explain-style.js';
import { coresInWords, list } from '../explain-words.js';
import { endingOf } from '../outcome.js';
import { showState } from '../record.js';
import type { ModelGroup } from './groups.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { plainMark } from './marks.js';
import { figure } from './picture.js';
import { relationsInWords, violationPart } from './violation.js';
import { violationInWords, waysInWords } from './words.js';

/** Why models answer as they do: a section that opens; `id` begins all anchors in it. */
export function explanationPart(group: ModelGroup, id: string, open: boolean): Html {
  const { models, explanation } = group;
  const { verdict, unfinished, refuted } = explanation;
  const body =
    refuted === undefined
      ? admittedPart(group, id)
      : refutedPart(refuted, explanation.verdict, list(models), id);
  return html`<details class="explanation" ${open && 'open'}>
    <summary>
      <b>${list(models)}</b>: ${plainMark(verdict)} <span class="gist">${gistOf(group)}</span>
    </summary>
    <div id="${id}" class="body">
      ${body}${unfinished !== undefined && html`<p class="unfinished">Not finished: ${unfinished}</p>`}
    </div>
  </details>`;
}

/** What a closed section tells. */
function gistOf({ explanation: { verdict, admitted, refuted } }: ModelGroup): string {
  if (admitted !== undefined) return showState(admitted.state);
  const first = refuted?.ways?.shapes[0];
  if (first === undefined) return `no execution ends ${endingOf(verdict)}`;
  return violationInWords(first.way.violation);
}

function admittedPart({ models, explanation, orders }: ModelGroup, id: string): Html {
  const { admitted } = explanation;
  if (admitted === undefined) return html``;
  const { graph, state } = admitted;
  const title = `An execution that ${list(models)} ${admit(models)}, with ${showState(state)}`;
  const caption = `An execution that ends ${endingOf(explanation.verdict)}:`;
  const picture = figure(graph, `${id}-p`, { title, caption });
  return html`<div class="beside">
    ${picture}
    <div>${orders.map((of, i) => orderPart(of, endingOf(explanation.verdict), i === 0))}</div>
  </div>`;
}

const admit = (models: readonly string[]): string => (models.length === 1 ? 'admits' : 'admit');

/** The steps that lead to an execution; those of further models are folded away. */
function orderPart(
  { models, order }: ModelGroup['orders'][number],
  ending: string,
  open: boolean,
): Html {
  const head =
    order.kind === 'run'
      ? html`A run of the machine of ${list(models)} that ends ${ending}`
      : html`${list(models)}: the events in an order that agrees with ${order.axiom}`;
  return html`<details class="run" ${open && 'open'}>
    <summary>${head}</summary>
    <ol>
      ${order.steps.map((step) => html`<li>${step}</li>`)}
    </ol>
  </details>`;
}

/** At most so many shapes are shown. Nobody reads more. */
const SHAPES = 8;

function refutedPart(refuted: Refuted, verdict: Verdict, models: string, id: string): Html {
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
    ${firstPart(first, verdict, models, id)}${others.map(otherPart)}${
      hidden > 0 && html`<p>${plural(hidden, 'more shape')} not shown.</p>`
    }${words}`;
}

const alike = ({ ways }: Shape): string =>
  ways === 1 ? '' : ` (${plural(ways, 'way')} of this shape)`;

/** A candidate of the first shape, and all that is wrong with it. */
function firstPart(shape: Shape, verdict: Verdict, models: string, id: string): Html {
  const { graph, violation, others, state } = shape.way;
  const picture = figure(graph, `${id}-p`, {
    title: `A candidate with ${showState(state)} under ${models}: ${violationInWords(violation)}`,
    caption: `A candidate that ends ${endingOf(verdict)}${alike(shape)}:`,
  });
  return html`<div class="beside">
    ${picture}
    <div>${[violation, ...others].map((v) => violationPart(v, graph))}</div>
  </div>`;
}

/** Another way in which candidates fail, without a picture: it would be much like the first. */
function otherPart(shape: Shape): Html {
  const { violation, graph, beside } = shape.way;
  const aside = beside ? ', about none of the values asked for' : '';
  return html`<details class="way">
    <summary>Another way${aside}${alike(shape)}: ${violationInWords(violation)}</summary>
    ${violationPart(violation, graph)}
  </details>`;
}
