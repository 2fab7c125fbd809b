import type { Listener } from './asker.js';
import { element, section } from './elements.js';
import type { Longer, Part } from './question.js';
import type { Results } from './results.js';

/** How long an older answer is shown before it is said that there is none yet. */
const STALE = 400;

export const TITLES: Readonly<Record<Longer['kind'], string>> = {
  states: 'Final states',
  fix: 'What would change it',
  another: 'Another execution',
  reads: 'The same with a read changed',
  changed: 'With that read changed',
  beside: 'Beside each other',
};

/** Whoever asks one question, and hears of it. */
interface Asking {
  ask(longer: Longer, listener: Pick<Listener, 'part' | 'done'>): void;
  /** Ends the question that is asked. */
  stop(): void;
  heard(part: Part): void;
  /** What to do if there is no answer. */
  remedies(): readonly HTMLElement[];
  /** All are answered, but for what the last trouble was. */
  done(trouble?: string): void;
}

/**
 * The questions that take longer than a verdict: they are asked one after the other once it is there, what somebody asks for before
 * what the page asks by itself. Each has a stop of its own, and says so if it was stopped.
 */
export class Later {
  private waiting: readonly Longer[] = [];
  private running: Longer | undefined;
  private trouble: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly results: Results,
    private readonly asking: Asking,
  ) {}

  /** The kinds of what is still to be answered. */
  get kinds(): readonly Longer['kind'][] {
    return [...(this.running === undefined ? [] : [this.running]), ...this.waiting].map(
      ({ kind }) => kind,
    );
  }

  /** Asks all of these, in the place of those before. */
  begin(all: readonly Longer[]): void {
    this.forget();
    this.waiting = all;
    this.next();
  }

  /** Asks this before all others. */
  first(longer: Longer): void {
    const others = this.running === undefined ? this.waiting : [this.running, ...this.waiting];
    this.waiting = [longer, ...others.filter(({ kind }) => kind !== longer.kind)];
    this.trouble = undefined;
    this.next();
  }

  /** What is asked is of no interest any more. */
  forget(): void {
    clearTimeout(this.timer);
    this.waiting = [];
    this.running = undefined;
    this.trouble = undefined;
  }

  private next(): void {
    clearTimeout(this.timer);
    const [longer, ...waiting] = this.waiting;
    this.waiting = waiting;
    this.running = longer;
    if (longer === undefined) {
      this.asking.done(this.trouble);
      return;
    }
    const { kind } = longer;
    this.timer = setTimeout(() => this.tell(kind), STALE);
    this.asking.ask(longer, {
      part: (part) => {
        clearTimeout(this.timer);
        this.asking.heard(part);
      },
      done: (trouble) => {
        clearTimeout(this.timer);
        if (trouble !== undefined) this.failed(longer, trouble);
        this.next();
      },
    });
  }

  private tell(kind: Longer['kind']): void {
    const stop = element('button', 'stop');
    stop.onclick = () => this.asking.stop();
    this.results.later(kind, section(TITLES[kind], element('p', 'This takes a while.'), stop));
  }

  private failed(longer: Longer, trouble: string): void {
    this.trouble = trouble;
    const again = element('button', 'try again');
    again.onclick = () => this.first(longer);
    const told = element('p', `unknown: ${trouble}`);
    const { kind } = longer;
    this.results.later(kind, section(TITLES[kind], told, again, ...this.asking.remedies()));
  }
}
