import { join } from 'node:path';
import type { Files } from '../../src/node/models.js';
import { MODELS_FOLDER, loadModel } from '../../src/node/models.js';
import { readSource } from '../../src/node/read.js';
import type { Definition, Model, TermId } from '../../src/model/term.js';

/** The file that every model gets that declares nothing. */
const INSTRUCTIONS = join(MODELS_FOLDER, 'instructions.cat');

/** Files that models get without an include of their own, or whatever is beside them. */
const GIVEN: readonly string[] = [
  INSTRUCTIONS,
  ...[
    'herd.cat',
    'herd/cross.cat',
    'herd/operations.cat',
    'herd/kernel.cat',
    'herd/atomics.cat',
  ].map((file) => join(MODELS_FOLDER, file)),
];

/** Files of a test, and beside them the shipped instructions and names of herd7. */
export const withInstructions = ({ exists, read }: Files): Files => ({
  exists: (path) => GIVEN.includes(path) || exists(path),
  read: (path) => (GIVEN.includes(path) ? readSource(path) : read(path)),
});

const shared = loadModel(INSTRUCTIONS).model;
if (!shared.ok) throw new Error(shared.errors[0].message);
const given = shared.value;

/** What a model is about that declares nothing. */
export const { instructions: PLAIN } = given;

/** The definitions of a text that declares nothing and includes nothing: those of the instructions come first. */
export const ownDefinitions = ({ definitions, instructions }: Model): readonly Definition[] =>
  instructions === PLAIN ? definitions.slice(given.definitions.length) : definitions;

/** The number of a term of such a text, counted from its own first one. */
export const ownTerm = (id: TermId): number => id - given.terms.length;
