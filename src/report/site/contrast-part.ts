import type { Explanation } from '../../analyses/explain/explanation.js';
import { listInWords } from '../explain-words.js';
import type { Contrast } from './groups.js';
import type { Html } from './html.js';
import { html } from './html.js';
import type { PagePlace } from './place.js';
import { figure } from './picture.js';
import { relationsInWords, violationPart } from './violation.js';
import { violationInWords } from './words.js';

/** Models that disagree: an execution that one of them admits, and how it breaks the axioms of the others. */
export function contrastPart(
  { admits, rejecting, comparison }: Contrast,
  { models }: Explanation,
  { id, album, open }: Omit<PagePlace, 'anchors'>,
): Html {
  const { graph, violations, incomparable } = comparison;
  const reject = `${listInWords(rejecting)} ${rejecting.length === 1 ? 'rejects' : 'reject'}`;
  const head = html`<b>${admits}</b> admits what <b>${listInWords(rejecting)}</b> ${
      rejecting.length === 1 ? 'rejects' : 'reject'
    }`;
  const admitted = models.find((m) => m.model === admits)?.admitted;
  if (graph === undefined || admitted === undefined) {
    return html`<p>
      ${head}. Not compared: ${incomparable ?? 'there is no execution to compare'}.
    </p>`;
  }
  const [first] = violations;
  const wrong = violationInWords(first);
  const left = figure(
    admitted.graph,
    `${id}-a`,
    {
      title: `An execution that ${admits} admits`,
      caption: `${admits} admits this execution:`,
    },
    album,
  );
  const right = figure(
    graph,
    `${id}-r`,
    {
      title: `The same execution, which ${reject}: ${wrong}`,
      caption: `${reject} it: ${wrong}:`,
    },
    album,
  );
  return html`<details class="contrast" ${open && 'open'}>
    <summary>${head} <span class="gist">${wrong}</span></summary>
    <div class="sides">
      <div>${left}</div>
      <div>
        ${right}${violations.map((v) => violationPart(v, graph))}${relationsInWords(violations)}
      </div>
    </div>
  </details>`;
}
