import { operationsOf } from '../model/instructions/operations.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type { Span } from '../parse/diagnostics/index.js';
import { locationsOf } from './accessed.js';
import { destinationOf, expressionsOf, instructionsOf } from './instructions.js';
import type { Instruction, Program } from './program.js';

/** What is said of an assignment, or of a name in an expression, that stands for nothing. */
export const NO_FORM = 'no operation has this form in the models asked';

/** How a model declares what such a form stands for. */
export const meaningHint = (form: string): string =>
  `a model says what this is: short ${form} : NAME`;

/** Something that a program does without naming an operation, and that no operation is declared for. */
export interface Unmeant {
  readonly span: Span;
  readonly hint: string;
}

/**
 * Names in expressions and assignments stand for operations, too. The first of each that means nothing in an
 * instruction set.
 */
export function unmeantForms(program: Program, instructions: InstructionSet): readonly Unmeant[] {
  const { short } = operationsOf(instructions);
  const all = program.threads.flatMap(({ body }) => [...instructionsOf(body)]);
  const first = (does: (i: Instruction) => boolean, form: string): readonly Unmeant[] => {
    const found = all.find(does);
    return found === undefined ? [] : [{ span: found.span, hint: meaningHint(form) }];
  };
  return [
    ...(short(undefined, 'own') === undefined ? first(readsPlainly, 'own') : []),
    ...(short('own', 'value') === undefined ? first(storesPlainly, 'own := value') : []),
  ];
}

/** Is a location among what is computed? Values of calls are of registers. */
const readsPlainly = (i: Instruction): boolean =>
  i.kind !== 'call' && expressionsOf(i).some((e) => locationsOf(e).length > 0);

/** Does a value go to a location, from an expression or from a call? */
const storesPlainly = (i: Instruction): boolean => destinationOf(i)?.kind === 'location';
