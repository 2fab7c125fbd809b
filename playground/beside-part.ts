import { element, pre, section } from './elements.js';
import { explainIn } from './explained-part.js';
import { TITLES } from './later.js';
import type { Longer, Part, Side } from './question.js';
import { SENTENCES } from './sentences.js';
import type { ShippedTexts } from './shipped.js';
import type { Work } from './work.js';

type Beside = Extract<Longer, { kind: 'beside' }>;

interface Given {
  readonly work: Work;
  readonly shipped: ShippedTexts;
  /** The names of models, and what they are called. */
  readonly models: readonly (readonly [name: string, shown: string])[];
  /** The model of what is explained. */
  readonly under: string;
}

const THIS = 'this program';
const AS_IT_WAS = 'this program as it was';

/**
 * Asks what to put beside what is explained: another model, or another program.
 *
 * @param ask is told what is wanted; undefined: nothing any more
 */
export async function besideForm(
  { work, shipped, models, under }: Given,
  ask: (beside: Beside | undefined) => void,
): Promise<HTMLElement> {
  const names = (await shipped.examples()).map(([name]) => name);
  const model = element('select');
  model.append(...models.map(([name, shown]) => new Option(shown, name)));
  const [other] = models.find(([name]) => name !== under) ?? models[0];
  model.value = other;
  const program = element('select');
  const wasEdited = work.isEdited(work.program) ? [AS_IT_WAS] : [];
  for (const name of [THIS, ...wasEdited, ...names]) program.append(new Option(name));
  const show = element('button', 'show');
  show.onclick = async () => {
    const asked = { kind: 'beside', model: work.askedModel(model.value) } as const;
    const name = program.value;
    if (name === THIS) {
      ask(asked);
      return;
    }
    if (name !== AS_IT_WAS) await shipped.load(name);
    const litmus = name === AS_IT_WAS ? (shipped.program(work.program) ?? '') : work.textOf(name);
    ask({ ...asked, program: { name, litmus } });
  };
  const close = element('button', 'close');
  close.onclick = () => ask(undefined);
  return section(
    TITLES.beside,
    labelled('under', model),
    labelled('the program', program),
    show,
    close,
  );
}

function labelled(text: string, select: HTMLSelectElement): HTMLElement {
  const made = element('label', `${text} `);
  made.append(select, ' ');
  return made;
}

/** Two answers beside each other; on a narrow screen, below each other. */
export function besidePart({ sides }: Extract<Part, { kind: 'beside' }>): HTMLElement {
  const both = element('div');
  both.className = 'beside';
  both.append(...sides.map(sideOf));
  return section(TITLES.beside, both);
}

function sideOf({ title, asks, verdict, reason, explained }: Side): HTMLElement {
  const said = element('p');
  said.className = 'said';
  said.append(element('strong', SENTENCES[verdict] ?? verdict));
  const because = reason ?? explained?.because;
  said.append(because === undefined ? '.' : `: ${because}.`);
  const made = element('article');
  made.ariaLabel = title;
  made.append(element('h3', title), pre(asks), said);
  if (explained !== undefined) explainIn(made, explained);
  return made;
}
