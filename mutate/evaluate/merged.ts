import { operandsOf } from '../../src/model/term.js';
import type { AxiomTest, Model, RecGroup, Term, TermId } from '../../src/model/term.js';

/**
 * Many models in one table of terms, equal terms shared between them: mutants of a model have most
 * of their terms in common.
 */
export interface Merged {
  readonly terms: readonly MergedTerm[];
  /** The axioms of each model, in the order in which the models were given. */
  readonly models: readonly (readonly MergedAxiom[])[];
}

export interface MergedAxiom {
  readonly test: AxiomTest;
  readonly negated: boolean;
  readonly term: TermId;
}

export type PlainOp = Exclude<Term['op'], 'rec' | 'fix'>;

export type MergedTerm =
  | {
      readonly op: PlainOp;
      readonly kind: 'set' | 'rel';
      readonly name?: string;
      readonly operands: readonly TermId[];
    }
  | {
      /** The least fixpoint of one variable of a recursive group. */
      readonly op: 'fix';
      readonly kind: 'set' | 'rel';
      readonly group: Group;
      readonly index: number;
      /** The terms outside of the group that it is made of. */
      readonly operands: readonly TermId[];
    };

/** A `let rec` whose terms count from 0; what is outside of it is named by its place in `operands`. */
export interface Group {
  readonly locals: readonly LocalTerm[];
  readonly variables: number;
  readonly bodies: readonly Operand[];
}

export interface LocalTerm {
  readonly op: PlainOp | 'rec';
  readonly variable?: number;
  readonly operands: readonly Operand[];
}

/** A term of the group (`local`), or one of the operands of its `fix` terms. */
export interface Operand {
  readonly local: boolean;
  readonly index: number;
}

export function mergeModels(models: readonly Model[]): Merged {
  const terms: MergedTerm[] = [];
  const ids = new Map<string, TermId>();
  const intern = (term: MergedTerm): TermId => {
    const key = JSON.stringify(term);
    const known = ids.get(key);
    if (known !== undefined) return known;
    ids.set(key, terms.length);
    return terms.push(term) - 1;
  };
  const mergedAxioms = models.map((model) => {
    const merged = new Map<TermId, TermId>();
    const groups = new Map<RecGroup, { group: Group; operands: readonly TermId[] }>();

    const term = (id: TermId): TermId => {
      if (!merged.has(id)) merged.set(id, intern(translate(model.terms[id])));
      return merged.get(id)!;
    };
    const translate = (t: Term): MergedTerm => {
      if (t.op === 'rec') throw new Error('a variable outside of its group');
      if (t.op === 'fix') {
        const recursive = model.groups[t.group];
        if (!groups.has(recursive)) groups.set(recursive, groupOf(model, recursive, term));
        return { op: 'fix', kind: t.kind, index: t.index, ...groups.get(recursive)! };
      }
      const operands = operandsOf(t).map(term);
      const name = t.op === 'base' ? { name: t.name } : {};
      return { op: t.op, kind: t.kind, ...name, operands };
    };
    return model.axioms
      .filter((axiom) => !axiom.flag)
      .map((axiom) => ({ test: axiom.test, negated: axiom.negated, term: term(axiom.term) }));
  });
  return { terms, models: mergedAxioms };
}

/** A group on its own: what depends on its variables is local, everything else an operand. */
function groupOf(
  model: Model,
  { vars, bodies }: RecGroup,
  merged: (id: TermId) => TermId,
): { readonly group: Group; readonly operands: readonly TermId[] } {
  const recursive = new Map<TermId, boolean>();
  const isRecursive = (id: TermId): boolean => {
    if (!recursive.has(id)) {
      recursive.set(id, vars.includes(id) || operandsOf(model.terms[id]).some(isRecursive));
    }
    return recursive.get(id)!;
  };
  const locals: LocalTerm[] = [];
  const places = new Map<TermId, Operand>();
  const outside: TermId[] = [];
  const operand = (id: TermId): Operand => {
    const known = places.get(id);
    if (known !== undefined) return known;
    const place = isRecursive(id)
      ? { local: true, index: addLocal(id) }
      : { local: false, index: outside.push(merged(id)) - 1 };
    places.set(id, place);
    return place;
  };
  const addLocal = (id: TermId): number => {
    const term = model.terms[id];
    if (term.op === 'rec') {
      return locals.push({ op: 'rec', variable: vars.indexOf(id), operands: [] }) - 1;
    }
    if (term.op === 'fix') throw new Error('a recursive group inside another');
    const operands = operandsOf(term).map(operand);
    return locals.push({ op: term.op, operands }) - 1;
  };
  return {
    group: { bodies: bodies.map(operand), variables: vars.length, locals },
    operands: outside,
  };
}
