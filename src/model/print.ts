import { BASE_WORDS } from './bases.js';
import { librarySetName } from './instructions/library.js';
import type { Operator } from './operators/facts.js';
import { OPERATORS, POSTFIX, PRIMARY } from './operators/facts.js';
import type { Model, Term, TermId } from './term.js';
import { hasOperands, operandsOf } from './term.js';

/** How a model calls its terms: what is printed of them, and what they mean in words. */
export interface TermNames {
  /** The name that stands for a term, if one does. */
  name(term: TermId): string | undefined;
  /** What an edge of a term means, where the model file or the language says so. */
  words(term: TermId): string | undefined;
  /** A term as cat text, in which named terms stand by their names. */
  text(term: TermId): string;
  /** The same, but of a named term its definition. */
  body(term: TermId): string;
}

/**
 * The names of a model's terms. Of several names of one term, the first is taken that no later
 * definition takes over for something else. A definition without words inherits them from an earlier
 * one of the same name: `let oppo = oppo \ …` changes a table, not what it is about.
 */
export function termNames(model: Model): TermNames {
  const { terms, groups } = model;
  const latest = new Map(model.definitions.map(({ name, term }) => [name, term]));
  const names = new Map<TermId, string>();
  for (const [id, name] of ofLibraries(model)) names.set(id, name);
  const words = new Map<TermId, string>();
  const said = new Map<string, string>();
  for (const { term, words: own } of model.operandWords) words.set(term, own);
  const current = model.definitions.filter(({ name, term }) => latest.get(name) === term);
  for (const { name, term } of [...current, ...model.definitions]) {
    if (hasName(terms[term]) && !names.has(term)) names.set(term, name);
  }
  for (const { name, term, words: own = said.get(name) } of model.definitions) {
    if (own === undefined) continue;
    said.set(name, own);
    if (names.get(term) === name) words.set(term, own);
  }
  // Inside of its definition, a recursive relation is called as it is outside.
  terms.forEach((term, id) => {
    if (term.op !== 'fix') return;
    const { names: own, vars } = groups[term.group];
    const variable = vars[term.index];
    if (!names.has(id)) names.set(id, own[term.index]);
    names.set(variable, names.get(id)!);
    const about = words.get(id);
    if (about !== undefined) words.set(variable, about);
  });

  const guessed = new Map(model.instructions.guesses.map((guess) => [guess.name, guess.words]));
  const text = (id: TermId): string => names.get(id) ?? body(id);
  const body = (id: TermId): string => {
    const term = terms[id];
    return term.op === 'fix'
      ? body(groups[term.group].bodies[term.index])
      : printTerm(term, terms, inside);
  };
  /** An operand, in parentheses where its operator binds too loosely for its place. */
  const inside = (id: TermId, least: number): string => {
    return isLoose(terms[id], least) && !names.has(id) ? `(${text(id)})` : text(id);
  };
  const ofBase = (id: TermId): string | undefined => {
    const term = terms[id];
    if (term.op === 'inter' && names.has(id)) return ofBase(term.left);
    return term.op === 'base' ? term.name : undefined;
  };
  return {
    name: (id) => names.get(id) ?? ofBase(id),
    words: (id) =>
      words.get(id) ?? guessed.get(ofBase(id) ?? '') ?? BASE_WORDS.get(ofBase(id) ?? ''),
    text,
    body,
  };
}

/** In a library's file, base names stand for what is among its own calls, and `_` for these: so they are called elsewhere, too. */
function ofLibraries({ terms, instructions }: Model): readonly (readonly [TermId, string])[] {
  const own = new Set(instructions.libraries.map(({ name }) => librarySetName(name)));
  const isOwn = (id: TermId): boolean => {
    const term = terms[id];
    if (term.op === 'product') return term.left === term.right && isOwn(term.left);
    return term.op === 'base' && own.has(term.name);
  };
  return terms.flatMap((term, id): (readonly [TermId, string])[] => {
    if (term.op === 'base' && own.has(term.name)) return [[id, '_']];
    if (term.op !== 'inter' || !isOwn(term.right)) return [];
    const left = terms[term.left];
    return left.op === 'base' ? [[id, left.name]] : [];
  });
}

/**
 * Does an operand bind too loosely for its place? The entry `a & (B * C)` of a table needs no parentheses,
 * but is read better with them.
 */
const isLoose = (term: Term, least: number): boolean =>
  strength(term) < least || (term.op === 'product' && least > 0);

/** A term of a table without names, such as those of guesses, as cat text. */
export function termText(terms: readonly Term[], id: TermId): string {
  const operand = (of: TermId, least: number): string => {
    const text = termText(terms, of);
    return isLoose(terms[of], least) ? `(${text})` : text;
  };
  return printTerm(terms[id], terms, operand);
}

/** Base terms keep their base name, whatever a model calls them. */
const hasName = ({ op }: Term): boolean => op !== 'base' && op !== 'empty' && op !== 'universe';

const strength = (term: Term): number =>
  hasOperands(term) ? OPERATORS[term.op].written.strength : PRIMARY;

function printTerm(
  term: Term,
  terms: readonly Term[],
  operand: (id: TermId, least: number) => string,
): string {
  if (hasOperands(term)) return printOperator(term.op, operandsOf(term), terms, operand);
  switch (term.op) {
    case 'base':
      return term.name;
    case 'empty':
      return '0';
    case 'universe':
      return '_';
    case 'rec':
    case 'fix':
      return '…';
  }
}

function printOperator(
  op: Operator,
  [a, b]: readonly TermId[],
  terms: readonly Term[],
  operand: (id: TermId, least: number) => string,
): string {
  const { form, sign, strength: own, associative } = OPERATORS[op].written;
  switch (form) {
    case 'infix': {
      // Without blanks around a sign, a reader sees what belongs together only if its operands bind tightly.
      const tight = (id: TermId): string => operand(id, terms[id].op === op ? own : POSTFIX);
      if (op === 'seq') return `${tight(a)}${sign}${tight(b)}`;
      return `${operand(a, own)} ${sign} ${operand(b, associative === true ? own : own + 1)}`;
    }
    case 'prefix':
      return `${sign}${operand(a, own)}`;
    case 'postfix':
      return `${operand(a, own)}${sign}`;
    case 'brackets':
      return sign.replace('…', () => operand(a, 0));
    case 'call':
      return `${sign}(${operand(a, 0)})`;
  }
}
