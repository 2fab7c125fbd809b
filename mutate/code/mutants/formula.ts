import type { CodeMutant } from '../mutant.js';

/** Mistakes in clauses and in the literals of relations. */

const mutant = (file: string, rest: Omit<CodeMutant, 'file'>): CodeMutant => ({
  file: `src/encode/${file}.ts`,
  ...rest,
});

const POINTS = 'src/model/operators/points.ts';

export const formulaMutants: readonly CodeMutant[] = [
  mutant('formula', {
    name: 'polarity-wrong',
    find: 'const direction = lit > 0 ? POSITIVE : NEGATIVE;',
    replace: 'const direction = POSITIVE;',
    what: 'A gate that is used in both directions is defined in the first of them only.',
  }),
  mutant('formula', {
    name: 'conjunctions-weak',
    find: 'if (lit > 0) for (const kid of kids) this.clause([-index, kid]);',
    replace: 'if (lit > 0) this.clause([-index, kids[0]]);',
    what: 'Of a conjunction that must hold only the first conjunct must.',
  }),
  mutant('formula', {
    name: 'disjunctions-weak',
    find: 'else this.clause([index, ...kids.map((kid) => -kid)]);',
    replace: '',
    what: 'A conjunction may be false though its conjuncts are true.',
  }),
  {
    file: POINTS,
    name: 'difference-ignored',
    find: 'p.and(p.pair(x, a, b), p.not(p.pair(y, a, b)))',
    replace: 'p.pair(x, a, b)',
    what: 'Nothing is taken away by a difference of relations.',
  },
  {
    file: POINTS,
    name: 'inverse-ignored',
    find: 'p.pair(x, b, a)',
    replace: 'p.pair(x, a, b)',
    what: 'The inverse of a relation is encoded as the relation.',
  },
  mutant('relations', {
    name: 'composition-of-one-step',
    find: 'ways.push(this.and(this.pair(left, a, c), second));',
    replace: 'ways.push(second);',
    what: 'A composition holds wherever its second step does.',
  }),
  mutant('relations', {
    name: 'closures-of-one-step',
    find: 'if (last !== FALSE) formula.assert(-this.path(a, c), -last, self);',
    replace: '',
    what: 'A closure outside of the graphs of axioms has single steps only.',
  }),
  mutant('relations', {
    name: 'sure-pairs-of-absent-events',
    find: 'return first === TRUE ? second : this.and(first, second);',
    replace: 'return TRUE;',
    what: 'Sure pairs are there even where their events are not executed.',
  }),
  mutant('relations', {
    name: 'recursion-unfounded',
    find: '(self) => formula.assert(-at(group.bodies[term.index]), self),',
    replace: '() => {},',
    what: 'The variables of `let rec` may be empty.',
  }),
];
