import { cyclicTerm } from '../../model/automaton.js';
import { termNames } from '../../model/print.js';
import type { Axiom, Model, TermId } from '../../model/term.js';
import type { Judgement } from '../../model/relation/concrete.js';
import type { BitRel } from '../../model/relation/matrix.js';
import { related, successors } from '../../model/relation/matrix.js';

/** An edge of a cycle: the position of its first event in the execution, and the name of its relation. */
export interface CycleEdge {
  readonly from: number;
  readonly relation: string;
}

/**
 * A shortest cycle that breaks an axiom. If the axiom is about a union, each edge has the first operand that it is in, as cat
 * text. An operand that is a sequence is gone through edge by edge. Undefined: there is no cycle, or the axiom is not about
 * cycles.
 */
export function shortestViolation(
  model: Model,
  axiom: Axiom,
  judgement: Pick<Judgement, 'rel'>,
): readonly CycleEdge[] | undefined {
  const term = cyclicTerm(model, axiom);
  if (term === undefined) return undefined;
  const relation = judgement.rel(term);
  let best: readonly number[] | undefined;
  for (let start = 0; start < relation.size; start++) {
    const found = cycleFrom(relation, start, best?.length ?? Infinity);
    if (found !== undefined) best = found;
  }
  const edgesOf = edgesIn(model, judgement);
  return best?.flatMap((from, i) => edgesOf(term, from, best[(i + 1) % best.length]));
}

/** Gives a pair of a relation as edges that have a name or, where nothing in it has one, its cat text. */
function edgesIn(
  model: Model,
  judgement: Pick<Judgement, 'rel'>,
): (id: TermId, from: number, to: number) => readonly CycleEdge[] {
  const { name, text } = termNames(model);
  const edges = (part: TermId, a: number, b: number): readonly CycleEdge[] => {
    const term = model.terms[part];
    if (term.op === 'union') {
      const side = related(judgement.rel(term.left), a, b) ? term.left : term.right;
      return edges(side, a, b);
    }
    if (name(part) !== undefined) return [{ from: a, relation: text(part) }];
    if (term.op === 'seq') {
      const [left, right] = [judgement.rel(term.left), judgement.rel(term.right)];
      const middle = [...successors(left, a)].find((m) => related(right, m, b))!;
      // A test relates an event to itself, so that `[S];r` is one edge.
      if (middle !== a && middle !== b) {
        return [...edges(term.left, a, middle), ...edges(term.right, middle, b)];
      }
    }
    // The right operand of a difference only removes pairs. What an edge means is said by the left one.
    if (term.op === 'diff' && name(term.left) !== undefined) return edges(term.left, a, b);
    return [{ from: a, relation: text(part) }];
  };
  return edges;
}

/** A shortest cycle through an event, if it has fewer events than a given number. */
function cycleFrom(relation: BitRel, start: number, below: number): number[] | undefined {
  const before = new Map<number, number>();
  let level = [start];
  for (let length = 1; length < below && level.length > 0; length++) {
    const next: number[] = [];
    for (const from of level) {
      if (related(relation, from, start)) {
        const cycle = [from];
        while (cycle[0] !== start) cycle.unshift(before.get(cycle[0])!);
        return cycle;
      }
      for (const to of successors(relation, from)) {
        if (to === start || before.has(to)) continue;
        before.set(to, from);
        next.push(to);
      }
    }
    level = next;
  }
  return undefined;
}
