import type { Step, AxiomViolation } from '../../analyses/explain/explanation.js';
import type { ExecutionGraph } from '../../analyses/explain/graph.js';
import { referenceIn } from '../explain-graph.js';
import type { Html } from './html.js';
import { html } from './html.js';

/** How an execution breaks an axiom: a list of its steps, and inside each what it consists of. */
export function violationPart(violation: AxiomViolation, graph: ExecutionGraph): Html {
  const { axiom, relation, kind, steps, event } = violation;
  const named = relation.split(' ')[1] === axiom ? '' : relation;
  const about = html`The axiom <b>${axiom}</b>${named !== '' && html`, <code>${named}</code>,`} is
    broken`;
  const name = nameIn(graph);
  switch (kind) {
    case 'absence':
      return html`<p>${about}: what it asks for is not there.</p>`;
    case 'event':
      return html`<p>${about} by <code>${name(event)}</code>.</p>`;
    case 'cycle':
    case 'pair':
      return html`<p>${about} by ${kind === 'cycle' ? 'a cycle' : 'a pair'}:</p>
        <ol class="steps">
          ${steps.map((step) => stepItem(step, name))}
        </ol>`;
  }
}

/** What the relations of violations mean, each once. Relations that the model has no words for are left out. */
export function relationsInWords(violations: readonly AxiomViolation[]): Html | undefined {
  const told = new Map<string, string>();
  for (const { steps } of violations) note(steps, told);
  if (told.size === 0) return undefined;
  return html`<p>In words, where the arrow points to “the other”:</p>
    <dl class="words">
      ${[...told].map(
        ([relation, words]) =>
          html`<div>
            <dt><code>${relation}</code></dt>
            <dd>${words}</dd>
          </div>`,
      )}
    </dl>`;
}

type Naming = (id: number | undefined) => string;

/** What the events of an execution are called: the same as in text. */
function nameIn(graph: ExecutionGraph): Naming {
  const reference = referenceIn(graph);
  return (id) => (id === undefined ? '' : reference(id));
}

function stepItem({ from, to, because, via, also }: Step, name: Naming, and = false): Html {
  const texts = because
    .map((layer) => layer.text)
    .filter((text, i, all) => !says(all[i - 1], text));
  const parts = [
    ...via.map((step) => stepItem(step, name)),
    ...also.map((step) => stepItem(step, name, true)),
  ];
  return html`<li>
    <span class="step"
      >${and && 'and '}<code>${name(from)} → ${name(to)}</code>
      <code class="why">${texts.join(': ')}</code></span
    >${
      parts.length > 0 &&
      html`<ul>
        ${parts}
      </ul>`
    }
  </li>`;
}

/** Does the text of a relation already show the name of the next one? Then that name is not shown again. */
function says(outer: string | undefined, inner: string): boolean {
  return outer !== undefined && outer.split(/[^\w.'-]+/).includes(inner);
}

function note(steps: readonly Step[], told: Map<string, string>): void {
  for (const { because, via, also } of steps) {
    for (const { text, words } of because) if (words !== undefined) told.set(text, words);
    note(via, told);
    note(also, told);
  }
}
