import { cell, element, pre, scrolling, section, verdictButton, warned } from './elements.js';
import type { ShownFilling } from './c-part.js';
import type { Further } from './further-part.js';
import { explainedOf } from './explained-part.js';
import { SENTENCES } from './sentences.js';
import type { Change, Focus, Longer, Mistake, Part, ShownVerdict } from './question.js';

type Shown = Part['kind'] | 'trouble' | 'said' | 'offer' | 'beside form';

/** What comes with a part of an answer, and goes with it. */
const COMES_WITH: Readonly<Record<string, string>> = {
  said: 'verdicts',
  offer: 'explanation',
  'beside form': 'beside',
};

/** From top to bottom: what is undecided stands below the verdicts. */
const ORDER: readonly Shown[] = [
  ...([
    'mistakes',
    'gaps',
    'said',
    'verdicts',
    'fabrics',
    'trouble',
    'explanation',
    'offer',
    'beside form',
    'beside',
    'fix',
    'another',
    'reads',
    'changed',
    'states',
    'fixes',
  ] as const),
];

/** Is told what people want to have explained. */
export interface Choices {
  explain(focus: Focus): void;
  /** Something longer is asked, about what is explained. */
  ask(longer: Longer): void;
  /** Something is to stand beside what is explained. */
  compare(): void;
  explainOn(model: string, query: number): void;
  fill(filling: ShownFilling): void;
  apply(change: Change): void;
}

/** What the page shows of an answer. Texts are put in as texts, never as HTML. */
export class Results {
  private readonly parts = new Map<Shown, HTMLElement>();
  /** Whether a gap was filled in. */
  private fills = false;

  /**
   * @param root where it goes
   * @param wide where two answers beside each other go
   */
  constructor(
    private readonly root: HTMLElement,
    private readonly wide: HTMLElement,
    private readonly choices: Choices,
  ) {}

  /**
   * Shows a part of an answer: at once, or when what draws it is loaded.
   *
   * @param isWanted whether its question is still the one that is asked
   */
  show(part: Part, focus: Focus, isWanted: () => boolean): Promise<void> | undefined {
    switch (part.kind) {
      case 'mistakes':
        this.only('mistakes', mistakesOf(part.mistakes));
        return undefined;
      case 'headed':
        return undefined;
      case 'gaps':
        return this.gaps(part, isWanted);
      case 'verdicts':
        this.remove('mistakes', 'gaps', 'trouble');
        this.put('said', saidOf(part, focus));
        this.put('verdicts', this.verdictsOf(part, focus));
        return undefined;
      case 'states':
        this.put('states', statesOf(part));
        return undefined;
      case 'explanation':
        this.put('explanation', explainedOf('Why', part));
        this.because(part);
        this.put('offer', this.offer(part));
        return undefined;
      case 'fix':
      case 'another':
      case 'reads':
      case 'changed':
      case 'beside':
        return this.further(part, isWanted);
      case 'fabrics':
        this.remove('mistakes', 'gaps', 'trouble');
        return this.onFabrics(part, isWanted);
      case 'fixes':
        return this.onFabrics(part, isWanted);
    }
  }

  /** Why there is no answer, or not all of it, and what there is to do about it. */
  trouble(title: string, text: string, ...content: readonly HTMLElement[]): void {
    this.put('trouble', section(title, element('p', text), ...content));
  }

  /** What stands beside something else no longer does. */
  alone(): void {
    this.remove('beside', 'beside form');
  }

  /** Forgets parts of an older answer that a newer one does not have. */
  keep(kinds: ReadonlySet<string>): void {
    for (const kind of this.parts.keys())
      if (!kinds.has(COMES_WITH[kind] ?? kind)) this.remove(kind);
  }

  /** Ends the sentence that says the verdict with the reason. */
  private because({ because }: Extract<Part, { kind: 'explanation' }>): void {
    if (because !== undefined)
      this.parts.get('said')?.querySelector('.said')?.append(`: ${because}.`);
  }

  private verdictsOf(
    { models, queries, name, warnings }: Extract<Part, { kind: 'verdicts' }>,
    focus: Focus,
  ): HTMLElement {
    const table = element('table');
    const head = table.createTHead().insertRow();
    head.append(cell('th', 'query', 'col'), ...models.map((model) => cell('th', model, 'col')));
    const body = table.createTBody();
    for (const [query, { text, verdicts }] of queries.entries()) {
      const row = body.insertRow();
      row.append(cell('th', text, 'row'));
      for (const [model, verdict] of verdicts.entries()) {
        const isShown = focus.query === query && focus.model === model;
        row.append(this.verdict(verdict, { query, model }, isShown));
      }
    }
    const none =
      queries.length === 0 ? [element('p', 'This file asks nothing: add exists (…).')] : [];
    return section(name, scrolling('verdicts', table), ...none, ...warned(warnings));
  }

  /** Says how a longer question goes, where its answer is to be. */
  later(kind: Longer['kind'] | 'beside form', content: HTMLElement): void {
    this.put(kind, content);
  }

  private async gaps(
    part: Extract<Part, { kind: 'gaps' }>,
    isWanted: () => boolean,
  ): Promise<void> {
    const { gapsOf } = await import('./gaps-part.js');
    if (!isWanted()) return;
    const fill = (filling: ShownFilling): void => {
      this.fills = true;
      this.choices.fill(filling);
    };
    this.only('gaps', gapsOf(part, fill));
    // Whoever filled in a gap goes on to the next one, as the button that was there is gone.
    if (this.fills) this.root.querySelector<HTMLElement>('.gaps button')?.focus();
    this.fills = false;
  }

  private async further(part: Further, isWanted: () => boolean): Promise<void> {
    const { furtherOf } = await import('./further-part.js');
    if (!isWanted()) return;
    this.put(part.kind, furtherOf(part, this.choices));
  }

  private async onFabrics(
    part: Extract<Part, { kind: 'fabrics' | 'fixes' }>,
    isWanted: () => boolean,
  ): Promise<void> {
    const { fabricsOf, fixesOf } = await import('./fabrics-part.js');
    if (!isWanted()) return;
    const content = part.kind === 'fixes' ? fixesOf(part) : fabricsOf(part, this.choices.explainOn);
    this.put(part.kind, content);
  }

  /** What can be asked besides. */
  private offer({ fixable, executions }: Extract<Part, { kind: 'explanation' }>): HTMLElement {
    const made = element('section');
    made.setAttribute('aria-label', 'what else can be asked');
    const add = (text: string, longer: Longer): void => {
      const button = element('button', text);
      button.onclick = () => this.choices.ask(longer);
      made.append(button);
    };
    if (fixable) add('what would change it?', { kind: 'fix' });
    if (executions) add('another execution', { kind: 'another', seen: 0 });
    if (executions) add('the same with a read changed', { kind: 'reads' });
    const compare = element('button', 'beside another …');
    compare.onclick = () => this.choices.compare();
    made.append(compare);
    return made;
  }

  private verdict(
    { verdict, state, reason, upTo }: ShownVerdict,
    focus: Focus,
    isShown: boolean,
  ): HTMLTableCellElement {
    const button = verdictButton(verdict, () => this.choices.explain(focus));
    button.setAttribute('aria-pressed', String(isShown));
    const made = element('td');
    const bound = upTo === undefined ? [] : [element('small', `up to ${upTo} iterations`)];
    const why = [state, reason].filter((text) => text !== undefined);
    made.append(button, ...why.map((text) => element('small', text)), ...bound);
    return made;
  }

  private only(kind: Part['kind'], content: HTMLElement): void {
    this.remove(...this.parts.keys());
    this.put(kind, content);
  }

  private remove(...kinds: readonly Shown[]): void {
    for (const kind of kinds) {
      this.parts.get(kind)?.remove();
      this.parts.delete(kind);
    }
  }

  private put(kind: Shown, content: HTMLElement): void {
    content.dataset['part'] = kind;
    const isFocused = this.parts.get(kind)?.contains(document.activeElement);
    this.remove(kind);
    const below = ORDER.slice(ORDER.indexOf(kind)).find(
      (one) => one !== 'beside' && this.parts.has(one),
    );
    if (kind === 'beside') this.wide.replaceChildren(content);
    else this.root.insertBefore(content, below === undefined ? null : this.parts.get(below)!);
    this.parts.set(kind, content);
    // Whoever pressed a button that is gone goes on with the new one.
    if (isFocused === true) content.querySelector('button')?.focus();
  }
}

/** The verdict of a query as a sentence. */
export function sentenceOf(
  queries: Extract<Part, { kind: 'verdicts' }>['queries'],
  { query, model }: Focus,
): string | undefined {
  const shown = queries[Math.min(query, queries.length - 1)]?.verdicts;
  const verdict = shown?.[Math.min(model, shown.length - 1)]?.verdict;
  return verdict && (SENTENCES[verdict] ?? verdict);
}

/** What is asked, and the verdict as a sentence. */
function saidOf(
  { asks, queries, models }: Extract<Part, { kind: 'verdicts' }>,
  { query, model }: Focus,
): HTMLElement {
  const made = element('section');
  made.setAttribute('aria-label', 'the verdict');
  const asked = queries[Math.min(query, queries.length - 1)];
  const sentence = sentenceOf(queries, { query, model });
  if (sentence === undefined) return made;
  const at = Math.min(model, models.length - 1);
  const said = element('p');
  said.className = 'said';
  said.append(element('strong', sentence));
  const labels = [asked.label && `“${asked.label}”`, models.length > 1 && `under ${models[at]}`];
  for (const label of labels) if (label) said.append(` ${label}`);
  if (asks !== undefined) made.append(element('p', asks));
  made.append(said);
  return made;
}

/** Whether a part leaves something open. */
export const isUndecided = (part: Part): boolean =>
  part.kind === 'verdicts'
    ? part.queries.some(({ verdicts }) => verdicts.some(({ verdict }) => verdict === 'unknown'))
    : (part.kind === 'states' || part.kind === 'fabrics') && part.open;

const mistakesOf = (mistakes: readonly Mistake[]): HTMLElement =>
  section('Something is wrong', pre(mistakes.map(({ text }) => text).join('\n\n')));

function statesOf({ states, model, incomplete }: Extract<Part, { kind: 'states' }>): HTMLElement {
  const list = element('ul');
  list.className = 'states';
  list.append(...states.map((state) => element('li', state)));
  const open = incomplete === undefined ? [] : [element('p', `There may be more: ${incomplete}`)];
  const count = `${states.length} final state${states.length === 1 ? '' : 's'} under ${model}`;
  return section(count, list, ...open);
}
