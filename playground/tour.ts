import { element } from './elements.js';
import type { Lesson } from './lesson.js';
import { LESSONS } from './lesson.js';
import type { Part } from './question.js';

type Verdicts = Extract<Part, { kind: 'verdicts' }>;

/** What somebody guesses: whether the outcome can happen. */
type Guess = 'yes' | 'no';

const KEPT = 'remora lessons';
const ANSWERS: Readonly<Record<Guess, string>> = {
  yes: 'Yes, it can happen',
  no: 'No, never',
};

/**
 * The lesson whose program is on the page: what it is about, and a question to guess. Before somebody has guessed, the page hides the
 * answer. What was guessed is kept by the browser.
 */
export class Tour {
  private shown: Lesson | undefined;
  private verdict: Guess | undefined;
  private all: readonly Lesson[] = [];

  /**
   * @param guessed is called when there is something to see
   * @param change is told the program that a lesson has besides
   */
  constructor(
    private readonly root: HTMLElement,
    private readonly guessed: () => void,
    private readonly change: (program: string) => void,
  ) {}

  /** Shows the lesson of a program, or none. */
  async show(program: string): Promise<void> {
    if (program.startsWith(LESSONS) && this.all.length === 0)
      this.all = (await fetch('lessons.json').then((found) => found.json())) as readonly Lesson[];
    const lesson = this.all.find(({ name }) => program === `${LESSONS}${name}`);
    if (lesson !== this.shown) this.verdict = undefined;
    this.shown = lesson;
    this.draw();
  }

  get isOn(): boolean {
    return this.shown !== undefined;
  }

  /** Whether what is asked has still to be guessed. */
  get hides(): boolean {
    return this.shown !== undefined && guesses()[this.shown.name] === undefined;
  }

  /** The model of the lesson, if it is about another one than the usual. */
  get model(): string | undefined {
    return this.shown?.model;
  }

  /** Hears the verdict of a program. What the lesson says is about its own. */
  told(program: string, { queries: [query] }: Pick<Verdicts, 'queries'>): void {
    if (program !== this.shown?.program || this.verdict !== undefined) return;
    this.verdict = MEANT[query.verdicts[0].verdict];
    const outcome = this.root.querySelector('.outcome');
    const guess = guesses()[this.shown.name];
    if (outcome !== null && guess !== undefined) outcome.textContent = judged(guess, this.verdict);
  }

  private draw(): void {
    const { root, shown, all } = this;
    root.hidden = shown === undefined;
    if (shown === undefined) return;
    const at = all.indexOf(shown);
    const guess = guesses()[shown.name];
    root.replaceChildren(
      contents(all, at),
      element('h2', `${at + 1}. ${shown.title}`),
      ...paragraphs(shown.intro),
      rich('p', `**Guess:** ${shown.guess}`),
      ...(guess === undefined ? this.choices(shown) : this.outcome(shown, guess, all[at + 1])),
    );
  }

  private choices({ name }: Lesson): readonly HTMLElement[] {
    return (['yes', 'no'] as const).map((guess) => {
      const button = element('button', ANSWERS[guess]);
      button.onclick = () => {
        keep(name, guess);
        this.draw();
        this.guessed();
        this.root.querySelector<HTMLElement>('.outcome')?.focus();
      };
      return button;
    });
  }

  private outcome(lesson: Lesson, guess: Guess, next: Lesson | undefined): readonly HTMLElement[] {
    const outcome = element('p', judged(guess, this.verdict));
    outcome.className = 'outcome';
    outcome.tabIndex = -1;
    const change = element('button', 'change the program so');
    change.onclick = () => this.change(lesson.changed);
    const onwards = element('p');
    if (next === undefined)
      onwards.append('That was the last lesson. All examples are programs to change, too.');
    else onwards.append('Next: ', link(next));
    return [
      outcome,
      ...paragraphs(lesson.answer),
      element('h3', 'Change it'),
      ...paragraphs(lesson.change),
      change,
      onwards,
    ];
  }
}

/** What there is to say of a guess, once the verdict is there. */
function judged(guess: Guess, verdict: Guess | undefined): string {
  if (verdict === undefined) return 'Remora is thinking …';
  return `${guess === verdict ? 'You are right' : 'Not so'}: ${OUTCOMES[verdict]}.`;
}

const OUTCOMES: Readonly<Record<Guess, string>> = {
  yes: 'it can happen',
  no: 'it cannot happen',
};

const MEANT: Readonly<Record<string, Guess>> = { allowed: 'yes', forbidden: 'no' };

/** All lessons, and which were done. */
function contents(all: readonly Lesson[], at: number): HTMLElement {
  const done = guesses();
  const list = element('ol');
  for (const [i, lesson] of all.entries()) {
    const item = element('li');
    const leads = link(lesson);
    if (i === at) leads.ariaCurrent = 'page';
    item.append(leads, done[lesson.name] === undefined ? '' : ' ✓');
    list.append(item);
  }
  const made = element('details');
  const count = all.filter(({ name }) => done[name] !== undefined).length;
  made.append(element('summary', `Lesson ${at + 1} of ${all.length} (${count} done)`), list);
  return made;
}

function link({ name, title }: Lesson): HTMLAnchorElement {
  const made = element('a', title);
  made.href = `#${LESSONS}${name}`;
  return made;
}

const paragraphs = (texts: readonly string[]): readonly HTMLElement[] =>
  texts.map((text) => rich('p', text));

/** A text with `code`, **strong** and *emphasised* words. */
function rich(name: 'p', text: string): HTMLElement {
  const made = element(name);
  for (const part of text.split(/(`[^`]+`|\*\*.+?\*\*|\*[^*]+\*)/)) {
    const [mark] = /^(?:`|\*\*|\*)/.exec(part) ?? [''];
    const inner = part.slice(mark.length, part.length - mark.length);
    made.append(mark === '' ? part : element(MARKED[mark], inner));
  }
  return made;
}

const MARKED: Readonly<Record<string, 'code' | 'strong' | 'em'>> = {
  '`': 'code',
  '**': 'strong',
  '*': 'em',
};

/** What was guessed, by lesson. A browser may refuse to keep it. */
function guesses(): Readonly<Record<string, Guess>> {
  return { ...read(), ...session };
}

const session: Record<string, Guess> = {};

function read(): Readonly<Record<string, Guess>> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Record<string, Guess>;
  } catch {
    return {};
  }
}

function keep(name: string, guess: Guess): void {
  session[name] = guess;
  try {
    localStorage.setItem(KEPT, JSON.stringify(guesses()));
  } catch {
    // It is known until the page is closed.
  }
}
