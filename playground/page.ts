import { Asker } from './asker.js';
import { createEditor } from './editor.js';
import { fromLink, toLink } from './link.js';
import type { AskedModel, Focus, Part, Question, Texts } from './question.js';
import { Results, element, pre } from './results.js';

/** What the build puts beside the page. */
interface Data {
  readonly models: Texts;
  /** The names of models that can be asked. */
  readonly asked: readonly string[];
  /** Programs to begin with, by folder: engineers' questions first. */
  readonly programs: readonly {
    readonly folder: string;
    readonly name: string;
    readonly text: string;
  }[];
  /** The bytes that loading Z3 takes. */
  readonly z3: number;
}

/** How long the page waits for the next letter before it asks. */
const PAUSE = 120;
/** How long an older answer is shown while the next one is not there. */
const STALE = 400;
const FIRST = 'field/libfabric-completion';
/** What is chosen where a link brings the program. */
const OF_LINK = '';
const DEFAULT_MODELS = ['rdma-tso'];

const NOT_ISOLATED =
  'Z3 could decide it here if this host allowed it: it has to send the headers ' +
  'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp. ' +
  'On a machine of your own, run';

const nameOf = ({ folder, name }: Data['programs'][number]): string => `${folder}/${name}`;

const byId = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

class Page {
  private focus: Focus = { model: 0, query: 0 };
  /** Models by name, those of the reader's own with their texts. */
  private models: readonly AskedModel[] = DEFAULT_MODELS.map((name) => ({ name }));
  /** The model whose text is in the editor. */
  private edited = DEFAULT_MODELS[0];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stale: ReturnType<typeof setTimeout> | undefined;
  /** How many questions there were so far. */
  private asked = 0;
  /** Whether the last one was for Z3, too. */
  private asksZ3 = false;
  private readonly asker: Asker;
  private readonly litmus = createEditor(byId('litmus'), 'litmus', 'Program', () => this.soon());
  private readonly cat = createEditor(byId('cat'), 'cat', 'Model', () => this.catChanged());
  private readonly results = new Results(byId('results'), (focus) => this.explain(focus));
  private readonly status = byId('status');
  private readonly stop = byId<HTMLButtonElement>('stop');

  /** @param worker the address of the worker's script */
  constructor(
    private readonly data: Data,
    worker: string,
  ) {
    this.asker = new Asker(worker, { texts: data.models, place: location.href });
    this.listPrograms();
    this.listModels();
    this.stop.onclick = () => this.asker.stop();
    byId('share').onclick = () => void this.share();
    window.addEventListener('hashchange', () => this.open());
    this.open();
  }

  /** What the address asks, or the first program. */
  private open(): void {
    const link = location.hash.slice(1);
    if (link === '') {
      byId<HTMLSelectElement>('programs').value = FIRST;
      this.show({ litmus: this.program(FIRST), models: DEFAULT_MODELS.map((name) => ({ name })) });
      return;
    }
    const found = fromLink(link);
    if ('wrong' in found) {
      this.results.keep(new Set());
      const hint = 'Ask for the link again, or choose a program above.';
      this.results.trouble('No question', found.wrong, element('p', hint));
      this.told('trouble');
      this.say(found.wrong);
      return;
    }
    byId<HTMLSelectElement>('programs').value = OF_LINK;
    this.show(found);
  }

  private show({ litmus, models }: Question): void {
    this.focus = { model: 0, query: 0 };
    this.models = models.length > 0 ? models : DEFAULT_MODELS.map((name) => ({ name }));
    this.litmus.setText(litmus);
    this.tickModels();
    this.edit((models.find(({ text }) => text !== undefined) ?? this.models[0]).name);
    this.ask();
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
    this.askFor(['verdicts', 'trouble', 'states']);
  }

  private explain(focus: Focus): void {
    this.focus = focus;
    this.askFor(['verdicts', 'trouble', 'states']);
  }

  /** @param kept parts of the answer before that are good until there are newer ones */
  private askFor(kept: readonly string[]): void {
    clearTimeout(this.timer);
    clearTimeout(this.stale);
    const { asksZ3 } = this;
    const question = { litmus: this.litmus.text(), models: this.models };
    const { focus } = this;
    const shown = new Set<string>();
    this.asked += 1;
    this.say(!asksZ3 ? 'thinking …' : this.asker.hasZ3 ? 'asking Z3 …' : 'loading Z3 …');
    this.stop.disabled = false;
    if (asksZ3) this.tellOfZ3();
    this.stale = setTimeout(() => this.results.keep(new Set([...kept, ...shown])), STALE);
    this.asker.ask(question, focus, asksZ3, {
      loaded: () => this.say('asking Z3 …'),
      part: (part) => {
        shown.add(part.kind);
        this.results.show(part, focus);
        if (isUndecided(part)) {
          shown.add('trouble');
          this.undecided(part);
        }
        this.told(part.kind);
        const mistakes = part.kind === 'mistakes' ? part.mistakes : [];
        if (part.kind === 'mistakes' || part.kind === 'verdicts') {
          this.litmus.mark(mistakes.filter((m) => m.in === 'litmus'));
          this.cat.mark(mistakes.filter((m) => m.in === 'model'));
        }
      },
      done: (trouble) => {
        clearTimeout(this.stale);
        this.stop.disabled = true;
        if (trouble !== undefined) {
          const title = shown.has('verdicts') ? 'Not all of the answer' : 'No answer';
          shown.add('trouble');
          this.results.trouble(title, `unknown: ${trouble}`, ...this.remedies(true));
          this.told('trouble');
        }
        this.results.keep(new Set(trouble === undefined ? shown : [...kept, ...shown]));
        this.say(trouble ?? (shown.has('mistakes') ? 'something is wrong' : 'done'));
        this.told('done');
      },
    });
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

  /** What to do where there is no answer. */
  private remedies(helpsZ3: boolean): readonly HTMLElement[] {
    const command = pre(this.command());
    if (!helpsZ3) return [element('p', 'On a machine of your own, run'), command];
    if (!crossOriginIsolated) return [element('p', NOT_ISOLATED), command];
    const size = `loads ${Math.round(this.data.z3 / 1e6)} MB`;
    const button = element('button', this.asker.hasZ3 ? 'ask Z3' : `ask Z3 (${size})`);
    button.onclick = () => this.askZ3();
    return [button, element('p', 'or, on a machine of your own, run'), command];
  }

  private tellOfZ3(): void {
    const button = element('button', 'stop');
    button.onclick = () => this.asker.stop();
    this.results.trouble('Asking Z3', 'It may take as long as you let it.', button);
    // The button that was there is gone.
    button.focus();
  }

  /** What to run where there is more time. */
  private command(): string {
    const names = this.models.map(({ name, text }) => (text === undefined ? name : `${name}.cat`));
    return `remora check program.litmus -m ${names.join(',')}`;
  }

  private say(text: string): void {
    this.status.textContent = text;
  }

  private async share(): Promise<void> {
    const { hash } = new URL(
      `#${toLink({ litmus: this.litmus.text(), models: this.models })}`,
      location.href,
    );
    history.replaceState(null, '', hash);
    try {
      await navigator.clipboard.writeText(location.href);
      this.say(`link copied (${location.href.length} characters)`);
    } catch {
      this.say('the link is in the address bar');
    }
  }

  // Programs and models to choose from.

  private program(name: string): string {
    const { programs } = this.data;
    return (programs.find((one) => nameOf(one) === name) ?? programs[0]).text;
  }

  private listPrograms(): void {
    const select = byId<HTMLSelectElement>('programs');
    const ofLink = new Option('from a link', OF_LINK);
    ofLink.hidden = true;
    select.append(ofLink);
    for (const folder of new Set(this.data.programs.map((one) => one.folder))) {
      const group = document.createElement('optgroup');
      group.label = folder;
      const own = this.data.programs.filter((one) => one.folder === folder);
      group.append(...own.map((one) => new Option(one.name, nameOf(one))));
      select.append(group);
    }
    select.onchange = () => {
      history.replaceState(null, '', location.pathname);
      this.show({ litmus: this.program(select.value), models: this.models });
    };
  }

  private listModels(): void {
    const select = byId<HTMLSelectElement>('models');
    select.append(...this.data.asked.map((name) => new Option(name, name)));
    select.onchange = () => this.edit(select.value);
    const list = byId('asked');
    for (const name of this.data.asked) {
      const label = document.createElement('label');
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.value = name;
      box.onchange = () => this.chooseModels();
      label.append(box, ` ${name}`);
      list.append(label);
    }
    byId('reset').onclick = () => this.reset();
  }

  private boxes(): readonly HTMLInputElement[] {
    return [...byId('asked').querySelectorAll('input')];
  }

  private tickModels(): void {
    const names = this.models.map(({ name }) => name);
    for (const box of this.boxes()) box.checked = names.includes(box.value);
  }

  private chooseModels(): void {
    const ticked = this.boxes().flatMap(({ checked, value }) => (checked ? [value] : []));
    const before = this.models.filter(({ name }) => ticked.includes(name));
    const added = ticked.filter((name) => !before.some((model) => model.name === name));
    const all = [...before, ...added.map((name) => ({ name }))];
    this.models = all.length > 0 ? all : [{ name: this.edited }];
    this.tickModels();
    this.focus = { ...this.focus, model: 0 };
    this.ask();
  }

  /** Shows a model's text: the reader's own, or the one that comes with Remora. */
  private edit(name: string): void {
    this.edited = name;
    byId<HTMLSelectElement>('models').value = name;
    const own = this.models.find((model) => model.name === name)?.text;
    this.cat.setText(own ?? this.data.models[`models/${name}.cat`] ?? '');
    byId('model-name').textContent = own === undefined ? name : `${name}, changed`;
    this.cat.mark([]);
  }

  /** A changed model is one of the reader's own; it is asked, too. */
  private catChanged(): void {
    const text = this.cat.text();
    const name = this.edited;
    const isOwn = text !== this.data.models[`models/${name}.cat`];
    const model = isOwn ? { name, text } : { name };
    const isAsked = this.models.some((one) => one.name === name);
    this.models = isAsked
      ? this.models.map((one) => (one.name === name ? model : one))
      : [...this.models, model];
    byId('model-name').textContent = isOwn ? `${name}, changed` : name;
    this.tickModels();
    this.soon();
  }

  private reset(): void {
    this.models = this.models.map((one) => (one.name === this.edited ? { name: one.name } : one));
    this.edit(this.edited);
    this.ask();
  }
}

const isUndecided = (part: Part): boolean =>
  part.kind === 'verdicts'
    ? part.queries.some(({ verdicts }) => verdicts.some(({ verdict }) => verdict === 'unknown'))
    : part.kind === 'states' && part.open;

// The script of the worker is kept: each worker that takes the place of another would load it anew.
const [data, worker] = await Promise.all([
  fetch('data.json').then((response) => response.json() as Promise<Data>),
  fetch('worker.js').then((response) => response.blob()),
]);
const script = new Blob([worker], { type: 'text/javascript' });
new Page(data, URL.createObjectURL(script));
