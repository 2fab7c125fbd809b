/**
 * The signs and words for verdicts. Text, tables and pages all take them from here, so that a sign always means the
 * same.
 */
import type { Answer, Verdict } from '../check/result.js';
import { plural } from './explain-style.js';
import { COLOURS } from './colours.js';

/** A verdict; or why there is none: the test cannot be translated for the model, or the model was not asked. */
export type Outcome = Verdict | 'untranslatable' | 'not asked';

/** The signs for outcomes in tables. None of them means good or bad: what is allowed may be just what nobody wants. */
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

/** The word for an outcome, on pages and in legends. */
export const wordFor = (outcome: Outcome): string => WORDS[outcome];

/** The outcomes in legends, in their order. */
export const LISTED: readonly Outcome[] = [
  'allowed',
  'forbidden',
  'holds',
  'fails',
  'unknown',
  'vacuous',
  'untranslatable',
];

/** `● allowed` */
export const legendFor = (outcome: Outcome): string => `${MARKS[outcome]} ${WORDS[outcome]}`;

/**
 * What may follow the sign of a verdict: it is published, it departs from the file, it is only for runs up to the
 * bound.
 */
export const SIGNS = { published: '*', departs: '!', bounded: '^' } as const;

/** The mark for what hardware showed, or did not show. */
export const seenMark = (seen: boolean): string => (seen ? '◉' : '○');
export const seenText = (seen: boolean): string =>
  `${seenMark(seen)} ${seen ? 'seen' : 'not seen'}`;

/** Can what a query asks about happen? For `forall`, can it fail? Undefined if that is not known. */
export const HAPPENS: { readonly [verdict in Verdict]: boolean | undefined } = {
  allowed: true,
  fails: true,
  forbidden: false,
  holds: false,
  vacuous: undefined,
  unknown: undefined,
};

/**
 * A verdict with its colour for the terminal: yellow if something can happen, green if it cannot, red if that is not
 * known.
 */
export function painted(verdict: string, happens: boolean | undefined, colours = COLOURS): string {
  const bold = colours.bold(verdict);
  if (happens === undefined) return colours.red(bold);
  return happens ? colours.yellow(bold) : colours.green(bold);
}

/** In words, the runs that a verdict up to the loop bound is about. */
export const loopBound = (upTo: number): string => `at most ${upTo} iterations of each loop`;

/** In words, for which calls there was too little room in an exploration: runs that need more were not tried. */
export const roomInWords = ({ room, full = [] }: Pick<Answer, 'room' | 'full'>): string =>
  `for at most ${room} unfinished calls: there were more of ${full.join(', ')}`;

/** In words, how many states of a machine were explored for an answer. */
export const statesInWords = ({
  states = 0,
  symmetry,
}: Pick<Answer, 'states' | 'symmetry'>): string =>
  `${plural(states, 'state')}${symmetry === undefined ? '' : ' up to symmetry'}`;

/** The words for the final states that a verdict is about: those that satisfy the condition, or those that do not. */
export const endingOf = (verdict: Verdict): string =>
  verdict === 'holds' || verdict === 'fails' ? 'otherwise' : 'so';
