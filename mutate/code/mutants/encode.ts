import type { CodeMutant } from '../mutant.js';

/** Mistakes in the encoding of executions: choices, values, final states. */

const mutant = (file: string, rest: Omit<CodeMutant, 'file'>): CodeMutant => ({
  file: `src/encode/${file}.ts`,
  ...rest,
});

export const encodeMutants: readonly CodeMutant[] = [
  mutant('base', {
    name: 'reads-other-values',
    find: 'formula.assert(-lit, -is, values.is(value, n));',
    replace: '',
    what: 'A read need not have the value of the write that it reads from.',
  }),
  mutant('base', {
    name: 'reads-from-nothing',
    find: 'formula.assert(-this.executed(of), ...chosen.values());',
    replace: '',
    what: 'A read need not read from any write.',
  }),
  mutant('base', {
    name: 'orders-both-ways',
    find: 'formula.and(-direction, present)',
    replace: 'formula.and(direction, present)',
    what: 'Modification and flush order are not antisymmetric.',
  }),
  mutant('base', {
    name: 'orders-partial',
    find: 'formula.and(direction, present)',
    replace: 'formula.and(direction, formula.fresh(), present)',
    what: 'Modification and flush order need not be total.',
  }),
  mutant('acyclicity/transitive', {
    name: 'transitivity-turned-round',
    find: 'formula.assert(-first, -second, edges[a].get(c) ?? FALSE);',
    replace: 'formula.assert(-first, -second, edges[c].get(a) ?? FALSE);',
    what: 'Of three writes of a location, modification order is to go round.',
  }),
  mutant('base', {
    name: 'poll-rank-off-by-one',
    find: 'toRanks[j][k] ?? FALSE',
    replace: 'toRanks[j][k + 1] ?? FALSE',
    what: 'Where branches decide, a poll polls the operation before its own.',
  }),
  mutant('base', {
    name: 'ranks-without-branches',
    find: 'formula.and(stay, -here)',
    replace: 'stay',
    what: 'An operation that is executed may be left out when polls are counted.',
  }),
  mutant('base', {
    name: 'pairs-with-absent-events',
    find: 'formula.and(this.executed(a), this.executed(b));',
    replace: 'this.executed(b);',
    what: 'A pair needs its second event to be executed, but not its first.',
  }),
  mutant('base', {
    name: 'final-value-first',
    find: "-base('mo', write, w.id)",
    replace: "-base('mo', w.id, write)",
    what: 'The final value of a location is that of its first write.',
  }),
  mutant('base', {
    name: 'final-value-of-absent-write',
    find: 'formula.and(executed(write), ...later)',
    replace: 'formula.and(...later)',
    what: 'A write that is not executed may give the final value.',
  }),
  mutant('encode', {
    name: 'cut-ignored',
    find: 'for (const cut of structure.cuts) formula.assert(-values.path(cut.path));',
    replace: '',
    what: 'Runs that go beyond the loop bound count.',
  }),
  mutant('encode', {
    name: 'constraints-ignored',
    find: 'formula.assert(-values.path(path), values.truth(condition));',
    replace: '',
    what: 'Runs in which an assumption or the comparison of a CAS fails count.',
  }),
  mutant('encode', {
    name: 'query-negation-ignored',
    find: 'return -condition(p.arg);',
    replace: 'return condition(p.arg);',
    what: '`~` in a query means nothing.',
  }),
  mutant('encode', {
    name: 'query-inequality-ignored',
    find: 'p.equal ? formula.or(...same) : -formula.or(...same)',
    replace: 'formula.or(...same)',
    what: '`!=` in a query is encoded as `=`.',
  }),
  mutant('base', {
    name: 'reads-from-two',
    find: 'assertAtMostOne([...chosen.values()], formula);',
    replace: '',
    what: 'A read may read from several writes.',
  }),
  mutant('base', {
    name: 'reads-from-absent-write',
    find: 'if (lit !== TRUE) formula.assert(-lit, present);',
    replace: '',
    what: 'A read may read from a write that is not executed.',
  }),
  mutant('sources', {
    name: 'two-sources-sure',
    find: 'const only = sources.length === 1;',
    replace: 'const only = sources.length <= 2;',
    what: 'A read of two sources reads from both.',
  }),
  mutant('at-most-one', {
    name: 'rows-lost',
    find: 'assertAtMostOne(rows, formula);',
    replace: '',
    what: 'Of many literals, those in one column may be true together.',
  }),
  mutant('at-most-one', {
    name: 'columns-lost',
    find: 'assertAtMostOne(columns, formula);',
    replace: '',
    what: 'Of many literals, those in one row may be true together.',
  }),
  mutant('at-most-one', {
    name: 'few-are-free',
    find: 'lits.slice(i + 1).forEach((b) => formula.assert(-a, -b))',
    replace: 'lits.slice(i + 2).forEach((b) => formula.assert(-a, -b))',
    what: 'Of a few literals, two neighbours may be true together.',
  }),
  mutant('values', {
    name: 'reads-two-values',
    find: 'assertAtMostOne(lits, formula);',
    replace: '',
    what: 'A read with three possible values may have two at once.',
  }),
  mutant('values', {
    name: 'written-is-first',
    find: 'if (written.length !== 1) return oneOf(numbers, this.formula);',
    replace: '',
    what: 'A write that may write several numbers is taken to write the first.',
  }),
  mutant('values', {
    name: 'paths-one-sided',
    find: 'b.taken ? this.truth(b.condition) : -this.truth(b.condition)',
    replace: 'this.truth(b.condition)',
    what: 'Both branches are taken where the condition holds, and none elsewhere.',
  }),
  mutant('values', {
    name: 'select-one-sided',
    find: '...side(value.else, -condition)',
    replace: '...side(value.else, condition)',
    what: 'A register takes its value from both branches where the condition holds.',
  }),
  mutant('acyclicity/elimination', {
    name: 'first-edge-forbidden',
    find: 'if (u === w) return formula.assert(-first, -second);',
    replace: 'if (u === w) return formula.assert(-first);',
    what: 'Of two edges that make a cycle, it is always the first that is not there.',
  }),
  mutant('acyclicity/elimination', {
    name: 'elimination-loses-paths',
    find: 'return setEdge(u, w, first === TRUE ? second : first);',
    replace: 'return;',
    what: 'Vertex elimination loses paths of one sure and one open edge.',
  }),
  mutant('acyclicity/elimination', {
    name: 'paths-force-edges',
    find: 'if (beside !== undefined && paths.get(beside) === edge) {',
    replace: 'if (beside !== undefined) {',
    what: 'A path beside an edge forces the relation that the edge is from.',
  }),
  mutant('acyclic', {
    name: 'sure-edges-lost',
    find: 'if (!m.related(detours, i, j)) edges.set(j, TRUE);',
    replace: '',
    what: 'Cycles with sure and open edges are not noticed.',
  }),
  mutant('acyclic', {
    name: 'middle-lost',
    find: 'for (const [event, lit] of split.first(a)) {',
    replace: 'for (const [event, lit] of split.first(a).slice(1)) {',
    what: 'Of a relation that is made of two, the paths over the first event in the middle are lost.',
  }),
  mutant('acyclic', {
    name: 'paths-not-split-lost',
    find: 'splits(term)?.leaves(a) !== true',
    replace: 'splits(term) === undefined',
    what: 'Of a relation that is made of two, single paths and those that come back are lost.',
  }),
  mutant('acyclic', {
    name: 'middle-without-test-after',
    find: 'const there = and(lit, ...step.after.map((set) => member(set, b)));',
    replace: 'const there = lit;',
    what: 'Where a path over the middle ends, no set is tested.',
  }),
  mutant('split', {
    name: 'paths-come-back',
    find: 'successors(first, event).length > 1 && !related(all, event, event)',
    replace: 'successors(first, event).length > 1',
    what: 'A path over the middle may lead back to where it began, though the relation does not.',
  }),
  mutant('encode', {
    name: 'kept-in-part',
    find: 'from === to &&\n        before.length + after.length === 0 &&\n        terms',
    replace: 'from === to &&\n        terms',
    what: 'An order counts as kept by an axiom that is about some of its pairs only.',
  }),
  mutant('encode', {
    name: 'kept-by-one-step',
    find: 'from === to &&\n        before.length + after.length === 0 &&\n        terms',
    replace: 'before.length + after.length === 0 &&\n        terms',
    what: 'An order counts as kept by an axiom whose cycles take at most one step of it in a row.',
  }),
  mutant('encode', {
    name: 'kept-at-a-guess',
    find: 'model !== undefined && isKept(name, model, bounds.products) ? undefined : cycles.order',
    replace: 'name.length < 0 ? cycles.order : undefined',
    what: 'No order is kept without cycles, whether an axiom does that or not.',
  }),
];
