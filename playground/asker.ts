import type { AboutInstruction, Asked, Part, Question, Texts } from './question.js';
import type { FromWorker, ToWorker } from './worker.js';

/** How long the page waits for an answer, and how long a newer question waits for an older one, in milliseconds. */
const PATIENCE = 20_000;
const OUSTED = 400;

const TOO_LONG = 'this takes more time than the page has';

export interface Listener {
  part(part: Part): void;
  /** Z3 is there, and at work. */
  loaded(): void;
  /** The answer is there, or there will be none: then it says why. */
  done(trouble?: string): void;
}

/**
 * Asks a worker. A question in the place of another ends the older one; what takes too long is given up, but for what Z3
 * is asked: whoever asks it may stop it.
 */
export class Asker {
  private worker: Worker | undefined;
  private id = 0;
  private listener: Listener | undefined;
  private since = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private loaded = false;
  private told: (about: AboutInstruction | undefined) => void = () => {};

  /** @param texts the files of models */
  constructor(private readonly texts: Texts) {
    this.begin();
  }

  /** Whether Z3 is loaded: it ends with the worker. */
  get hasZ3(): boolean {
    return this.loaded;
  }

  ask(asked: Asked, listener: Listener): void {
    // A worker that is at work for long would not hear of a newer question.
    if (this.listener !== undefined && performance.now() - this.since > OUSTED) this.restart();
    this.id += 1;
    this.listener = listener;
    this.since = performance.now();
    clearTimeout(this.timer);
    if (!asked.asksZ3) this.timer = setTimeout(() => this.stop(TOO_LONG), PATIENCE);
    this.post({ kind: 'ask', id: this.id, asked });
  }

  /** What the instruction at a place does; nothing is known while another one is asked about, or if the worker ends. */
  about(question: Question, at: number): Promise<AboutInstruction | undefined> {
    this.told(undefined);
    this.post({ kind: 'about', question, at });
    return new Promise((done) => {
      this.told = done;
    });
  }

  /** Ends what is under way, and says so. */
  stop(reason = 'stopped'): void {
    const { listener } = this;
    if (listener === undefined) return;
    this.restart();
    listener.done(reason);
  }

  private begin(): void {
    this.loaded = false;
    this.worker = new Worker('worker.js', { type: 'module' });
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      const { listener } = this;
      this.restart();
      listener?.done(event.message || 'the worker ended');
    };
    this.post({ kind: 'start', texts: this.texts });
  }

  private restart(): void {
    clearTimeout(this.timer);
    this.told(undefined);
    this.listener = undefined;
    this.worker?.terminate();
    this.begin();
  }

  private hear(message: FromWorker): void {
    if ('about' in message) {
      this.told(message.about);
      return;
    }
    if (message.id !== this.id) return;
    const { listener } = this;
    if ('part' in message) {
      listener?.part(message.part);
      return;
    }
    if ('loaded' in message) {
      this.loaded = true;
      listener?.loaded();
      return;
    }
    clearTimeout(this.timer);
    this.listener = undefined;
    listener?.done('failed' in message ? message.failed : undefined);
  }

  private post(message: ToWorker): void {
    this.worker!.postMessage(message);
  }
}
