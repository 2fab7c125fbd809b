/**
 * The keywords of both languages. They have a file of their own because editors and pages colour them without a lexer.
 */

/** Words of litmus files that are keywords wherever they stand, and so never names. */
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

/** Words that are keywords only if an item begins with them and a name follows. Elsewhere they are names. */
export const ITEM_WORDS_BEFORE_NAMES = [
  ...['qp', 'cq', 'ghost', 'symmetric', 'uses', 'exclusive', 'progress'],
] as const;

/** Words that are keywords only if an item begins with them. Elsewhere they are names. */
export const ITEM_WORDS = [
  ...ITEM_WORDS_BEFORE_NAMES,
  ...['deadlock', 'never', 'assertions'],
] as const;

/** The tests of axioms. After `~` they make a negated axiom; before anything else, `~` is a complement. */
export const CAT_TESTS = ['acyclic', 'irreflexive', 'empty'] as const;

export const CAT_KEYWORDS = [
  ...['let', 'rec', 'and', 'in', 'include', 'show', 'unshow', 'flag', 'assert', 'undefined_unless'],
  ...['as', 'when', 'fun', 'try', 'with', 'from', 'if', 'then', 'else', 'match', 'begin', 'end'],
  ...['not', 'subset', 'variant', 'enum', 'procedure', 'call', 'forall', 'do', 'debug', 'catdep'],
  ...['instructions', 'default'],
  ...CAT_TESTS,
] as const;
