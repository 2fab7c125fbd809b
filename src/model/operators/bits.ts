import * as inPlace from '../relation/in-place.js';
import type { BitRel, Bits } from '../relation/matrix.js';
import type { Operator } from './facts.js';

/** Writes what an operator makes of operands over whatever `out` had. Of a unary operator, `b` is not looked at. */
type Into = (out: never, a: never, b: never) => void;

/** What each operator means, on sets and relations as bits. All events are executed. */
const INTO = {
  union: inPlace.union,
  inter: inPlace.inter,
  diff: inPlace.diff,
  compl: inPlace.compl,
  product: inPlace.product,
  identity: inPlace.identity,
  plus: inPlace.close,
  domain: inPlace.domain,
  range: inPlace.range,
  seq: (out: BitRel, a: BitRel, b: BitRel) => {
    inPlace.clear(out);
    inPlace.addSeq(out, a, b);
  },
  inverse: (out: BitRel, a: BitRel) => {
    inPlace.clear(out);
    inPlace.addInverse(out, a);
  },
  star: (out: BitRel, a: BitRel) => {
    inPlace.close(out, a);
    inPlace.addIdentity(out);
  },
  opt: (out: BitRel, a: BitRel) => {
    inPlace.copy(out, a);
    inPlace.addIdentity(out);
  },
} satisfies Record<Operator, Into>;

/** Writes what an operator makes of sets or relations of the kinds that it takes. Of a unary operator, `b` is not looked at. */
export const into: Readonly<Record<Operator, (out: Bits, a: Bits, b: Bits) => void>> =
  INTO as Readonly<Record<Operator, Into>> as Readonly<Record<Operator, never>>;
