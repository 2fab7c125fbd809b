import type { InstructionSet } from '../../model/instructions/set.js';
import type { Model } from '../../model/term.js';
import type { Test } from '../../program/program.js';
import { readTest } from '../../program/read.js';
import type { Alphabet } from '../../rdma/classes/alphabet.js';
import { enumerateShapes, isContended } from '../../rdma/classes/enumerate.js';
import type { Shape } from '../../rdma/classes/shape.js';
import type { Share } from './shares.js';

/** A program that was made, as a litmus file. */
export interface MadeProgram {
  readonly litmus: string;
}

/**
 * Goes through the programs of a share that may have several outcomes.
 *
 * @param visit is given each, with its place among those of the share; it returns true to stop
 */
export function eachProgram(
  alphabet: Alphabet,
  { size, beginnings }: Share,
  visit: (shape: Shape, index: number) => boolean | void,
): void {
  let count = 0;
  const some = (shape: Shape): boolean | void =>
    isContended(shape, alphabet) ? visit(shape, count++) : undefined;
  enumerateShapes(alphabet, size, some, beginnings);
}

/** The name of programs that are made. */
export const MADE = 'different';

/** A program that was made. @param models those that its expectations name */
export function testOf(
  text: string,
  instructions: InstructionSet,
  models: readonly Model[] = [],
): Test {
  const names = models.map(({ name }) => name);
  const read = readTest({ path: `${MADE}.litmus`, text }, instructions, names);
  if (!read.ok) throw new Error(`a program that was made is wrong: ${read.errors[0].message}`);
  return read.value;
}
