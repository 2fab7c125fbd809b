import type { Listener } from './asker.js';
import { Asker } from './asker.js';
import { Examples } from './examples.js';
import { ModelBoxes } from './model-boxes.js';
import { createEditor } from './editor.js';
import { begun, opened } from './opening.js';
import { Later, TITLES } from './later.js';
import type { Change, Focus, Longer, Part, Question } from './question.js';
import { shownName } from './question.js';
import { element } from './elements.js';
import { Results, isUndecided, sentenceOf } from './results.js';
import type { Work } from './work.js';
import { keep } from './work.js';
import type { Data } from './shipped.js';
import { ShippedTexts } from './shipped.js';
import { createTabs } from './tabs.js';
import type { Tour } from './tour.js';
import { LESSONS } from './lesson.js';

/** How long the page waits for the next letter before it asks. */
const PAUSE = 120;
/** How long an older answer is shown while the next one is not there. */
const STALE = 400;
const DEFAULT_MODELS = ['rdma-tso'];

const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

class Page {
  private focus: Focus = { model: 0, query: 0 };
  /** Whether it is asked what would change verdicts: who has asked once, is told of the next one, too. */
  private wantsFix = false;
  /** What is to stand beside the answer. */
  private beside: Longer | undefined;
  private readonly shipped: ShippedTexts;
  private work: Work;
  /** The model whose text is in the editor. */
  private edited = DEFAULT_MODELS[0];
  /** Whether the browser keeps what is edited. */
  private keeps = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private stale: ReturnType<typeof setTimeout> | undefined;
  /** How many questions there were so far. */
  private asked = 0;
  /** Whether the last one was for Z3, too. */
  private asksZ3 = false;
  private readonly asker: Asker;
  private readonly litmus = createEditor(
    byId('litmus'),
    'litmus',
    'Program',
    () => this.litmusChanged(),
    (at) => this.asker.about(this.work.question(), at),
    (at) => this.moved(at),
  );
  private readonly cat = createEditor(byId('cat'), 'cat', 'Model', () => this.catChanged());
  private readonly results = new Results(byId('results'), byId('wide'), {
    explain: (focus) => this.explain(focus),
    ask: (longer) => {
      if (longer.kind === 'fix') this.wantsFix = true;
      this.later.first(longer);
    },
    compare: () => void this.compare(),
    apply: (change) => this.apply(change),
    explainOn: (model, query) => this.explainOn(model, query),
    fill: ({ edits }) => this.litmus.change(edits),
  });
  /** What is asked of the program as it was when the verdict was asked for. */
  private question: Question = { litmus: '', models: [] };
  private readonly later = new Later(this.results, {
    ask: (longer, listener) => this.askLater(longer, listener),
    stop: () => this.asker.stop(),
    heard: (part) => this.heard(part),
    remedies: () => this.remedies(true),
    done: (trouble) => {
      this.stop.disabled = true;
      this.say(trouble ?? 'done');
      this.told('done');
    },
  });
  private readonly showTab = createTabs(byId('views'), byId('results'), (index) =>
    this.chooseTab(index === 1),
  );
  private readonly examples: Examples = new Examples(
    byId<HTMLDetailsElement>('examples'),
    () => this.shipped.examples(),
    (name) => this.choose(name),
  );
  private readonly boxes = new ModelBoxes(byId('asked'), (ticked) => this.chooseModels(ticked));
  /** It is loaded for the first lesson. */
  private tour: Tour | undefined;
  private readonly status = byId('status');
  private readonly stop = byId<HTMLButtonElement>('stop');

  constructor(private readonly data: Data) {
    this.shipped = new ShippedTexts(data);
    this.work = begun(this.shipped);
    this.asker = new Asker(data.models);
    this.stop.onclick = () => {
      this.later.begin([]);
      this.asker.stop();
    };
    byId('reset').onclick = () => this.resetModel();
    byId('reset-program').onclick = () => this.resetProgram();
    byId<HTMLSelectElement>('models').onchange = ({ currentTarget }) =>
      this.edit((currentTarget as HTMLSelectElement).value);
    byId('share').onclick = () => void this.share();
    document.body.classList.toggle('embed', new URLSearchParams(location.search).has('embed'));
    window.addEventListener('hashchange', () => void this.open());
    void this.open();
  }

  /** What was on the page when it was left; otherwise what the address asks, or the first program. */
  private async open(): Promise<void> {
    const { hash } = location;
    const found = await opened(this.shipped);
    // Another link may have come meanwhile.
    if (location.hash !== hash) return;
    if ('wrong' in found) {
      this.results.keep(new Set());
      const hint = 'Ask for the link again, or choose a program above.';
      this.results.trouble('No question', found.wrong, element('p', hint));
      this.told('trouble');
      this.say(found.wrong);
      return;
    }
    await this.show(found);
  }

  private async show(work: Work): Promise<void> {
    this.focus = { model: 0, query: 0 };
    this.work = work;
    if (!(await this.isLoaded(work))) return;
    await this.showLesson(work.program);
    const model = this.tour?.model;
    if (work.asked.length === 0) work.ask(model === undefined ? DEFAULT_MODELS : [model]);
    this.uncover();
    this.showTab(Number(work.onFabrics));
    this.litmus.setText(work.litmus());
    this.edit(work.asked.find((name) => work.ownModels.includes(name)) ?? work.asked[0]);
    this.ask();
  }

  /** Shows the answer, unless it has still to be guessed. */
  private uncover(): void {
    byId('lead').hidden = this.tour?.isOn === true;
    byId('answer').hidden = this.tour?.hides === true;
    byId('verdict').hidden = this.tour?.hides === true;
  }

  private async showLesson(program: string): Promise<void> {
    if (this.tour === undefined && program.startsWith(LESSONS)) {
      const { Tour } = await import('./tour.js');
      this.tour = new Tour(
        byId('lesson'),
        () => this.uncover(),
        (changed) => this.litmus.replace(changed),
      );
    }
    await this.tour?.show(program);
  }

  /** Loads the program that was chosen, unless it is there. False: another one was chosen meanwhile, or it cannot be loaded. */
  private async isLoaded(work: Work): Promise<boolean> {
    const { program } = work;
    try {
      await this.shipped.load(program);
    } catch (error) {
      this.say(`the program could not be loaded: ${String(error)}`);
      return false;
    }
    return this.work === work && work.program === program;
  }

  /** Something was edited or chosen. */
  private changed(): void {
    this.mark();
    this.keep();
  }

  private keep(): void {
    try {
      keep(this.work);
    } catch {
      this.keeps = false;
    }
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  /** Asks what is on the page. Whatever changes is for the search first. */
  private ask(): void {
    this.asksZ3 = false;
    this.askFor([]);
  }

  /** Asks Z3 what the search left open. */
  private askZ3(): void {
    this.asksZ3 = true;
    this.askFor(['verdicts', 'trouble', 'states', 'fabrics']);
  }

  private explain(focus: Focus): void {
    this.focus = focus;
    this.askFor(['verdicts', 'trouble', 'states']);
  }

  private chooseTab(onFabrics: boolean): void {
    if (this.work.onFabrics === onFabrics) return;
    this.work.onFabrics = onFabrics;
    this.showTab(Number(onFabrics));
    this.changed();
    this.ask();
  }

  /** Explains a query on a fabric: under the models, of which it is one then. */
  private explainOn(model: string, query: number): void {
    const { asked } = this.work;
    if (!asked.includes(model)) this.work.ask([...asked, model]);
    this.focus = { model: this.work.asked.indexOf(model), query };
    this.chooseTab(false);
    // The button that was there is gone.
    byId('under-models').focus();
  }

  /** @param kept parts of the answer before that are good until there are newer ones */
  private askFor(kept: readonly string[]): void {
    clearTimeout(this.timer);
    clearTimeout(this.stale);
    this.later.forget();
    const { asksZ3, focus } = this;
    const question = this.work.question();
    this.question = question;
    const shown = new Set<string>();
    const longer: Longer[] = [];
    this.asked += 1;
    this.told('asked');
    this.say(!asksZ3 ? 'thinking …' : this.asker.hasZ3 ? 'asking Z3 …' : 'loading Z3 …');
    this.stop.disabled = false;
    if (asksZ3) this.tellOfZ3();
    this.stale = setTimeout(() => this.results.keep(new Set([...kept, ...shown, 'beside'])), STALE);
    this.asker.ask(
      { question, focus, asksZ3 },
      {
        loaded: () => this.say('asking Z3 …'),
        part: (part) => {
          shown.add(part.kind);
          this.heard(part);
          if (isUndecided(part)) shown.add('trouble');
          if (part.kind === 'headed') this.headed(part.text, question.litmus);
          if (part.kind === 'verdicts') this.tour?.told(question.litmus, part);
          if (part.kind === 'verdicts' && part.ends) longer.push({ kind: 'states' });
          if (part.kind === 'explanation' && part.fixable && this.wantsFix)
            longer.unshift({ kind: 'fix' });
          if (part.kind === 'verdicts' && this.beside !== undefined) longer.push(this.beside);
          const sentence = part.kind === 'verdicts' && sentenceOf(part.queries, focus);
          // In the head of the page it stays in sight.
          if (shown.size === 1) byId('verdict').textContent = sentence || '';
          this.marked(part);
        },
        done: (trouble) => {
          clearTimeout(this.stale);
          if (trouble !== undefined) {
            const title =
              shown.has('verdicts') || shown.has('fabrics') ? 'Not all of the answer' : 'No answer';
            shown.add('trouble');
            this.results.trouble(title, `unknown: ${trouble}`, ...this.remedies(true));
            this.told('trouble');
          }
          const kinds = trouble === undefined ? longer.map(({ kind }) => kind) : kept;
          this.results.keep(new Set([...kinds, ...shown]));
          if (trouble === undefined && longer.length > 0) {
            this.later.begin(longer);
            return;
          }
          this.stop.disabled = true;
          const left = shown.has('gaps') ? 'to fill in' : 'done';
          this.say(trouble ?? (shown.has('mistakes') ? 'something is wrong' : left));
          this.told('done');
        },
      },
    );
  }

  private askLater(longer: Longer, listener: Pick<Listener, 'part' | 'done'>): void {
    const { question, focus, asksZ3 } = this;
    this.stop.disabled = false;
    this.say(`${TITLES[longer.kind].toLowerCase()} …`);
    const loaded = (): void => this.say('asking Z3 …');
    this.asker.ask({ question, focus, asksZ3, longer }, { loaded, ...listener });
  }

  /** Shows a part of an answer. */
  private heard(part: Part): void {
    const { asked } = this;
    const isWanted = (): boolean => this.asked === asked;
    const shown = this.results.show(part, this.focus, isWanted);
    if (isUndecided(part)) this.undecided(part);
    if (shown === undefined) this.told(part.kind);
    else void shown.then(() => isWanted() && this.told(part.kind));
  }

  /** Asks what to put beside what is explained. */
  private async compare(): Promise<void> {
    const { besideForm } = await import('./beside-part.js');
    const { work, shipped } = this;
    const models = this.modelNames().map((name) => [name, this.shownModel(name)] as const);
    const ask = (beside: Longer | undefined): void => {
      this.beside = beside;
      if (beside === undefined) this.results.alone();
      else this.later.first(beside);
    };
    const given = { work, shipped, models, under: work.asked[this.focus.model] };
    this.results.later('beside form', await besideForm(given, ask));
  }

  /** Marks what is wrong, or to be filled in. */
  private marked(part: Part): void {
    const mistakes = part.kind === 'mistakes' ? part.mistakes : [];
    if (part.kind === 'gaps') this.litmus.mark(part.gaps);
    if (part.kind === 'mistakes' || part.kind === 'verdicts' || part.kind === 'fabrics') {
      this.litmus.mark(mistakes.filter((m) => m.in === 'litmus'));
      this.cat.mark(mistakes.filter((m) => m.in === 'model'));
    }
  }

  /** A head was put in front of a program. Who has typed on meanwhile is not disturbed. */
  private headed(text: string, before: string): void {
    if (this.litmus.text() !== before) return;
    this.litmus.setText(text);
    this.work.setLitmus(text);
    this.question = this.work.question();
    this.changed();
  }

  /** Writes what would change the verdict into the program that it was found for. */
  private apply({ before, after }: Change): void {
    if (this.litmus.text() === before) this.litmus.replace(after);
  }

  /** Says in the page which question a part is the answer to: for whoever drives it. */
  private told(part: string): void {
    document.body.dataset[part] = String(this.asked);
  }

  /** Says that something stays open, and what decides it. */
  private undecided(part: Part): void {
    const isOpen = 'open' in part && part.open;
    const text = isOpen
      ? 'The search gave up on this after some seconds.'
      : 'For what stays open, the reason stands beside it.';
    this.results.trouble('Undecided', text, ...this.remedies(isOpen));
  }

  /** What to do where there is no answer: it is loaded when it is needed. */
  private remedies(helpsZ3: boolean): readonly HTMLElement[] {
    const made = element('div');
    const z3 = { isLoaded: this.asker.hasZ3, bytes: this.data.z3, ask: () => this.askZ3() };
    const question = this.work.question();
    void import('./remedies.js').then(({ remediesFor }) =>
      made.append(...remediesFor(question, helpsZ3 ? z3 : undefined)),
    );
    return [made];
  }

  private tellOfZ3(): void {
    const button = element('button', 'stop');
    button.onclick = () => this.asker.stop();
    this.results.trouble('Asking Z3', 'It may take as long as you let it.', button);
    // The button that was there is gone.
    button.focus();
  }

  private say(text: string): void {
    this.status.textContent = this.keeps ? text : `${text} (this browser keeps no edits)`;
  }

  private async share(): Promise<void> {
    const { toLink } = await import('./link.js');
    const { hash } = new URL(`#${await toLink(this.work.question())}`, location.href);
    history.replaceState(history.state, '', hash);
    this.changed();
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(`link copied (${location.href.length} characters)`);
    } catch {
      this.say('the link is in the address bar');
    }
  }

  // Programs and models to choose from.

  private choose(program: string): void {
    this.work.choose(program);
    // A link of its own: what is on the page is no more what the address asked.
    history.replaceState(history.state, '', `#${program}`);
    this.changed();
    void this.show(this.work);
  }

  private litmusChanged(): void {
    this.work.setLitmus(this.litmus.text());
    // Models are as they were: whoever types does not wait for them.
    this.markProgram();
    this.keep();
    this.soon();
  }

  /** Says what the instruction at the cursor does, once it stays there. */
  private moved(at: number): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(async () => {
      const found = await this.asker.about(this.work.question(), at);
      byId('about').textContent = found?.text ?? '';
      byId('about').hidden = found === undefined;
    }, STALE);
  }

  private resetProgram(): void {
    this.work.resetLitmus();
    this.changed();
    void this.show(this.work);
  }

  /** Says what is chosen, and marks what is not as it was. */
  private mark(): void {
    this.markProgram();
    const { work, edited } = this;
    const names = this.modelNames();
    const shown = (name: string): string => this.shownModel(name);
    const models = byId<HTMLSelectElement>('models');
    models.replaceChildren(...names.map((name) => new Option(shown(name), name)));
    models.value = edited;
    byId('model-name').textContent = shown(edited);
    byId('reset').hidden =
      !work.ownModels.includes(edited) || this.shipped.model(edited) === undefined;
    this.boxes.show(names, work.asked, shown);
  }

  private markProgram(): void {
    const { work } = this;
    this.examples.show(work);
    byId('reset-program').hidden = !work.isEdited(work.program);
  }

  private modelNames(): readonly string[] {
    const { asked, ownModels } = this.work;
    return [...new Set([...this.data.asked, ...asked, ...ownModels])];
  }

  private shownModel(name: string): string {
    const isOwn = this.work.ownModels.includes(name);
    return shownName({ name, ...(isOwn && { text: '' }) }, this.data.models);
  }

  private chooseModels(ticked: readonly string[]): void {
    const before = this.work.asked.filter((name) => ticked.includes(name));
    const all = [...new Set([...before, ...ticked])];
    this.work.ask(all.length > 0 ? all : [this.edited]);
    this.changed();
    this.focus = { ...this.focus, model: 0 };
    this.ask();
  }

  /** Shows a model's text: the reader's own, or the one that comes with Remora. */
  private edit(name: string): void {
    this.edited = name;
    this.cat.setText(this.work.modelText(name));
    this.cat.mark([]);
    this.mark();
  }

  /** A changed model is one of the reader's own; it is asked, too. */
  private catChanged(): void {
    const { work, edited } = this;
    work.setModel(edited, this.cat.text());
    if (!work.asked.includes(edited)) work.ask([...work.asked, edited]);
    this.changed();
    this.soon();
  }

  private resetModel(): void {
    this.work.resetModel(this.edited);
    this.changed();
    this.edit(this.edited);
    this.ask();
  }
}

const data = (await fetch('data.json').then((response) => response.json())) as Data;
new Page(data);
