import { CHOSEN_RELATIONS } from '../bases.js';
import type { Guess, InstructionSet } from './set.js';

/** What an execution chooses for a guess of each kind: an order of events, one source for an event, or nothing. */
const CHOOSES: Readonly<Record<Guess['how'], 'order' | 'source' | 'nothing'>> = {
  either: 'order',
  total: 'order',
  // Which events are partners by rank follows from which events are executed.
  kth: 'nothing',
  // The pairs follow from the orders by which is counted. As choices, they need no engine of their own.
  counted: 'source',
  one: 'source',
};

/** Does an execution choose the pairs of a guess? */
export const isChosen = ({ how }: Guess): boolean => CHOOSES[how] !== 'nothing';

/** The names of the guesses that an execution chooses. */
export const chosenGuesses = ({ guesses }: InstructionSet): readonly string[] =>
  guesses.filter(isChosen).map(({ name }) => name);

/**
 * The relations that an execution chooses: reads-from and modification order, and what its instruction
 * set guesses.
 */
export const chosenIn = (instructions: InstructionSet): readonly string[] => [
  ...CHOSEN_RELATIONS,
  ...chosenGuesses(instructions),
];

/** The same with partners by rank: the relations in which executions of one program differ. */
export const varyingIn = ({ guesses }: InstructionSet): readonly string[] => [
  ...CHOSEN_RELATIONS,
  ...guesses.map((guess) => guess.name),
];

/** Does a chosen relation give each event one source, in the place of ordering events? */
export const givesSources = (name: string, { guesses }: InstructionSet): boolean =>
  name === 'rf' || guesses.some((guess) => guess.name === name && CHOOSES[guess.how] === 'source');
