import type { Expr } from '../../parse/cat-ast.js';
import type { Name } from '../../parse/cat-ast.js';
import type { GuessDeclaration } from '../../parse/declaration-ast.js';
import { didYouMean } from '../../parse/diagnostics/index.js';
import { CHOSEN_RELATIONS } from '../bases.js';
import type { Context } from '../context.js';
import { elaborateExpr } from '../expression.js';
import { expectKind } from '../operands.js';
import { mapOperands, operandsOf } from '../term.js';
import { usedIn } from '../name-places.js';
import { find } from '../scope.js';
import type { ModelScope } from '../scope.js';
import { basesOf } from '../table.js';
import type { TermTable } from '../table.js';
import type { Kind, Term, TermId } from '../term.js';
import type { Guess, InstructionSet } from './set.js';

/** A guess whose terms are those of the model's own table. */
export type GuessedTerms = Guess;

/** What a guess is about, without the orders that it counts by. */
export const termsOfGuess = (guess: Guess): readonly TermId[] =>
  'pairs' in guess ? [guess.pairs] : [guess.from, guess.to, guess.within];

/**
 * Checks a guess: it may be over what the program fixes only, or its pairs would depend on what is
 * guessed. Undefined after reporting.
 *
 * @param guessed what is guessed already, by its name
 */
export function elaborateGuess(
  context: Context,
  scope: ModelScope,
  { name, words, choosing }: GuessDeclaration,
  guessed: ReadonlyMap<string, GuessedTerms>,
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
  const { by, unordered } = choosing;
  if (by.every((order) => order === undefined)) {
    return { ...about, how: 'kth', from, to, within, unordered };
  }
  const orders = by.map((order) => order && orderNamed(context, scope, order, guessed));
  const isKnown = orders.every((order, i) => (order === undefined) === (by[i] === undefined));
  if (!isKnown) return undefined;
  return { ...about, how: 'counted', from, to, within, fromBy: orders[0], toBy: orders[1] };
}

/** The total order of this name that is guessed already. Undefined after reporting that there is none. */
function orderNamed(
  context: Context,
  scope: ModelScope,
  name: Name,
  guessed: ReadonlyMap<string, GuessedTerms>,
): string | undefined {
  const orders = [...guessed.values()].filter(({ how }) => how === 'total');
  usedIn(context, scope, name);
  const binding = find(scope, name.text);
  const base = binding?.kind === 'base' ? binding.name : undefined;
  // Writes of one location are ordered by every execution.
  if (base === 'mo' || orders.some((one) => one.name === base)) return base;
  const names = orders.map((one) => one.name);
  const hint = didYouMean(name.text, names) ?? `guess it before: guess ${name.text} : total …`;
  const message = `'${name.text}' is no total order that is guessed`;
  context.errors.push({ span: name.span, message, hint });
  return undefined;
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
