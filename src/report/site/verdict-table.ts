import type { Query } from '../../program/program.js';
import { SIGNS, loopBound, roomInWords, seenText, statesInWords, wordFor } from '../outcome.js';
import { showState } from '../record.js';
import type { VerdictCell } from './verdict-cells.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { verdictMark } from './marks.js';

/**
 * The verdicts on a query: a row for each model that was asked, and beside each verdict what the file says.
 *
 * @param idOf the id of the place where the verdict of a model is explained. If there is nothing to explain, the id for
 *   its row
 */
export function verdictTable(
  cells: readonly VerdictCell[],
  idOf: (model: string) => string,
  isExplained: (model: string) => boolean,
): Html {
  const asked = cells.filter((cell) => cell.outcome !== 'not asked');
  const remarked = asked.some((cell) => remarksOn(cell).length > 0);
  return html`<div class="scroll">
    <table class="verdicts">
      <caption class="unseen">
        Verdicts, and what the file says of them
      </caption>
      <thead>
        <tr>
          <th scope="col">model</th>
          <th scope="col">verdict</th>
          <th scope="col">in the file</th>
          ${remarked && html`<th scope="col">remarks</th>`}
        </tr>
      </thead>
      <tbody>
        ${asked.map((cell) => row(cell, idOf(cell.model), isExplained(cell.model), remarked))}
      </tbody>
    </table>
  </div>`;
}

function row(cell: VerdictCell, id: string, isExplained: boolean, remarked: boolean): Html {
  const { model, answer } = cell;
  const mark = verdictMark(cell);
  const state = answer?.state === undefined ? '' : showState(answer.state);
  return html`<tr class="${cell.departs && 'departing'}" ${!isExplained && html`id="${id}"`}>
    <th scope="row">${model}</th>
    <td>
      ${isExplained ? html`<a class="why" href="#${encodeURIComponent(id)}">${mark}</a>` : mark}${
        state !== '' && html`<span class="state">${state}</span>`
      }
    </td>
    <td>${statedPart(cell)}</td>
    ${remarked && html`<td>${remarksOn(cell).join('; ')}</td>`}
  </tr>`;
}

/** The verdict that the file states, and on what authority. */
function statedPart({ expected, departs }: VerdictCell): Html {
  if (expected === undefined) return html`<span class="silent">says nothing</span>`;
  const { authority, verdict, where } = expected;
  const how = {
    published: 'published',
    computed: 'computed and reviewed',
    claim: 'claimed',
  }[authority];
  const source = where === undefined ? '' : ` (${where})`;
  const text = html`${how}: <b>${wordFor(verdict)}</b>${source}`;
  return departs ? html`<strong class="departure">${SIGNS.departs} ${text}</strong>` : text;
}

function remarksOn({ outcome, answer, note }: VerdictCell): readonly string[] {
  const remarks: string[] = [];
  if (note !== undefined) remarks.push(note);
  if (answer?.reason !== undefined) remarks.push(answer.reason);
  if (answer?.upTo !== undefined) {
    remarks.push(`for runs with ${loopBound(answer.upTo)}`);
  }
  if (answer?.full !== undefined) remarks.push(roomInWords(answer));
  if (answer?.states !== undefined) remarks.push(statesInWords(answer));
  for (const assumption of answer?.assuming ?? []) remarks.push(`if ${assumption}`);
  if (answer !== undefined && answer.flags.length > 0) {
    remarks.push(`flags: ${answer.flags.join(', ')}`);
  }
  if (outcome === 'untranslatable' && note === undefined) remarks.push(wordFor(outcome));
  return remarks;
}

/** What was seen on hardware. */
export function observedPart({ observations }: Query): Html | undefined {
  if (observations.length === 0) return undefined;
  return html`<ul class="observed">
    ${observations.map(
      ({ seen, remark }) =>
        html`<li>
          On hardware:
          <b>${seenText(seen)}</b>${remark !== undefined && `, ${remark}`}
        </li>`,
    )}
  </ul>`;
}
