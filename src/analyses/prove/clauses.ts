import type { ClausesAndGraphs, Edge } from '../../check/clauses.js';
import { groupBy } from '../../model/relation/groups.js';
import type { CycleClause } from '../../proof/dimacs.js';
import type { RefutationStep } from '../../proof/refutation.js';
import { refutation } from '../../proof/refutation.js';
import { ClauseSearch } from '../../solve/search/search.js';
import { literalAt } from '../../solve/search/theory.js';

/** How messages about bugs of the search begin. */
const INTERNAL = 'internal error, please report it: the search cannot be followed';

/** Why clauses have no solution: the cycles that matter, and the steps from all clauses to a contradiction. */
export interface RefutedClauses {
  readonly cycles: readonly CycleClause[];
  readonly steps: readonly RefutationStep[];
}

/**
 * Has the search show that clauses have no solution in which graphs have no cycle, and takes down how. Of what it learns
 * and of the cycles that it meets, what the contradiction needs is left.
 *
 * @returns how, or why not: there is a solution
 */
export function refute({
  clauses,
  edges,
  nodes,
}: ClausesAndGraphs): RefutedClauses | { readonly reason: string } {
  const lemmas = new Map<string, readonly number[]>();
  const steps: RefutationStep[] = [];
  const search = new ClauseSearch(Infinity, undefined, {
    lemma(lits) {
      const clause = lits.map(literalAt);
      lemmas.set([...clause].sort((a, b) => a - b).join(' '), clause);
    },
    learnt: (lits) => steps.push({ clause: lits.map(literalAt) }),
    forgotten: (lits) => steps.push({ deletes: true, clause: lits.map(literalAt) }),
  });
  // Edges come first: one whose literal is true already would be taken for one that is there in any case.
  for (const { from, to, where } of edges) search.addLess(from, to, where);
  for (const clause of clauses) search.addClause(clause);
  if (search.check([]).kind !== 'unsat') {
    return { reason: 'the clauses of the encoding have a solution' };
  }
  const all = [...lemmas.values()];
  const needed = refutation([...clauses, ...all], steps);
  if ('wrong' in needed) return { reason: `${INTERNAL}: ${needed.wrong}` };
  const cycleOf = cycleFinder(edges);
  const cycles: CycleClause[] = [];
  for (const [i, lemma] of all.entries()) {
    if (!needed.clauses.has(clauses.length + i)) continue;
    const cycle = cycleOf(lemma);
    if (cycle === undefined) return { reason: `${INTERNAL}: it ruled out edges on no cycle` };
    const on = cycle.map(({ from }): readonly [number, number] => [nodes[from].event, from]);
    const clause = cycle.flatMap(({ where }) => (where === undefined ? [] : [-where]));
    cycles.push({ of: nodes[cycle[0].from].of, nodes: on, clause: [...new Set(clause)] });
  }
  return { cycles, steps: neededSteps(steps, needed.steps) };
}

/** The steps that are needed, with the deletions of their clauses in between, and the contradiction. */
function neededSteps(
  all: readonly RefutationStep[],
  needed: ReadonlySet<number>,
): readonly RefutationStep[] {
  const end = 1 + [...needed].reduce((a, b) => Math.max(a, b), -1);
  const steps = all.slice(0, end);
  const key = ({ clause }: RefutationStep): string => [...clause].sort((a, b) => a - b).join(' ');
  const there = new Map<string, number>();
  const kept = steps.filter((step, i) => {
    const name = key(step);
    const count = there.get(name) ?? 0;
    if (step.deletes === true) {
      if (count > 0) there.set(name, count - 1);
      return count > 0;
    }
    if (needed.has(i)) there.set(name, count + 1);
    return needed.has(i);
  });
  return [...kept, { clause: [] }];
}

/** Finds, to a clause that says that some edges are not all there, a cycle of these and of edges that are there in any case. */
function cycleFinder(
  edges: readonly Edge[],
): (clause: readonly number[]) => readonly Edge[] | undefined {
  const from = groupBy(edges, (edge) => edge.from);
  const byLiteral = groupBy(edges, ({ where }) => where ?? 0);
  return (clause) => {
    const there = new Set(clause.map((literal) => -literal));
    for (const start of clause.length === 0 ? edges : (byLiteral.get(-clause[0]) ?? [])) {
      const path = pathTo(start.from, start.to, there);
      if (path !== undefined) return [start, ...path];
    }
    return undefined;
  };

  /** A shortest path between two nodes. */
  function pathTo(
    target: number,
    source: number,
    there: ReadonlySet<number>,
  ): readonly Edge[] | undefined {
    const via = new Map<number, Edge | undefined>([[source, undefined]]);
    for (const node of via.keys()) {
      if (node === target) break;
      for (const edge of from.get(node) ?? []) {
        const isThere = edge.where === undefined || there.has(edge.where);
        if (isThere && !via.has(edge.to)) via.set(edge.to, edge);
      }
    }
    if (!via.has(target)) return undefined;
    const path: Edge[] = [];
    for (let edge = via.get(target); edge !== undefined; edge = via.get(edge.from)) {
      path.unshift(edge);
    }
    return path;
  }
}
