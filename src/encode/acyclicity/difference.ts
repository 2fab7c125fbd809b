import type { EventId } from '../../program/events/structure.js';
import type { Formula, Lit } from '../formula.js';
import { TRUE } from '../formula.js';
import type { NoCycle } from './no-cycle.js';
import { edgesInside } from './no-cycle.js';

/**
 * Takes that an integer variable, of those numbered 0, 1, …, is less than another: always, or, with
 * a literal of the solver, where that is true.
 */
export type LessSink = (smaller: number, larger: number, where?: number) => void;

/** Takes what the next node is: the axiom or order that its graph is of, and its event. */
export type NodeSink = (of: string, event: EventId) => void;

/**
 * Difference logic: every node has an integer, and an edge leads to a higher one. Whether there
 * are such integers is for the solver's theory of integers to say.
 */
export function differenceLogic(less: LessSink, isNode: NodeSink = () => {}): NoCycle {
  let integers = 0;
  return (component, edges, formula, { of, event }) => {
    for (const v of component) isNode(of, event(v));
    const integer = new Map(component.map((v) => [v, integers++]));
    for (const [u, v, lit] of edgesInside(component, edges)) {
      less(integer.get(u)!, integer.get(v)!, whereTrue(lit, formula));
    }
  };
}

/** The solver's literal that is true where `lit` is, though not only there. */
function whereTrue(lit: Lit, formula: Formula): number | undefined {
  return lit === TRUE ? undefined : -formula.assumption(-lit);
}
