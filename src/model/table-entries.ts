import { reachableTerms } from './depends.js';
import type { Model, Term, TermId } from './term.js';
import { mapOperands, unsettledAt } from './term.js';

/**
 * An entry of a table such as `ippo`: an operand `r & (A * B)` of a definition that is a union of
 * several such operands.
 */
export interface TableEntry {
  /** The name of the table. */
  readonly table: string;
  /** Which definition it is, by its index in `Model.definitions`. */
  readonly definition: number;
  readonly term: TermId;
}

/** The entries of all tables of a model that an axiom depends on, in the order of the file. */
export function tableEntriesOf(model: Model): readonly TableEntry[] {
  const used = reachableTerms(model);
  const tables = new Set<TermId>();
  return model.definitions.flatMap(({ name: table, term: root }, definition) => {
    if (!used.has(root) || tables.has(root)) return [];
    tables.add(root);
    const entries = operandsOf(model, root).filter((term) => isEntry(model, term));
    return entries.length < 2 ? [] : entries.map((term) => ({ table, definition, term }));
  });
}

/** The same, those together that are one term: it may stand in several tables. */
export function equalTableEntries(model: Model): readonly (readonly TableEntry[])[] {
  const all = tableEntriesOf(model);
  return [...new Set(all.map(({ term }) => term))].map((term) =>
    all.filter((one) => one.term === term),
  );
}

/** The model with entries taken out of their tables, and left wherever else they stand. */
export function withoutTableEntries(model: Model, entries: readonly TableEntry[]): Model {
  const missing = new Map<TermId, TermId[]>();
  for (const { definition, term } of entries) {
    const root = model.definitions[definition].term;
    missing.set(root, [...(missing.get(root) ?? []), term]);
  }
  const terms: Term[] = [];
  const renamed: TermId[] = [];
  const add = (term: Term): TermId => terms.push(term) - 1;
  const start = (group: number): number => renamed[model.groups[group].start];
  model.terms.forEach((term, id) => {
    renamed[id] = add(mapOperands(term, (operand) => renamed[operand]));
    const gone = missing.get(id);
    if (gone === undefined) return;
    const rest = operandsOf(model, id).filter((operand) => !gone.includes(operand));
    renamed[id] = rest
      .map((operand) => renamed[operand])
      .reduce(
        (left, right) => add({ op: 'union', kind: term.kind, left, right }),
        add({ op: 'empty', kind: term.kind }),
      );
  });
  const groups = model.groups.map((g, index) => ({
    ...g,
    vars: g.vars.map((v) => renamed[v]),
    bodies: g.bodies.map((b) => renamed[b]),
    start: start(index),
    end: renamed[g.end - 1] + 1,
  }));
  return {
    ...model,
    terms,
    groups,
    axioms: model.axioms.map((a) => ({ ...a, term: renamed[a.term] })),
    definitions: model.definitions.map((d) => ({ ...d, term: renamed[d.term] })),
    operandWords: model.operandWords.map((w) => ({ ...w, term: renamed[w.term] })),
    unsettled: unsettledAt(model, (id) => renamed[id]),
  };
}

/** The operands of a table. Another table in it is one of them, and not taken apart. */
function operandsOf({ terms, definitions }: Model, table: TermId): readonly TermId[] {
  const namesOf = (id: TermId): readonly string[] =>
    definitions.flatMap(({ name, term }) => (term === id ? [name] : []));
  const own = namesOf(table);
  const visit = (id: TermId): readonly TermId[] => {
    const term = terms[id];
    if (term.op !== 'union') return [id];
    const names = namesOf(id);
    // `let ippo = ippo | …` is one table, however often it goes on.
    if (names.length > 0 && !names.some((name) => own.includes(name))) return [id];
    return [term.left, term.right].flatMap(visit);
  };
  return visit(table);
}

const isEntry = ({ terms }: Model, id: TermId): boolean => {
  const term = terms[id];
  return term.op === 'inter' && [term.left, term.right].some((t) => terms[t].op === 'product');
};
