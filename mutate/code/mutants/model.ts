import type { CodeMutant } from '../mutant.js';

/** Mistakes in graphs, in the interpretation of models and in the decision of queries. */

export const modelMutants: readonly CodeMutant[] = [
  {
    name: 'component-missed',
    file: 'src/model/relation/components.ts',
    find: 'else low[node] = Math.min(low[node], index[successor]);',
    replace: '',
    what: 'Strongly connected components fall apart.',
  },
  {
    name: 'component-ends-early',
    file: 'src/model/relation/components.ts',
    find: 'if (parent !== undefined) low[parent] = Math.min(low[parent], low[node]);',
    replace: '',
    what: 'A component does not hear what its deeper nodes reach.',
  },
  {
    name: 'closure-one-step',
    file: 'src/model/automaton.ts',
    find: 'add(term.arg, inside, inside);',
    replace: '',
    what: 'A closure inside another is one step.',
  },
  {
    name: 'set-tests-ignored',
    file: 'src/model/automaton.ts',
    find: 'tests.push({ from, to, set: term.arg });',
    replace: 'tests.push({ from, to });',
    what: '`[S]` lets every event through.',
  },
  {
    name: 'axioms-dropped',
    file: 'src/model/automaton.ts',
    find: 'other.automaton.loops.some((l) => within(model, one.term, l))',
    replace: 'other.automaton.states > 0',
    what: 'Of several axioms only the last is checked.',
  },
  {
    name: 'fixpoint-one-round',
    file: 'src/model/interpret.ts',
    find: 'if (group.vars.every((variable, i) => same(variable, group.bodies[i]))) break;',
    replace: 'if (group.vars.length > 0) break;',
    what: 'A `let rec` is evaluated once.',
  },
  {
    name: 'forall-as-exists',
    file: 'src/check/decide.ts',
    find: 'session.find(universal ? -condition : condition)',
    replace: 'session.find(condition)',
    what: '`forall` looks for a final state in which its condition holds.',
  },
  {
    name: 'division-by-zero-counts',
    file: 'src/check/session.ts',
    find: '[...assumed, -encoding.dividesByZero]',
    replace: '[...assumed]',
    what: 'Runs that divide by zero count.',
  },
];
