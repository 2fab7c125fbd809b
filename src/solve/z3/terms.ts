import type { Z3Module } from './module.js';

/** So many variables are made at a time: more than nearly all sessions need. */
const BLOCK = 2048;

/**
 * Makes the terms of variables and their negations, and keeps them. Many at once, before there are
 * clauses: Z3 numbers terms, uses the numbers of terms that are gone again, and goes by them in its
 * search. If variables were made one by one, what it finds would depend on what it was asked before.
 */
export function variables(em: Z3Module, context: number): (literal: number) => number {
  const bool = em._Z3_mk_bool_sort(context);
  em._Z3_inc_ref(context, bool);
  const positive: number[] = [0];
  const negative: number[] = [0];
  return (literal) => {
    const variable = Math.abs(literal);
    const wanted = BLOCK * Math.ceil(variable / BLOCK);
    while (positive.length <= wanted) {
      const symbol = em._Z3_mk_int_symbol(context, positive.length);
      const atom = em._Z3_mk_const(context, symbol, bool);
      em._Z3_inc_ref(context, atom);
      const negated = em._Z3_mk_not(context, atom);
      em._Z3_inc_ref(context, negated);
      positive.push(atom);
      negative.push(negated);
    }
    return literal > 0 ? positive[variable] : negative[variable];
  };
}

/** The same for integer variables 0, 1, …. They may share numbers with others: types tell them apart. */
export function integers(em: Z3Module, context: number): (integer: number) => number {
  const sort = em._Z3_mk_int_sort(context);
  em._Z3_inc_ref(context, sort);
  const terms: number[] = [];
  return (integer) => {
    while (terms.length <= integer) {
      const symbol = em._Z3_mk_int_symbol(context, terms.length);
      const term = em._Z3_mk_const(context, symbol, sort);
      em._Z3_inc_ref(context, term);
      terms.push(term);
    }
    return terms[integer];
  };
}
