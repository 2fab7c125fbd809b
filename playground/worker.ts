import { PlaygroundEngine } from './engine.js';
import type { AboutInstruction, Asked, Part, Question, Texts } from './question.js';
import { loadC } from './c-part.js';
import { loadZ3 } from './z3.js';

/** What the page sends: first the model files, then questions. */
export type ToWorker =
  | { readonly kind: 'start'; readonly texts: Texts }
  | { readonly kind: 'about'; readonly question: Question; readonly at: number }
  | { readonly kind: 'ask'; readonly id: number; readonly asked: Asked };

/** What comes back: parts of the answer to the question with this number; `done` after the last. Before, that Z3 is loaded. */
export type FromWorker =
  | { readonly id: number; readonly part: Part }
  | { readonly id: number; readonly loaded: true }
  | { readonly id: number; readonly done: true }
  | { readonly id: number; readonly failed: string }
  /** What the instruction does that was asked about last. */
  | { readonly about: AboutInstruction | undefined };

let engine: PlaygroundEngine | undefined;
/** The last question: what comes before it is of no interest any more. */
let latest = 0;

let z3: ReturnType<typeof loadZ3> | undefined;

/** Z3, loaded once. It may fail for a reason that is gone the next time. */
async function solver(): ReturnType<typeof loadZ3> {
  try {
    const made = await (z3 ??= loadZ3());
    send({ id: latest, loaded: true });
    return made;
  } catch (error) {
    z3 = undefined;
    throw error;
  }
}

const send = (message: FromWorker): void => self.postMessage(message);

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'start') {
    engine = new PlaygroundEngine(data.texts, solver, () => loadC(location.href));
    return;
  }
  if (data.kind === 'about') {
    const about = await engine!.about(data.question, data.at).catch(() => undefined);
    send({ about });
    return;
  }
  const { id, asked } = data;
  latest = id;
  try {
    for await (const part of engine!.ask(asked)) {
      send({ id, part });
      // Lets newer questions come in.
      await new Promise((resolve) => setTimeout(resolve));
      if (latest !== id) return;
    }
    send({ id, done: true });
  } catch (error) {
    send({ id, failed: error instanceof Error ? error.message : String(error) });
  }
};
