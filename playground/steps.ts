import type { Timeline } from '../src/analyses/timeline/timeline.js';
import { element, scrolling } from './elements.js';

/**
 * A slider over a timeline: what is done at a step, and what memory and buffers hold after it. The picture fades what is still to come.
 *
 * @param picture the drawn timeline
 */
export function stepsOf(timeline: Timeline, picture: ParentNode): HTMLElement {
  const { steps } = timeline;
  const made = element('div');
  const slider = element('input');
  slider.type = 'range';
  slider.min = '0';
  slider.max = String(steps.length);
  slider.value = '0';
  slider.ariaLabel = 'step';
  const told = element('p');
  told.setAttribute('aria-live', 'polite');
  const state = element('div');
  const show = (): void => {
    const done = Number(slider.value);
    const step = steps[done - 1];
    const words = [step?.text ?? 'at first', step?.note].filter((part) => part !== undefined);
    told.textContent = `${done} of ${steps.length}: ${words.join(', ')}`;
    slider.setAttribute('aria-valuetext', told.textContent);
    state.replaceChildren(scrolling('memory and buffers', table(timeline, done)));
    fade(timeline, picture, done);
  };
  const by = (text: string, step: number): HTMLButtonElement => {
    const button = element('button', text);
    button.onclick = () => {
      slider.valueAsNumber += step;
      show();
    };
    return button;
  };
  slider.oninput = show;
  made.append(by('back', -1), slider, by('on', 1), told, state);
  show();
  return made;
}

/** What each node has in memory, and what waits in buffers there, after so many steps. */
function table({ steps, lanes, waits, memory }: Timeline, done: number): HTMLTableElement {
  const stored = new Map(
    steps.slice(0, done).flatMap(({ stored }) => (stored ? [[stored.place, stored.value]] : [])),
  );
  const made = element('table');
  const head = made.createTHead().insertRow();
  for (const text of ['node', 'in memory', 'still in a buffer']) {
    const cell = element('th', text);
    cell.scope = 'col';
    head.append(cell);
  }
  const body = made.createTBody();
  for (const node of new Set([...memory, ...lanes].map((one) => one.node))) {
    const cells = memory
      .filter((cell) => cell.node === node)
      .map(({ place, value }) => `${place} = ${stored.get(place) ?? value}`);
    const waiting = waits
      .filter(({ lane, from, to }) => lanes[lane].node === node && from < done && done <= to)
      .map(({ lane, what }) => `${what} (${lanes[lane].thread ?? 'NIC'})`);
    const row = body.insertRow();
    const name = element('th', node);
    name.scope = 'row';
    row.append(name);
    for (const texts of [cells, waiting]) row.insertCell().append(texts.join(', ') || '–');
  }
  return made;
}

/** The groups of a picture are named by what they draw: `e3` is the fourth step, `a3` the fourth way. */
function fade({ steps, ways }: Timeline, picture: ParentNode, done: number): void {
  const set = (name: string, isDone: boolean): void => {
    const group = picture.querySelector<SVGElement>(`[id$="-${name}"]`);
    if (group !== null) group.style.opacity = isDone ? '' : '0.15';
  };
  for (const i of steps.keys()) set(`e${i}`, i < done);
  for (const [i, { from, to }] of ways.entries()) set(`a${i}`, Math.max(from, to) < done);
}
