import type { ClauseFile, CycleClause } from '../proof/dimacs.js';
import type { RefutationStep } from '../proof/refutation.js';
import { refutation } from '../proof/refutation.js';
import type { ClausesAndGraphs } from './clauses.js';

/**
 * Says what is wrong with a proof in clauses, if anything: its clauses must be those of the encoding, and clauses of
 * cycles in the encoding's graphs; and the steps must come to a contradiction.
 */
export function wrongWithClauses(
  encoded: ClausesAndGraphs,
  file: Pick<ClauseFile, 'clauses' | 'variables' | 'cycles'>,
  steps: readonly RefutationStep[],
): string | undefined {
  const { clauses, variables, cycles } = file;
  if (variables !== encoded.variables || clauses.length !== encoded.clauses.length) {
    return `the encoding has ${sizeOf(encoded)}, and not ${sizeOf(file)}`;
  }
  const other = clauses.findIndex((clause, i) => clause.join() !== encoded.clauses[i].join());
  if (other >= 0) {
    const [is, not] = [encoded.clauses[other], clauses[other]].map((one) => `'${one.join(' ')}'`);
    return `clause ${other + 1} of the encoding is ${is}, and not ${not}`;
  }
  const isCycle = cycleTest(encoded);
  const wrong = cycles.findIndex((cycle) => !isCycle(cycle));
  if (wrong >= 0) return `cycle ${wrong + 1} is none of the edges that its clause is about`;
  const followed = refutation([...clauses, ...cycles.map(({ clause }) => clause)], steps);
  if (!('wrong' in followed)) return undefined;
  const { step, wrong: why } = followed;
  return step === undefined ? why : `step ${step + 1}: ${why}`;
}

const sizeOf = ({ variables, clauses }: Pick<ClausesAndGraphs, 'clauses' | 'variables'>): string =>
  `${variables} variables and ${clauses.length} clauses`;

/** Tests a cycle: each of its edges must be sure, or there if a literal is true whose negation is in the clause. */
function cycleTest({ edges, nodes }: ClausesAndGraphs): (cycle: CycleClause) => boolean {
  const between = new Map<string, (number | undefined)[]>();
  for (const { from, to, where } of edges) {
    const key = `${from} ${to}`;
    between.set(key, [...(between.get(key) ?? []), where]);
  }
  return ({ of, nodes: on, clause }) => {
    const there = new Set(clause.map((literal) => -literal));
    return (
      on.length > 0 &&
      on.every(([event, node], i) => {
        const [, next] = on[(i + 1) % on.length];
        const ways = between.get(`${node} ${next}`) ?? [];
        const isThere = ways.some((where) => where === undefined || there.has(where));
        return isThere && nodes[node].of === of && nodes[node].event === event;
      })
    );
  };
}
