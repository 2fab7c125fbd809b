import type { Answer } from '../../check/result.js';
import { groupBy } from '../../model/relation/groups.js';
import { timelineOfShown } from '../../analyses/timeline/from-run.js';
import type { Program, Query } from '../../program/program.js';
import { showQuery } from '../../program/print.js';
import { plural } from '../explain-style.js';
import { listInWords } from '../explain-words.js';
import { drawnRun } from '../picture/index.js';
import type { Html } from './html.js';
import { html } from './html.js';
import { plainMark } from './marks.js';
import type { PagePlace } from './place.js';
import { runFigure, timelineFigure } from './picture.js';
import type { VerdictCell } from './verdict-cells.js';

/** A run that shows an answer, and the models that have this run. */
export interface RunGroup {
  readonly models: readonly string[];
  readonly answer: Answer;
}

/** The runs that show the answers to a query, without repetitions. */
export function runGroupsOf(cells: readonly VerdictCell[]): readonly RunGroup[] {
  const shown = cells.flatMap(({ model, answer }) =>
    answer?.steps === undefined ? [] : [{ model, answer }],
  );
  const alike = groupBy(shown, ({ answer: { run, round } }) => JSON.stringify([run, round]));
  return [...alike.values()].map((group) => ({
    models: group.map(({ model }) => model),
    answer: group[0].answer,
  }));
}

/** A section that opens: a run in space and time; and folded away the whole run, as a picture and in words. */
export function runPart(
  { models, answer }: RunGroup,
  program: Program,
  query: Query,
  { id, anchors, album, open }: PagePlace,
): Html {
  const { run = [], round } = answer;
  const drawn = drawnRun(program, answer);
  const title = `${showQuery(query)} fails under ${listInWords(models)}`;
  const name = round === undefined ? 'A run' : 'A run, and a round that is taken for ever';
  const timeline = timelineOfShown(program, query, answer);
  const gist = `${plural(run.length, 'step')}${round === undefined ? '' : `, then a round of ${round.length}`}`;
  return html`<details class="explanation" ${open && 'open'}>
    <summary>
      <b>${listInWords(models)}</b>: ${plainMark(answer.verdict)} <span class="gist">${gist}</span>
    </summary>
    <div id="${id}" class="body">
      ${anchors}
      ${timelineFigure(
        timeline,
        `${id}-t`,
        { title: `${title}, in space and time`, caption: `${name}, from above:` },
        album,
      )}
      <details class="graph">
        <summary>As steps of threads</summary>
        ${runFigure(drawn, `${id}-p`, { title, caption: `${name}:` }, album)}
      </details>
      <details class="run">
        <summary>In words</summary>
        <ol>
          ${run.map((step) => html`<li>${step}</li>`)}
        </ol>
        ${
          round !== undefined &&
          html`<p>And then, for ever:</p>
            <ol start="${run.length + 1}">
              ${round.map((step) => html`<li>${step}</li>`)}
            </ol>`
        }
      </details>
    </div>
  </details>`;
}
