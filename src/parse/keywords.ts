/** The words that are keywords wherever they stand. Editors and pages colour them, too, and need no lexer for that. */

export const LITMUS_KEYWORDS = [
  'source',
  'question',
  'note',
  'bound',
  'node',
  'thread',
  'on',
  'assume',
  'if',
  'else',
  'while',
  'loop',
  'choose',
  'or',
  'skip',
  'exists',
  'forall',
  'true',
  'false',
  'not',
  'filter',
  'locations',
  'expect',
  'computed',
  'observed',
  'yes',
  'no',
] as const;

/** Words that are keywords where an item begins with them and a name, and names elsewhere. */
export const ITEM_WORDS_BEFORE_NAMES = [
  ...['qp', 'ghost', 'symmetric', 'uses', 'exclusive', 'progress'],
] as const;

/** Words that are keywords where an item begins with them, and names elsewhere. */
export const ITEM_WORDS = [
  ...ITEM_WORDS_BEFORE_NAMES,
  ...['deadlock', 'never', 'assertions'],
] as const;

/** Tests of axioms; after `~`, they make a negated axiom rather than a complement. */
export const CAT_TESTS = ['acyclic', 'irreflexive', 'empty'] as const;

export const CAT_KEYWORDS = [
  ...['let', 'rec', 'and', 'include', 'show', 'unshow', 'flag', 'as'],
  ...CAT_TESTS,
] as const;
