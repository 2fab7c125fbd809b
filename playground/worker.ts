import { PlaygroundEngine } from './engine.js';
import type { Focus, Part, Question, Texts } from './question.js';

/** What the page sends: first the model files, then questions. */
export type ToWorker =
  | { readonly kind: 'texts'; readonly texts: Texts }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly question: Question;
      readonly focus: Focus;
    };

/** What comes back: parts of the answer to the question with this number; `done` after the last. */
export type FromWorker =
  | { readonly id: number; readonly part: Part }
  | { readonly id: number; readonly done: true }
  | { readonly id: number; readonly failed: string };

let engine: PlaygroundEngine | undefined;
/** The last question: what comes before it is of no interest any more. */
let latest = 0;

const send = (message: FromWorker): void => self.postMessage(message);

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'texts') {
    engine = new PlaygroundEngine(data.texts);
    return;
  }
  const { id, question, focus } = data;
  latest = id;
  try {
    for await (const part of engine!.ask(question, focus)) {
      send({ id, part });
      // Lets newer questions come in.
      await new Promise((resolve) => setTimeout(resolve));
      if (latest !== id) return;
    }
    send({ id, done: true });
    await engine!.load();
  } catch (error) {
    send({ id, failed: error instanceof Error ? error.message : String(error) });
  }
};
