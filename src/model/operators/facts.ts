import type { BinaryOp, UnaryOp } from '../../parse/cat-expr.js';
import type { Kind } from '../term-node.js';

/** An operator of cat, by the name that terms have it under. */
export type Operator = BinaryOp | UnaryOp;

/** Of the operands of an operator: which of them something has to be true of. */
export type Operands = 'any' | 'all' | 'first' | 'none';

/** What holds of an operator whatever its operands are. Fields about operands are by their positions. */
export interface Facts {
  /** The kind of every operand; `either`: sets or relations, but all of one kind. */
  readonly takes: Kind | 'either';
  /** The kind of the result; `same`: that of the operands. */
  readonly makes: Kind | 'same';
  /** Does the result only grow where this operand grows (true), or only shrink (false)? */
  readonly grows: readonly boolean[];
  /** Is it decided for each event, or each pair of events, from the operands at these events alone? */
  readonly pointwise: boolean;
  /** Which operands have to be empty, so that the result is. */
  readonly emptyWith: Operands;
  /** Operands that the result does not need if they are empty: it is equal to the other one then. */
  readonly dropped: readonly number[];
  /** Which operands have to be about some events only, so that the result is about no others. */
  readonly about: Operands;
  readonly written: Written;
  /** What there is to say of why a pair is in the result. */
  readonly reason: ReasonKind;
}

/** How an operator is written. In messages, `sign` stands for it. */
export interface Written {
  readonly form: 'infix' | 'prefix' | 'postfix' | 'brackets' | 'call';
  /** Of brackets, with `…` where the operand stands. */
  readonly sign: string;
  /** How tightly it binds: an operand that binds more loosely needs parentheses. */
  readonly strength: number;
  /** Does `a (b c)` need no parentheses? */
  readonly associative?: boolean;
}

/**
 * Why a pair is in the result of an operator: because of one operand (`choice`), of all of them (`all`), of the first, which
 * the others only take from (`first`); by a path of pairs of the operands (`path`); by the same pair turned round (`turned`);
 * by what events are (`events`); or because something is not so, of which there is no more to say (`none`).
 */
export type ReasonKind = 'choice' | 'all' | 'first' | 'path' | 'turned' | 'events' | 'none';

/** Binds more tightly than every infix operator. */
export const POSTFIX = 6;
/** What stands alone: a name, brackets, a call. */
export const PRIMARY = 7;

const infix = (sign: string, strength: number, associative: boolean): Written => ({
  form: 'infix',
  sign,
  strength,
  associative,
});
const postfix = (sign: string): Written => ({ form: 'postfix', sign, strength: POSTFIX });
const call = (sign: string): Written => ({ form: 'call', sign, strength: PRIMARY });

/** On two sets or two relations, event by event or pair by pair. */
const ON_EITHER = { takes: 'either', makes: 'same', pointwise: true } as const;
/** From one relation to another. */
const ON_RELATION = { takes: 'rel', makes: 'rel', grows: [true], dropped: [] } as const;
/** The events at one end of a relation. */
const END = {
  ...ON_RELATION,
  makes: 'set',
  pointwise: false,
  emptyWith: 'all',
  about: 'all',
  reason: 'events',
} as const;

/**
 * The operators of cat (herd's manual, "The cat language"; docs/cat.md), from the one that binds most loosely. All that no
 * engine has an own way for is read from here; what an operator makes of bits, literals, parts and forbidden pairs stands
 * beside it in this folder.
 */
export const OPERATORS: Readonly<Record<Operator, Facts>> = {
  union: {
    ...ON_EITHER,
    grows: [true, true],
    emptyWith: 'all',
    dropped: [0, 1],
    about: 'all',
    written: infix('|', 0, true),
    reason: 'choice',
  },
  seq: {
    takes: 'rel',
    makes: 'rel',
    grows: [true, true],
    pointwise: false,
    emptyWith: 'any',
    dropped: [],
    about: 'all',
    written: infix(';', 1, true),
    reason: 'path',
  },
  diff: {
    ...ON_EITHER,
    grows: [true, false],
    emptyWith: 'first',
    dropped: [1],
    about: 'first',
    written: infix('\\', 2, false),
    reason: 'first',
  },
  inter: {
    ...ON_EITHER,
    grows: [true, true],
    emptyWith: 'any',
    dropped: [],
    about: 'any',
    written: infix('&', 3, true),
    reason: 'all',
  },
  product: {
    takes: 'set',
    makes: 'rel',
    grows: [true, true],
    pointwise: true,
    emptyWith: 'any',
    dropped: [],
    about: 'all',
    written: infix('*', 4, false),
    reason: 'events',
  },
  compl: {
    ...ON_EITHER,
    grows: [false],
    emptyWith: 'none',
    dropped: [],
    about: 'none',
    written: { form: 'prefix', sign: '~', strength: 5 },
    reason: 'none',
  },
  inverse: {
    ...ON_RELATION,
    pointwise: true,
    emptyWith: 'all',
    about: 'all',
    written: postfix('^-1'),
    reason: 'turned',
  },
  plus: {
    ...ON_RELATION,
    pointwise: false,
    emptyWith: 'all',
    about: 'all',
    written: postfix('+'),
    reason: 'path',
  },
  star: {
    ...ON_RELATION,
    pointwise: false,
    emptyWith: 'none',
    about: 'none',
    written: postfix('*'),
    reason: 'path',
  },
  opt: {
    ...ON_RELATION,
    pointwise: true,
    emptyWith: 'none',
    about: 'none',
    written: postfix('?'),
    reason: 'path',
  },
  identity: {
    takes: 'set',
    makes: 'rel',
    grows: [true],
    pointwise: true,
    emptyWith: 'all',
    dropped: [],
    about: 'all',
    written: { form: 'brackets', sign: '[…]', strength: PRIMARY },
    reason: 'events',
  },
  domain: { ...END, written: call('domain') },
  range: { ...END, written: call('range') },
};

/** Is something true of the operands that it has to be true of? */
export function holdsFor<T>(
  of: Operands,
  operands: readonly T[],
  test: (operand: T) => boolean,
): boolean {
  switch (of) {
    case 'any':
      return operands.some(test);
    case 'all':
      return operands.every(test);
    case 'first':
      return test(operands[0]);
    case 'none':
      return false;
  }
}

/** The kind of what an operator makes of operands of a kind. */
export const kindMade = (op: Operator, operand: Kind): Kind => {
  const { makes } = OPERATORS[op];
  return makes === 'same' ? operand : makes;
};
