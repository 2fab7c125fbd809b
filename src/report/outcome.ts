/** Signs and words of verdicts: the same in text, in tables and on pages. */
import type { Answer, Verdict } from '../check/result.js';
import { plural } from './explain-style.js';
import { COLOURS } from './colours.js';

/** A verdict, or that there is none: the test has no meaning under the model, or the model was not asked. */
export type Outcome = Verdict | 'untranslatable' | 'not asked';

/** The signs of outcomes in tables. They praise and blame nothing: what is allowed may be what nobody wants. */
export const MARKS: { readonly [outcome in Outcome]: string } = {
  allowed: '●',
  forbidden: '○',
  holds: '∀',
  fails: '∄',
  unknown: '?',
  vacuous: '∅',
  untranslatable: '–',
  'not asked': '',
};

const WORDS: { readonly [outcome in Outcome]: string } = {
  allowed: 'allowed',
  forbidden: 'forbidden',
  holds: 'holds',
  fails: 'fails',
  unknown: 'unknown',
  vacuous: 'no execution',
  untranslatable: 'no meaning under the model',
  'not asked': 'not asked',
};

/** An outcome as pages and legends call it. */
export const wordFor = (outcome: Outcome): string => WORDS[outcome];

/** What stands behind the sign of a verdict. */
export const SIGNS = { published: '*', departs: '!', bounded: '^' } as const;

/** Whether hardware showed it. */
export const seenMark = (seen: boolean): string => (seen ? '◉' : '○');
export const seenText = (seen: boolean): string =>
  `${seenMark(seen)} ${seen ? 'seen' : 'not seen'}`;

/** Can what a query asks about, or for `forall` the contrary, happen? Undefined where that is open. */
export const HAPPENS: { readonly [verdict in Verdict]: boolean | undefined } = {
  allowed: true,
  fails: true,
  forbidden: false,
  holds: false,
  vacuous: undefined,
  unknown: undefined,
};

/**
 * A verdict for the terminal: yellow where something can happen, green where it cannot, red where
 * that is open.
 */
export function painted(verdict: string, happens: boolean | undefined, colours = COLOURS): string {
  const bold = colours.bold(verdict);
  if (happens === undefined) return colours.red(bold);
  return happens ? colours.yellow(bold) : colours.green(bold);
}

/** The runs that a verdict up to the loop bound is about. */
export const loopBound = (upTo: number): string => `at most ${upTo} iterations of each loop`;

/** What an answer says of buffers that were full. */
export const roomInWords = ({ room, full = [] }: Pick<Answer, 'room' | 'full'>): string =>
  `for buffers of at most ${room} entries: full was ${full.join(', ')}`;

/** How many states of a machine an answer rests on. */
export const statesInWords = ({
  states = 0,
  symmetry,
}: Pick<Answer, 'states' | 'symmetry'>): string =>
  `${plural(states, 'state')}${symmetry === undefined ? '' : ' up to symmetry'}`;

/** How the executions end that a verdict is about: those that satisfy the condition, or those that do not. */
export const endingOf = (verdict: Verdict): string =>
  verdict === 'holds' || verdict === 'fails' ? 'otherwise' : 'so';
