import { cell, element, pre, scrolling, section, verdictButton, warned } from './elements.js';
import type { ShownFilling } from './c-part.js';
import { fabricsOf, fixesOf } from './fabrics-part.js';
import { gapsOf } from './gaps-part.js';
import type { Focus, Mistake, Part, ShownVerdict } from './question.js';

type Shown = Part['kind'] | 'trouble';

/** From top to bottom: what is undecided stands below the verdicts. */
const ORDER: readonly Shown[] = [
  ...([
    'mistakes',
    'gaps',
    'verdicts',
    'fabrics',
    'trouble',
    'states',
    'explanation',
    'fix',
    'fixes',
  ] as const),
];

/** Is told what people want to have explained. */
interface Choices {
  explain(focus: Focus): void;
  explainOn(model: string, query: number): void;
  fill(filling: ShownFilling): void;
}

/** What the page shows of an answer. Texts are put in as texts, never as HTML. */
export class Results {
  private readonly parts = new Map<Shown, HTMLElement>();

  /**
   * @param root where all of it goes
   */
  constructor(
    private readonly root: HTMLElement,
    private readonly choices: Choices,
  ) {}

  show(part: Part, focus: Focus): void {
    switch (part.kind) {
      case 'mistakes':
        this.only('mistakes', mistakesOf(part.mistakes));
        return;
      case 'headed':
        return;
      case 'gaps':
        this.only(
          'gaps',
          gapsOf(part, (filling) => this.choices.fill(filling)),
        );
        return;
      case 'verdicts':
        this.remove('mistakes', 'gaps', 'trouble');
        this.put('verdicts', this.verdictsOf(part, focus));
        return;
      case 'states':
        this.put('states', statesOf(part));
        return;
      case 'explanation':
        this.put('explanation', explanationOf(part));
        return;
      case 'fix':
        this.put('fix', section('What would change it', pre(part.text)));
        return;
      case 'fabrics': {
        this.remove('mistakes', 'gaps', 'trouble');
        const { explainOn } = this.choices;
        this.put('fabrics', fabricsOf(part, explainOn));
        return;
      }
      case 'fixes':
        this.put('fixes', fixesOf(part));
    }
  }

  /** Why there is no answer, or not all of it, and what there is to do about it. */
  trouble(title: string, text: string, ...content: readonly HTMLElement[]): void {
    this.put('trouble', section(title, element('p', text), ...content));
  }

  /** Forgets parts of an older answer that a newer one does not have. */
  keep(kinds: ReadonlySet<string>): void {
    for (const kind of this.parts.keys()) if (!kinds.has(kind)) this.remove(kind);
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
    return section(name, scrolling(table, 'verdicts'), ...none, ...warned(warnings));
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
    this.remove(kind);
    const below = ORDER.slice(ORDER.indexOf(kind)).find((one) => this.parts.has(one));
    this.root.insertBefore(content, below === undefined ? null : this.parts.get(below)!);
    this.parts.set(kind, content);
  }
}

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

function explanationOf({
  text,
  graph,
  timeline,
}: Extract<Part, { kind: 'explanation' }>): HTMLElement {
  const made = section('Why');
  if (timeline !== undefined) made.append(picture(timeline));
  const words = element('details');
  words.open = timeline === undefined;
  words.append(element('summary', 'in words'), pre(text));
  made.append(words);
  if (graph !== undefined) {
    const drawn = element('details');
    drawn.append(element('summary', 'as a graph'));
    drawn.ontoggle = async () => {
      drawn.ontoggle = null;
      const { drawSvg } = await import('../src/report/picture/svg.js');
      drawn.append(picture(drawSvg(graph, { idPrefix: 'graph' })));
    };
    made.append(drawn);
  }
  return made;
}

/** A picture, read as XML: what is no picture is shown as nothing. */
function picture(svg: string): HTMLElement {
  const made = element('div');
  made.className = 'picture';
  const { documentElement } = new DOMParser().parseFromString(svg, 'image/svg+xml');
  if (documentElement.localName === 'svg') made.append(document.importNode(documentElement, true));
  return made;
}
