import { OPERATORS } from '../../model/operators/facts.js';
import { interpret } from '../../model/interpret.js';
import { termsOfGuess } from '../../model/instructions/guess.js';
import * as m from '../../model/relation/matrix.js';
import type { Term, TermId } from '../../model/term.js';
import { hasOperands, operandsOf } from '../../model/term.js';
import type { EventStructure } from '../../program/events/structure.js';
import type { BaseBounds } from './base.js';
import { baseBounds } from './base.js';
import type { Presence } from './domain.js';
import { boundsDomain, presence } from './domain.js';

/**
 * Why not all executions of a program can be told of at once, if they cannot: what a guess is about depends on events that only some of them have. With
 * a guess about what something comes after, for instance, this is so where a branch decides whether that comes.
 */
export function unsettledGuess(
  structure: EventStructure,
  present: Presence = presence(structure.events),
  base: BaseBounds = baseBounds(structure, present),
): string | undefined {
  if (present.straight) return undefined;
  const { guesses, terms } = structure.program.instructions;
  const wide = widely(terms);
  const values = interpret(
    { terms, groups: [] },
    boundsDomain(present, (name) => base.set(name)!, base.fixed),
  );
  const isSettled = (id: TermId): boolean => {
    if (!wide[id]) return true;
    const { may, must } = terms[id].kind === 'set' ? values.set(id) : values.rel(id);
    return m.equal(may, must);
  };
  const found = guesses.find((guess) => !termsOfGuess(guess).every(isSettled));
  return found && `it depends on branches what the guess ${found.name} is about`;
}

/** By term: does it depend on more events than those that it is about? */
function widely(terms: readonly Term[]): readonly boolean[] {
  const wide: boolean[] = [];
  for (const term of terms) {
    wide.push(
      hasOperands(term) &&
        (!OPERATORS[term.op].pointwise || operandsOf(term).some((operand) => wide[operand])),
    );
  }
  return wide;
}
