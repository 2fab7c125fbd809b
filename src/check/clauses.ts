import { cyclesFor } from '../encode/acyclicity/choice.js';
import { computeBounds } from '../encode/bounds/bounds.js';
import { encode } from '../encode/encode.js';
import type { Model } from '../model/term.js';
import type { EventId, EventStructure } from '../program/events/structure.js';
import type { Proposition } from '../program/program.js';

/**
 * A query about a program under a model, as clauses and as edges of graphs that must have no cycle: a solution is an
 * execution that satisfies the query.
 */
export interface ClausesAndGraphs {
  /** In DIMACS: literals are non-zero integers over the variables 1, 2, … */
  readonly clauses: readonly (readonly number[])[];
  readonly variables: number;
  readonly edges: readonly Edge[];
  /** For each node 0, 1, …: the axiom or order of its graph, and its event. */
  readonly nodes: readonly Node[];
}

export interface Edge {
  readonly from: number;
  readonly to: number;
  /** The literal that is true if the edge is there; undefined if the edge is always there. */
  readonly where?: number;
}

export interface Node {
  readonly of: string;
  readonly event: EventId;
}

/**
 * Encodes a program under a model for the search. The query is clauses, too: the condition has the truth value that is
 * asked for, and nothing is divided by zero. The same input gives the same clauses.
 *
 * @param model without the sets and guesses that are empty over the events (`modelOver`)
 * @returns the clauses, or why there are none: values that cannot be bounded
 */
export function clausesOf(
  structure: EventStructure,
  model: Model,
  condition: Proposition,
  asked: boolean,
): ClausesAndGraphs | { readonly reason: string } {
  const result = computeBounds(structure, model);
  if (!result.ok) return result;
  const clauses: (readonly number[])[] = [];
  const edges: Edge[] = [];
  const nodes: Node[] = [];
  const cycles = cyclesFor(
    'difference',
    (from, to, where) => edges.push({ from, to, ...(where !== undefined && { where }) }),
    (of, event) => nodes.push({ of, event }),
  );
  const encoding = encode(structure, result.bounds, model, (c) => clauses.push(c), cycles);
  const { formula } = encoding;
  const lit = encoding.condition(condition);
  for (const one of [asked ? lit : -lit, -encoding.dividesByZero]) {
    clauses.push([formula.assumption(one)]);
  }
  return { clauses, variables: formula.size().variables, edges, nodes };
}
