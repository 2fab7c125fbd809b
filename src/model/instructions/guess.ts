import type { Expr } from '../../parse/cat-ast.js';
import type { GuessDeclaration } from '../../parse/declaration-ast.js';
import { CHOSEN_RELATIONS } from '../bases.js';
import { elaborateExpr, expectKind } from '../expression.js';
import type { Context } from '../expression.js';
import { mapOperands, operandsOf } from '../term.js';
import type { ModelScope } from '../scope.js';
import { basesOf } from '../table.js';
import type { TermTable } from '../table.js';
import type { Kind, Term, TermId } from '../term.js';
import type { Guess, InstructionSet } from './set.js';

/** A guess whose terms are those of the model's own table. */
export type GuessedTerms = Guess;

/**
 * Checks a guess: it may be over what the program fixes only, or its pairs would depend on what is
 * guessed. Undefined after reporting.
 *
 * @param guessed the names that are guessed already
 */
export function elaborateGuess(
  context: Context,
  scope: ModelScope,
  { name, words, choosing }: GuessDeclaration,
  guessed: ReadonlySet<string>,
): GuessedTerms | undefined {
  const term = (expr: Expr, kind: Kind): TermId | undefined => {
    const need = `\`${choosing.how}\` needs a ${kind === 'set' ? 'set' : 'relation'} here`;
    const id = expectKind(context, elaborateExpr(context, scope, expr), kind, need, expr);
    if (id === undefined) return undefined;
    if (isRecursive(context.table, id)) {
      const message = 'a guess cannot be over what a `let rec` defines';
      context.errors.push({ span: expr.span, message });
      return undefined;
    }
    const open = basesOf(context.table, [id]).find(
      (base) => CHOSEN_RELATIONS.includes(base) || guessed.has(base),
    );
    if (open === undefined) return id;
    const message = `'${open}' is guessed itself: a guess is over what the program fixes`;
    context.errors.push({ span: expr.span, message });
    return undefined;
  };
  const about = { name: name.text, words };
  if ('pairs' in choosing) {
    const pairs = term(choosing.pairs, 'rel');
    return pairs === undefined ? undefined : { ...about, how: choosing.how, pairs };
  }
  const [from, to] = [term(choosing.from, 'set'), term(choosing.to, 'set')];
  const within = term(choosing.within, 'rel');
  if (from === undefined || to === undefined || within === undefined) return undefined;
  if (choosing.how !== 'kth') return { ...about, how: 'one', from, to, within };
  return { ...about, how: 'kth', from, to, within, unordered: choosing.unordered };
}

/** The guesses over a table of their own, which holds what they are made of and nothing else. */
export function termsOf(
  guesses: readonly GuessedTerms[],
  table: TermTable,
): Pick<InstructionSet, 'guesses' | 'terms'> {
  const terms: Term[] = [];
  const moved = new Map<TermId, TermId>();
  const move = (id: TermId): TermId => {
    const known = moved.get(id);
    if (known !== undefined) return known;
    const term = table.terms[id];
    const at = terms.push(mapOperands(term, move)) - 1;
    moved.set(id, at);
    return at;
  };
  return {
    guesses: guesses.map((guess): Guess =>
      'pairs' in guess
        ? { ...guess, pairs: move(guess.pairs) }
        : { ...guess, from: move(guess.from), to: move(guess.to), within: move(guess.within) },
    ),
    terms,
  };
}

function isRecursive(table: TermTable, id: TermId): boolean {
  const term = table.terms[id];
  return term.op === 'fix' || operandsOf(term).some((operand) => isRecursive(table, operand));
}
