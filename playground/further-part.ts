import { element, section } from './elements.js';
import { explainedOf } from './explained-part.js';
import { TITLES } from './later.js';
import type { Longer, Part, ShownRead } from './question.js';

type Of<Kind extends Part['kind']> = Extract<Part, { kind: Kind }>;
type Ask = (longer: Longer) => void;

export type Further = Of<'another' | 'reads' | 'changed'>;

/** What is shown of other executions, and asked of them. */
export function furtherOf(part: Further, ask: Ask): HTMLElement {
  switch (part.kind) {
    case 'another':
      return anotherPart(part, ask);
    case 'reads':
      return readsPart(part.reads, ask);
    case 'changed':
      return changedPart(part);
  }
}

function anotherPart({ number, found }: Of<'another'>, ask: Ask): HTMLElement {
  const button = (text: string, seen: number): HTMLElement => {
    const made = element('button', text);
    made.onclick = () => ask({ kind: 'another', seen });
    return made;
  };
  if ('none' in found) {
    const first = number > 2 ? [button('the second again', 0)] : [];
    return section('No other execution', element('p', found.none), ...first);
  }
  return explainedOf(`Execution ${number}`, found, button('another execution', number - 1));
}

function readsPart(reads: readonly ShownRead[], ask: Ask): HTMLElement {
  if (reads.length === 0)
    return section(
      TITLES.reads,
      element('p', 'Nothing else can be read here: no register has a choice.'),
    );
  const which = choice(
    'read',
    reads.map(({ text, is }) => `${text} = ${is}`),
  );
  const to = choice('in its place', []);
  const read = (): ShownRead => reads[Number(which.select.value)];
  const fill = (): void =>
    to.select.replaceChildren(...read().others.map((value) => new Option(String(value))));
  which.select.onchange = fill;
  fill();
  const button = element('button', 'can that be?');
  button.onclick = () => {
    const { thread, register } = read();
    ask({ kind: 'changed', thread, register, value: Number(to.select.value) });
  };
  return section(TITLES.reads, which.label, to.label, button);
}

function choice(
  text: string,
  options: readonly string[],
): { readonly label: HTMLElement; readonly select: HTMLSelectElement } {
  const label = element('label', `${text} `);
  const select = element('select');
  select.append(...options.map((option, i) => new Option(option, String(i))));
  label.append(select, ' ');
  return { label, select };
}

const FREELY: Readonly<Record<string, string>> = {
  allowed: 'It can, if other registers have other values, too.',
  forbidden: 'It cannot with other values of the other registers, either.',
};

function changedPart({ text, verdict, explained, freely }: Of<'changed'>): HTMLElement {
  const said = element('p');
  said.className = 'said';
  const can = { allowed: 'can', forbidden: 'cannot' }[verdict];
  const sentence =
    can === undefined
      ? `Nobody knows yet whether ${text} can be`
      : `${text} ${can} be, while the other registers have the values that they have`;
  said.append(element('strong', sentence));
  if (explained.because !== undefined) said.append(`: ${explained.because}`);
  said.append('.');
  const more = freely === undefined ? [] : [element('p', FREELY[freely] ?? freely)];
  return explainedOf(TITLES.changed, explained, said, ...more);
}
