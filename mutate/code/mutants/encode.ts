import type { CodeMutant } from '../mutant.js';

/** Mistakes in the encoding of executions: choices, values, final states. */

const mutant = (file: string, rest: Omit<CodeMutant, 'file'>): CodeMutant => ({
  file: `src/encode/${file}.ts`,
  ...rest,
});

export const encodeMutants: readonly CodeMutant[] = [
  mutant('base', {
    name: 'reads-other-values',
    find: 'if (value >= 0) formula.assert(-lit, -is, values.is(value, n));',
    replace: '',
    what: 'A read need not have the value of the write that it reads from.',
  }),
  mutant('base', {
    name: 'reads-from-nothing',
    find: 'formula.assert(-executed(r.id), ...lits);',
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
    find: 'formula.and(executed(a), executed(b));',
    replace: 'executed(b);',
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
  mutant('values', {
    name: 'reads-two-values',
    find: 'lits.forEach((a, i) => lits.slice(i + 1).forEach((b) => formula.assert(-a, -b)));',
    replace: '',
    what: 'A read with three possible values may have two at once.',
  }),
  mutant('values', {
    name: 'paths-one-sided',
    find: 'b.taken ? truth(b.condition) : -truth(b.condition)',
    replace: 'truth(b.condition)',
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
];
