import { reachableTerms } from './depends.js';
import type { TermTable } from './table.js';
import { basesOf, closeGroup, emptyTable, intern, openGroup } from './table.js';
import type { Model, Term, TermId } from './term.js';
import { mapOperands } from './term.js';

interface Joined {
  readonly of: readonly Model[];
  readonly made: readonly Model[];
}

const known = new WeakMap<Model, Joined[]>();

/**
 * Models over one table of terms, in which equal terms have one index, whichever of the models have them: what is found out
 * about a term is found out for all. Only what axioms depend on is there, and no flags. It is made once for the same models.
 */
export function overOneTable(models: readonly Model[]): readonly Model[] {
  const before = known.get(models[0]) ?? [];
  known.set(models[0], before);
  const isOfThese = ({ of }: Joined): boolean =>
    of.length === models.length && of.every((model, i) => model === models[i]);
  const found = before.find(isOfThese) ?? { of: models, made: joined(models) };
  if (!before.includes(found)) before.push(found);
  return found.made;
}

function joined(models: readonly Model[]): readonly Model[] {
  const table = emptyTable();
  const { terms, groups } = table;
  const axioms = models.map((model) => {
    const at = placeIn(table, model);
    return model.axioms.flatMap((one) => (one.flag ? [] : [{ ...one, term: at[one.term] }]));
  });
  return models.map((model, i) => {
    const asked = axioms[i].map(({ term }) => term);
    const bases = basesOf(table, asked);
    return { ...model, terms, groups, axioms: axioms[i], bases, definitions: [], operandWords: [] };
  });
}

/** Adds the terms that the axioms of a model depend on. Returns for each of its terms the index there. */
function placeIn(table: TermTable, { terms, groups, ...model }: Model): readonly TermId[] {
  const reached = reachableTerms({ terms, groups, ...model });
  const fixed = (term: Term): number => (term.op === 'fix' ? term.group : -1);
  const asked = new Set([...reached].map((id) => fixed(terms[id])));
  const at: TermId[] = [];
  const made = new Map<string, TermId>();
  for (const [id, term] of terms.entries()) {
    for (const [g, group] of groups.entries()) {
      if (!asked.has(g)) continue;
      const here = (ids: readonly TermId[]): readonly TermId[] => ids.map((one) => at[one]);
      if (group.start === id) {
        const kinds = group.vars.map((variable) => terms[variable].kind);
        openGroup(table, kinds).forEach((own, i) => (at[group.vars[i]] = own));
      }
      if (group.end === id) {
        closeGroup(table, group.names, here(group.vars), here(group.bodies)).forEach((own, i) =>
          made.set(`${g} ${i}`, own),
        );
      }
    }
    if (term.op === 'fix') at[id] = made.get(`${term.group} ${term.index}`)!;
    else if (term.op !== 'rec' && reached.has(id)) {
      at[id] = intern(
        table,
        mapOperands(term, (operand) => at[operand]),
      );
    }
  }
  return at;
}
