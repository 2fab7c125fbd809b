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

/** Nodes, each of them once. */
class Nodes {
  readonly all: Node[] = [];
  readonly groups: ReducedGroup[] = [];
  private readonly nothing: number;
  private readonly keys = new Map<string, number>();
  private readonly applied = new Map<string, number>();
  private readonly groupKeys = new Map<string, number>();
  private readonly groupNames = new Map<Group, string>();

  constructor(private readonly size: number) {
    this.nothing = this.value(new Int32Array(size));
  }

  value(value: Value): number {
    const key = typeof value === 'number' ? `s${value}` : `r${value.join()}`;
    return this.add(key, { op: 'value', value });
  }

  chosen(name: string): number {
    return this.add(name, { op: 'chosen', name });
  }

  fix(group: Group, index: number, operands: readonly number[]): number {
    const name = this.groupNames.get(group) ?? JSON.stringify(group);
    this.groupNames.set(group, name);
    const key = `${name} ${operands.join()}`;
    const number = this.groupKeys.get(key) ?? this.groups.push({ group, operands }) - 1;
    this.groupKeys.set(key, number);
    return this.add(`fix ${number} ${index}`, { op: 'fix', group: number, index });
  }

  /** An operator on nodes: on values, its own value. */
  apply(op: PlainOp, operands: readonly number[]): number {
    const easy = this.simpler(op, operands);
    if (easy !== undefined) return easy;
    const key = `${op} ${operands[0]} ${operands[1]}`;
    const node = this.applied.get(key) ?? this.evaluated(op, operands, key);
    this.applied.set(key, node);
    return node;
  }

  /** What an operator with an empty operand comes to, where that is easy to say. */
  private simpler(op: PlainOp, [a, b]: readonly number[]): number | undefined {
    const { nothing } = this;
    if (op === 'union' && (a === b || b === nothing)) return a;
    if (op === 'union' && a === nothing) return b;
    if (op === 'diff' && (a === nothing || b === nothing)) return a;
    if ((op === 'inter' || op === 'seq') && (a === nothing || b === nothing)) return nothing;
    return undefined;
  }

  private evaluated(op: PlainOp, operands: readonly number[], key: string): number {
    const values = operands.map((operand) => {
      const node = this.all[operand];
      return node.op === 'value' ? node.value : undefined;
    });
    if (!values.every((v) => v !== undefined)) return this.add(key, { op, operands });
    return this.value(operate(op, values, this.size));
  }

  private add(key: string, node: Node): number {
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    this.keys.set(key, this.all.length);
    return this.all.push(node) - 1;
  }
}

/** @param wanted which of the models will be asked about */
export function reduce(
  { terms, models }: Merged,
  { size, fixed }: Frame,
  wanted: (model: number) => boolean,
): Reduced {
  const nodes = new Nodes(size);
  const place = new Array<number>(terms.length).fill(-1);
  const visit = (id: TermId): number => {
    if (place[id] < 0) place[id] = reduceTerm(id);
    return place[id];
  };
  const reduceTerm = (id: TermId): number => {
    const term = terms[id];
    if (term.op === 'base') {
      const known = fixed.get(term.name!);
      return known === undefined ? nodes.chosen(term.name!) : nodes.value(known);
    }
    if (term.op === 'empty') return nodes.value(term.kind === 'set' ? 0 : new Int32Array(size));
    const operands = term.operands.map(visit);
    if (term.op === 'fix') return nodes.fix(term.group, term.index, operands);
    return nodes.apply(term.op, operands);
  };

  const { classOf, classes } = classify(models.length, (model) =>
    wanted(model)
      ? models[model].map((axiom) => ({ ...axiom, term: visit(axiom.term) }))
      : undefined,
  );
  return { classOf, ...judge(nodes.all, nodes.groups, classes, size) };
}

/** Puts models with the same axioms into one class; -1: those without any, which are not asked about. */
function classify(
  count: number,
  axiomsOf: (model: number) => readonly MergedAxiom[] | undefined,
): { readonly classOf: readonly number[]; readonly classes: readonly (readonly MergedAxiom[])[] } {
  const classes: (readonly MergedAxiom[])[] = [];
  const numbers = new Map<string, number>();
  const classOf = Array.from({ length: count }, (_, model) => {
    const axioms = axiomsOf(model);
    if (axioms === undefined) return -1;
    const key = axioms.map((a) => `${a.test} ${a.negated} ${a.term}`).join(';');
    const number = numbers.get(key) ?? classes.push(axioms) - 1;
    numbers.set(key, number);
    return number;
  });
  return { classOf, classes };
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
