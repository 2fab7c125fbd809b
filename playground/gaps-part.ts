import type { ShownFilling, ShownGap } from './c-part.js';
import { element, pre, section } from './elements.js';
import type { Part } from './question.js';

const INTRODUCTION =
  'The comment in front of the program says which machines there are, and where pointers lead. This is still open:';
const BY_HAND = 'Only who knows the code can say it: write it into the comment.';
const LATER = 'This depends on the others.';

/** @param fill is told what people choose */
type Fill = (filling: ShownFilling) => void;

/** What a head has still to say: each gap with its line of C, and a button for each thing that may stand there. */
export function gapsOf({ gaps }: Extract<Part, { kind: 'gaps' }>, fill: Fill): HTMLElement {
  const list = element('ol');
  list.className = 'gaps';
  list.append(...gaps.map((gap) => gapOf(gap, fill)));
  return section('To fill in', element('p', INTRODUCTION), list);
}

function gapOf({ text, code, line, waits, fillings }: ShownGap, fill: Fill): HTMLElement {
  const made = element('li');
  made.append(element('h3', text));
  if (code !== undefined) made.append(element('p', `line ${line}:`), pre(code));
  const buttons = fillings.map((one) => {
    const button = element('button', one.text);
    button.onclick = () => fill(one);
    if (one.note !== undefined) button.append(' ', element('small', one.note));
    return button;
  });
  made.append(...(buttons.length > 0 ? buttons : [element('p', waits ? LATER : BY_HAND)]));
  return made;
}
