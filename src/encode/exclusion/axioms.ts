import type { Axiom, Model, TermId } from '../../model/term.js';
import * as inPlace from '../../model/relation/in-place.js';
import type { BitRel, Bits } from '../../model/relation/matrix.js';
import * as m from '../../model/relation/matrix.js';
import type { Dependence } from './dependence.js';
import type { Intervals, Side } from './intervals.js';
import { LOWER, UPPER } from './intervals.js';

/** A model's axioms, for partial executions of the same events. */
export interface Axioms {
  /** Is there an axiom that fails in every way to complete the execution? */
  readonly fail: () => boolean;
  /**
   * What each axiom keeps its relation from gaining, whatever else is chosen: a pair (or event)
   * that is handed over would break the axiom. Of axioms that do not fail.
   */
  readonly forbid: (on: number, hand: (id: TermId, forbidden: Bits) => void) => void;
}

/** An axiom, and where its relation is a closure, what it is the closure of. */
interface Test {
  readonly axiom: Axiom;
  readonly subject: TermId;
  /** The term that is the subject's closure; for `acyclic` there may be none. */
  readonly closure: TermId | undefined;
  /** Must the subject have no cycle? */
  readonly acyclic: boolean;
}

/**
 * Judges the axioms of a model by the bounds of its terms. `stamps` stand for the bounds of the chosen
 * relations, as in `Partial`.
 *
 * An axiom that asks a relation to be small fails for good once its lower bound is too large. A
 * negated one does so once its upper bound is too small. Flags forbid nothing.
 */
export function createAxioms(
  model: Model,
  { on }: Dependence,
  size: number,
  bound: Intervals,
  stamps: Readonly<Float64Array>,
): Axioms {
  const tests = model.axioms.filter(({ flag }) => !flag).map((axiom) => testOf(model, axiom));
  const closures = tests.map((): BitRel | undefined => undefined);
  const closed = new Float64Array(tests.length).fill(-1);
  const judged = new Float64Array(tests.length).fill(-1);
  const failed: boolean[] = tests.map(() => false);
  const forbidden = m.emptyRel(size);
  const all = m.universe(size);

  return {
    fail: () =>
      tests.some(({ axiom }, i) => {
        const stamp = stamps[on[axiom.term]];
        if (judged[i] !== stamp) {
          failed[i] = axiom.negated ? meets(i, UPPER) : !meets(i, LOWER);
          judged[i] = stamp;
        }
        return failed[i];
      }),
    forbid(open, hand) {
      tests.forEach(({ axiom, subject, acyclic }, i) => {
        if (axiom.negated || (on[subject] & open) === 0) return;
        const isSet = model.terms[subject].kind === 'set';
        inPlace.clear(forbidden);
        if (acyclic) inPlace.addInverse(forbidden, closureOf(i, LOWER));
        if (acyclic || axiom.test === 'irreflexive') inPlace.addIdentity(forbidden);
        if (axiom.test === 'empty' && !isSet) inPlace.fill(forbidden);
        hand(subject, isSet ? all : forbidden);
      });
    },
  };

  /** Does a bound of an axiom's relation meet its test? */
  function meets(i: number, side: Side): boolean {
    const { axiom, acyclic } = tests[i];
    if (acyclic) return m.isIrreflexive(closureOf(i, side));
    return axiom.test === 'empty'
      ? m.isEmpty(bound.bits(axiom.term, side))
      : m.isIrreflexive(bound.rel(axiom.term, side));
  }

  function closureOf(i: number, side: Side): BitRel {
    const { subject, closure } = tests[i];
    if (closure !== undefined) return bound.rel(closure, side);
    const room = (closures[i] ??= m.emptyRel(size));
    // One slot is enough for an axiom: it looks at the same one of the two bounds each time.
    if (closed[i] !== stamps[on[subject]]) {
      inPlace.close(room, bound.rel(subject, side));
      closed[i] = stamps[on[subject]];
    }
    return room;
  }
}

/** `irreflexive r+` says what `acyclic r` says; so does `acyclic r+`. */
function testOf({ terms }: Model, axiom: Axiom): Test {
  const term = terms[axiom.term];
  if (axiom.test !== 'empty' && term.op === 'plus') {
    return { axiom, subject: term.arg, closure: axiom.term, acyclic: true };
  }
  return { axiom, subject: axiom.term, closure: undefined, acyclic: axiom.test === 'acyclic' };
}
