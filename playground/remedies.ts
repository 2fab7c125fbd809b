import { element, pre } from './elements.js';
import type { Question } from './question.js';
import { nameOf as fileName } from './recognised.js';

const NOT_ISOLATED =
  'Z3 could decide it here if this host allowed it: it has to send the headers ' +
  'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp. ' +
  'On a machine of your own, run';

/** Z3, where it may help. */
interface Help {
  readonly isLoaded: boolean;
  /** What loading it takes. */
  readonly bytes: number;
  ask(): void;
}

/** What to do where there is no answer: ask Z3, or a machine that has more time. */
export function remediesFor(question: Question, z3: Help | undefined): readonly HTMLElement[] {
  const command = pre(commandFor(question));
  if (z3 === undefined) return [element('p', 'On a machine of your own, run'), command];
  if (!crossOriginIsolated) return [element('p', NOT_ISOLATED), command];
  const size = `loads ${Math.round(z3.bytes / 1e6)} MB`;
  const button = element('button', z3.isLoaded ? 'ask Z3' : `ask Z3 (${size})`);
  button.onclick = () => z3.ask();
  return [button, element('p', 'or, on a machine of your own, run'), command];
}

function commandFor({ litmus, models, onFabrics }: Question): string {
  const names = models.map(({ name, text }) => (text === undefined ? name : `${name}.cat`));
  const file = fileName(litmus);
  return onFabrics === true
    ? `remora fabrics ${file} --fix`
    : `remora check ${file} -m ${names.join(',')}`;
}
