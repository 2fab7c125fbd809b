import type { TermId } from '../../src/model/term.js';
import type { Candidate, Frame } from './executions.js';
import type { Group, Merged, MergedAxiom, PlainOp } from './merged.js';
import type { Value } from './operate.js';
import { fixpoints, operate } from './operate.js';
import type { Rows } from './rows.js';
import * as r from './rows.js';

/**
 * Merged models on the executions of one path. Terms that the path fixes are evaluated once; terms
 * with the same operator on the same values are one. Mutants that differ in nothing that the
 * program has fall together, so that judging all of them costs little more than judging the model.
 */
export interface Reduced {
  /** For each model the index of its class: models of a class judge every execution alike. */
  readonly classOf: readonly number[];
  /** Does a class of models allow an execution of this path? */
  readonly allows: (candidate: Candidate, modelClass: number) => boolean;
  /** The set or relation that an axiom of a class of models is about. */
  readonly valueOf: (candidate: Candidate, modelClass: number, axiom: number) => Value;
}

type Node =
  | { readonly op: 'value'; readonly value: Value }
  | { readonly op: 'chosen'; readonly name: string }
  | { readonly op: PlainOp; readonly operands: readonly number[] }
  | { readonly op: 'fix'; readonly group: number; readonly index: number };

interface ReducedGroup {
  readonly group: Group;
  readonly operands: readonly number[];
}

/** @param wanted which of the models will be asked about */
export function reduce(
  { terms, models }: Merged,
  { size, fixed }: Frame,
  wanted: (model: number) => boolean,
): Reduced {
  const nodes: Node[] = [];
  const keys = new Map<string, number>();
  const applied = new Map<string, number>();
  const groups: ReducedGroup[] = [];
  const groupKeys = new Map<string, number>();
  const groupNames = new Map<Group, string>();
  const place = new Array<number>(terms.length).fill(-1);

  const add = (key: string, node: Node): number => {
    const known = keys.get(key);
    if (known !== undefined) return known;
    keys.set(key, nodes.length);
    return nodes.push(node) - 1;
  };
  const addValue = (value: Value): number =>
    add(typeof value === 'number' ? `s${value}` : `r${value.join()}`, { op: 'value', value });
  const valueOf = (node: number): Value | undefined => {
    const n = nodes[node];
    return n.op === 'value' ? n.value : undefined;
  };
  const nothing = addValue(new Int32Array(size));

  const visit = (id: TermId): number => {
    if (place[id] < 0) place[id] = reduceTerm(id);
    return place[id];
  };
  const reduceTerm = (id: TermId): number => {
    const term = terms[id];
    if (term.op === 'base') {
      const known = fixed.get(term.name!);
      if (known !== undefined) return addValue(known);
      return add(term.name!, { op: 'chosen', name: term.name! });
    }
    if (term.op === 'empty') return addValue(term.kind === 'set' ? 0 : new Int32Array(size));
    const operands = term.operands.map(visit);
    if (term.op === 'fix') {
      const name = groupNames.get(term.group) ?? JSON.stringify(term.group);
      groupNames.set(term.group, name);
      const key = `${name} ${operands.join()}`;
      if (!groupKeys.has(key)) {
        groupKeys.set(key, groups.push({ group: term.group, operands }) - 1);
      }
      const group = groupKeys.get(key)!;
      return add(`fix ${group} ${term.index}`, { op: 'fix', group, index: term.index });
    }
    const easy = simpler(term.op, operands);
    if (easy !== undefined) return easy;
    const key = `${term.op} ${operands[0]} ${operands[1]}`;
    if (!applied.has(key)) applied.set(key, apply(term.op, operands, key));
    return applied.get(key)!;
  };
  const apply = (op: PlainOp, operands: readonly number[], key: string): number => {
    const values = operands.map(valueOf);
    if (values.every((v) => v !== undefined)) return addValue(operate(op, values, size));
    return add(key, { op, operands });
  };
  /** What an operator with an empty operand comes to, where that is easy to say. */
  const simpler = (op: PlainOp, [a, b]: readonly number[]): number | undefined => {
    if (op === 'union' && (a === b || b === nothing)) return a;
    if (op === 'union' && a === nothing) return b;
    if (op === 'diff' && (a === nothing || b === nothing)) return a;
    if ((op === 'inter' || op === 'seq') && (a === nothing || b === nothing)) return nothing;
    return undefined;
  };

  const classes = new Map<string, readonly MergedAxiom[]>();
  const classNumbers = new Map<string, number>();
  const classOf = models.map((axioms, model) => {
    if (!wanted(model)) return -1;
    const reduced = axioms.map((axiom) => ({ ...axiom, term: visit(axiom.term) }));
    const key = reduced.map((a) => `${a.test} ${a.negated} ${a.term}`).join(';');
    if (!classNumbers.has(key)) classNumbers.set(key, classNumbers.size);
    classes.set(key, reduced);
    return classNumbers.get(key)!;
  });
  const axiomsOf = [...classNumbers.keys()].map((key) => classes.get(key)!);
  return { classOf, ...judge(nodes, groups, axiomsOf, size) };
}

/** Judges executions, one after the other; what is known of the current one is kept. */
function judge(
  nodes: readonly Node[],
  groups: readonly ReducedGroup[],
  classes: readonly (readonly MergedAxiom[])[],
  size: number,
): Omit<Reduced, 'classOf'> {
  let current: Candidate | undefined;
  let values: (Value | undefined)[] = [];
  let fixes: (readonly Rows[] | undefined)[] = [];
  let verdicts: (boolean | undefined)[] = [];

  const value = (index: number): Value => (values[index] ??= compute(nodes[index]));
  const compute = (node: Node): Value => {
    if (node.op === 'value') return node.value;
    if ('name' in node) return current!.chosen.get(node.name)!;
    if (node.op === 'fix') {
      const { group, operands } = groups[node.group];
      return (fixes[node.group] ??= fixpoints(group, operands.map(value), size))[node.index];
    }
    if ('operands' in node) return operate(node.op as PlainOp, node.operands.map(value), size);
    throw new Error('no such node');
  };
  const holds = ({ test, negated, term }: MergedAxiom): boolean => {
    const v = value(term);
    const is =
      typeof v === 'number'
        ? v === 0
        : test === 'empty'
          ? r.isEmpty(v)
          : r.isIrreflexive(test === 'acyclic' ? r.closure(v) : v);
    return is !== negated;
  };
  const turnTo = (candidate: Candidate): void => {
    if (candidate === current) return;
    current = candidate;
    values = new Array<Value | undefined>(nodes.length);
    fixes = [];
    verdicts = [];
  };
  return {
    allows: (candidate, modelClass) => {
      turnTo(candidate);
      return (verdicts[modelClass] ??= classes[modelClass].every(holds));
    },
    valueOf: (candidate, modelClass, axiom) => {
      turnTo(candidate);
      return value(classes[modelClass][axiom].term);
    },
  };
}
