import { CHOSEN_RELATIONS } from '../bases.js';
import type { InstructionSet } from './set.js';

/**
 * The relations that an execution chooses: reads-from and modification order, and what its instruction
 * set guesses. Partners by rank (`kth`) are no choice: they follow from the path.
 */
export const chosenIn = ({ guesses }: InstructionSet): readonly string[] => [
  ...CHOSEN_RELATIONS,
  ...guesses.flatMap((guess) => (guess.how === 'kth' ? [] : [guess.name])),
];

/** The same with partners by rank: the relations in which executions of one program differ. */
export const varyingIn = ({ guesses }: InstructionSet): readonly string[] => [
  ...CHOSEN_RELATIONS,
  ...guesses.map((guess) => guess.name),
];

/** Does a chosen relation give each event one source, in the place of ordering events? */
export const givesSources = (name: string, { guesses }: InstructionSet): boolean =>
  name === 'rf' || guesses.some((guess) => guess.name === name && guess.how === 'one');
