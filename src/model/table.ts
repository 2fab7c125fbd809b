import type { Kind, Model, RecGroup, Term, TermId } from './term.js';
import { operandsOf } from './term.js';

/** The table of terms while it grows. Equal terms get one index. */
export interface TermTable {
  readonly terms: Term[];
  readonly groups: RecGroup[];
  /** For each term, whether it depends on a variable of the `let rec` under elaboration. */
  readonly recursive: boolean[];
  /** For each term, how many terms lie one in the other in it. */
  readonly depths: number[];
  readonly ids: Map<string, TermId>;
  /** What doc comments say of operands of unions. */
  readonly words: Map<TermId, string>;
}

/** What is known of a table that does not grow any more. */
type Made = Pick<Model, 'terms' | 'groups'>;

export function emptyTable(): TermTable {
  return { terms: [], groups: [], recursive: [], depths: [], ids: new Map(), words: new Map() };
}

/** The relations that a name stands for: those that the model defines so, and the base relation. */
export function relationsNamed(
  { terms, definitions }: Pick<Model, 'terms' | 'definitions'>,
  name: string,
): readonly TermId[] {
  const isBase = (term: Term): boolean => term.op === 'base' && term.name === name;
  const defined = definitions.flatMap((one) => (one.name === name ? [one.term] : []));
  const base = terms.findIndex((term) => term.kind === 'rel' && isBase(term));
  return (base < 0 ? defined : [...defined, base]).filter((id) => terms[id].kind === 'rel');
}

/** A copy to try something in, which leaves the original as it is. */
export function fork(table: TermTable): TermTable {
  return {
    terms: [...table.terms],
    groups: [...table.groups],
    recursive: [...table.recursive],
    depths: [...table.depths],
    ids: new Map(table.ids),
    words: new Map(table.words),
  };
}

/** How far a table has grown: what `undo` takes. */
export interface Mark {
  readonly terms: number;
  readonly groups: number;
}

export const markOf = ({ terms, groups }: TermTable): Mark => ({
  terms: terms.length,
  groups: groups.length,
});

/** Takes away what a table has got since a mark. */
export function undo(table: TermTable, { terms, groups }: Mark): void {
  for (const term of table.terms.splice(terms)) table.ids.delete(JSON.stringify(term));
  for (const id of table.words.keys()) if (id >= terms) table.words.delete(id);
  table.recursive.length = terms;
  table.depths.length = terms;
  table.groups.length = groups;
}

/** The index of a term, which is added unless the table has it. */
export function intern(table: TermTable, term: Term): TermId {
  const key = JSON.stringify(term);
  const known = table.ids.get(key);
  if (known !== undefined) return known;
  const id = table.terms.push(term) - 1;
  table.ids.set(key, id);
  table.recursive.push(
    term.op === 'rec' || operandsOf(term).some((operand) => table.recursive[operand]),
  );
  table.depths.push(parts(table, term).reduce((d, part) => Math.max(d, table.depths[part]), 0) + 1);
  return id;
}

/** Opens a `let rec` group: the variables of its names, at the indices where the group starts. */
export function openGroup(table: TermTable, kinds: readonly Kind[]): readonly TermId[] {
  const group = table.groups.length;
  return kinds.map((kind, index) => intern(table, { op: 'rec', kind, group, index }));
}

/** Closes the group that was opened last, and returns the fixpoints of its variables. */
export function closeGroup(
  table: TermTable,
  names: readonly string[],
  vars: readonly TermId[],
  bodies: readonly TermId[],
): readonly TermId[] {
  const group = table.groups.length;
  table.groups.push({ names, vars, bodies, start: vars[0], end: table.terms.length });
  return vars.map((variable, index) =>
    intern(table, { op: 'fix', kind: table.terms[variable].kind, group, index }),
  );
}

/** The base names that some terms depend on, in the order of the table. */
export function basesOf(table: Made, roots: Iterable<TermId>): string[] {
  const reached = new Set<TermId>();
  const pending = [...roots];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    pending.push(...parts(table, table.terms[id]));
  }
  return table.terms.flatMap((term, id) =>
    term.op === 'base' && reached.has(id) ? [term.name] : [],
  );
}

/** The terms that a term is made of; a fixpoint is made of its group's. */
function parts(table: Made, term: Term): readonly TermId[] {
  return term.op === 'fix' ? table.groups[term.group].bodies : operandsOf(term);
}
