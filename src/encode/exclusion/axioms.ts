import type { Axiom, Model, TermId } from '../../model/term.js';
import type { Dependence } from './dependence.js';
import type { Intervals, Side } from './intervals.js';
import { LOWER, UPPER } from './intervals.js';
import type { Size, Words } from './words.js';
import * as w from './words.js';

/** A model's axioms, for partial executions of the same events. */
export interface Axioms {
  /** Is there an axiom that fails in every way to complete the execution? */
  readonly fail: () => boolean;
  /**
   * What each axiom keeps its relation from gaining, whatever else is chosen: a pair (or event)
   * that is handed over would break the axiom. Of axioms that do not fail.
   */
  readonly forbid: (on: number, hand: (id: TermId, forbidden: Words) => void) => void;
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
  size: Size,
  bound: Intervals,
  stamps: Readonly<Float64Array>,
): Axioms {
  const tests = model.axioms.filter(({ flag }) => !flag).map((axiom) => testOf(model, axiom));
  const closures = tests.map((): Words | undefined => undefined);
  const closed = new Float64Array(tests.length).fill(-1);
  const judged = new Float64Array(tests.length).fill(-1);
  const failed: boolean[] = tests.map(() => false);
  const forbidden = w.newRel(size);
  const all = w.newSet(size);
  w.fill(size, all);

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
        forbidden.fill(0);
        if (acyclic) w.addInverse(size, forbidden, closureOf(i, LOWER));
        if (acyclic || axiom.test === 'irreflexive') w.addIdentity(size, forbidden);
        if (axiom.test === 'empty' && !isSet) w.fill(size, forbidden);
        hand(subject, isSet ? all : forbidden);
      });
    },
  };

  /** Does a bound of an axiom's relation meet its test? */
  function meets(i: number, side: Side): boolean {
    const { axiom, acyclic } = tests[i];
    if (acyclic) return w.isIrreflexive(size, closureOf(i, side));
    const value = bound(axiom.term, side);
    return axiom.test === 'empty' ? w.isEmpty(value) : w.isIrreflexive(size, value);
  }

  function closureOf(i: number, side: Side): Words {
    const { subject, closure } = tests[i];
    if (closure !== undefined) return bound(closure, side);
    const room = (closures[i] ??= w.newRel(size));
    // An axiom only ever asks for one of the bounds.
    if (closed[i] !== stamps[on[subject]]) {
      room.set(bound(subject, side));
      w.close(size, room);
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
