import { cyclicTerm } from '../../model/automaton.js';
import { namesOf } from '../../model/print.js';
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
 * text. Undefined: there is no cycle, or the axiom is not about cycles.
 */
export function shortestCycle(
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
  const { text } = namesOf(model);
  const named = operands(model, term).map((id) => [text(id), judgement.rel(id)] as const);
  return best?.map((from, i) => {
    const to = best[(i + 1) % best.length];
    const [name] = named.find(([, rel]) => related(rel, from, to))!;
    return { from, relation: name };
  });
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

/** The parts of a union. */
function operands(model: Model, id: TermId): readonly TermId[] {
  const term = model.terms[id];
  if (term.op !== 'union') return [id];
  return [...operands(model, term.left), ...operands(model, term.right)];
}
