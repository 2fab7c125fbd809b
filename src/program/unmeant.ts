import { operationsOf } from '../model/instructions/operations.js';
import type { InstructionSet } from '../model/instructions/set.js';
import type { Span } from '../parse/diagnostics/index.js';
import { locationsOf } from './accessed.js';
import { destinationOf, expressionsOf, instructionsOf } from './instructions.js';
import type { Instruction, Program } from './program.js';

/** The message about an assignment, or a name in an expression, for which no operation is declared. */
export const NO_FORM = 'no operation has this form in the models asked';

/** The hint how a model declares an operation for such a form. */
export const meaningHint = (form: string): string =>
  `a model says what this is: short ${form} : NAME`;

/** A form without the name of an operation, for which no operation is declared. */
export interface Unmeant {
  readonly span: Span;
  readonly hint: string;
}

/**
 * The first name in an expression, and the first assignment, for which an instruction set declares no operation.
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

/** Does an expression of the instruction read a location? Values in calls only have registers. */
const readsPlainly = (i: Instruction): boolean =>
  i.kind !== 'call' && expressionsOf(i).some((e) => locationsOf(e).length > 0);

/** Does a value go to a location, from an expression or from a call? */
const storesPlainly = (i: Instruction): boolean => destinationOf(i)?.kind === 'location';
