import { besidePart } from './beside-part.js';
import { element, pre, scrolling, section } from './elements.js';
import { explainedOf } from './explained-part.js';
import { TITLES } from './later.js';
import type { Change, DifferenceLine, Part, ShownRead } from './question.js';
import type { Choices } from './results.js';

type Of<Kind extends Part['kind']> = Extract<Part, { kind: Kind }>;
type Ask = Choices['ask'];

export type Further = Of<'fix' | 'another' | 'reads' | 'changed' | 'beside'>;

/** What is shown of a longer question. */
export function furtherOf(
  part: Further,
  { ask, apply }: Pick<Choices, 'ask' | 'apply'>,
): HTMLElement {
  switch (part.kind) {
    case 'fix':
      return fixPart(part, apply);
    case 'beside':
      return besidePart(part);
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
    return section(TITLES.reads, element('p', 'Nothing else can be read here.'));
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
    ask({ kind: 'changed', subject: read().subject, value: Number(to.select.value) });
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
  allowed: 'It can, if others have other values, too.',
  forbidden: 'It cannot with other values of the others, either.',
};

function changedPart({ text, verdict, explained, freely }: Of<'changed'>): HTMLElement {
  const said = element('p');
  said.className = 'said';
  const can = { allowed: 'can', forbidden: 'cannot' }[verdict];
  const sentence =
    can === undefined
      ? `Nobody knows yet whether ${text} can be`
      : `${text} ${can} be, while all else that was read stays as it is`;
  said.append(element('strong', sentence));
  if (explained.because !== undefined) said.append(`: ${explained.because}`);
  said.append('.');
  const more = freely === undefined ? [] : [element('p', FREELY[freely] ?? freely)];
  return explainedOf(TITLES.changed, explained, said, ...more);
}

/** What would change the verdict, and a button that writes it into the program. */
function fixPart({ text, change }: Of<'fix'>, apply: Choices['apply']): HTMLElement {
  const made = section(TITLES.fix, pre(text));
  if (change === undefined) return made;
  const button = element('button', 'apply it');
  button.onclick = () => apply(change);
  made.append(differenceOf(change), button);
  return made;
}

/** What a change of the program takes away and adds, by signs and by colours. */
function differenceOf({ lines }: Change): HTMLElement {
  const made = scrolling('the difference');
  made.classList.add('difference');
  made.append(
    ...lines.map(({ kind, text }) => {
      const { sign, name } = LINES[kind];
      const line = element('div', sign);
      line.className = kind;
      line.append(element(name, text));
      return line;
    }),
  );
  return made;
}

const LINES: Readonly<
  Record<DifferenceLine['kind'], { readonly sign: string; readonly name: 'ins' | 'del' | 'span' }>
> = {
  removed: { sign: '−', name: 'del' },
  added: { sign: '+', name: 'ins' },
  same: { sign: ' ', name: 'span' },
  'left out': { sign: ' ', name: 'span' },
};
