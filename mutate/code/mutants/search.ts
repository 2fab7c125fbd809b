import type { CodeMutant } from '../mutant.js';

/** Mistakes in the search: propagation, learning, going back, assumptions, clauses, the order of decisions. */

const mutant = (rest: Omit<CodeMutant, 'file'>, file = 'search'): CodeMutant => ({
  file: `src/solve/search/${file}.ts`,
  ...rest,
});

export const searchMutants: readonly CodeMutant[] = [
  // Propagation.
  mutant({
    name: 'watch-lost',
    find: 'watches[data[start + 1]].push(other, clause);',
    replace: '',
    what: 'A clause that is to be watched by another literal is not watched by it.',
  }),
  mutant({
    name: 'watches-lost-by-conflict',
    find: 'for (i += 2; i < end; i++) watching[kept++] = watching[i];',
    replace: 'i = end;',
    what: 'Clauses that come after a false one are not watched any more.',
  }),
  mutant({
    name: 'watch-not-moved',
    find: 'data[start + 1] = data[k];\n        data[k] = wrong;',
    replace: 'data[start + 1] = data[k];',
    what: 'A clause has one of its literals twice, and another not at all.',
  }),
  mutant({
    name: 'pair-false-unnoticed',
    find: `else if (values[other] < 0) {
          this.conflict = [other, lit ^ 1];
          return true;
        }`,
    replace: '',
    what: 'It is no conflict that both literals of a clause of two are false.',
  }),
  mutant({
    name: 'pair-without-reason',
    find: 'if (values[other] === 0) this.assign(other, impliedBy(lit));',
    replace: 'if (values[other] === 0) this.assign(other, NONE);',
    what: 'What follows by a clause of two literals counts as decided.',
  }),
  mutant({
    name: 'clause-without-reason',
    find: 'if (values[other] === 0) this.assign(other, clause);',
    replace: 'if (values[other] === 0) this.assign(other, NONE);',
    what: 'What follows by a clause of three literals counts as decided.',
  }),
  mutant({
    name: 'propagation-not-resumed',
    find: 'this.size = this.propagated = starts[level];',
    replace: 'this.size = starts[level];',
    what: 'When the search has gone back, what comes next has no consequences.',
  }),
  // Learning.
  mutant({
    name: 'learnt-without-level-one',
    find: 'if (seen[variable] !== UNSEEN || levels[variable] === 0) return;',
    replace: `if (seen[variable] !== UNSEEN || levels[variable] === 0) return;
      if (levels[variable] === 1 && this.starts.length > 1) return;`,
    what: 'Literals of the first level are left out of what is learnt.',
  }),
  mutant({
    name: 'learnt-without-last-literal',
    find: 'this.assign(lits[0], this.clauses.add(lits, glue));',
    replace: `this.assign(
        lits[0],
        this.clauses.add(lits.length > 5 ? lits.slice(0, -1) : lits, glue),
      );`,
    what: 'A learnt clause of more than five literals is kept without its last one.',
  }),
  mutant({
    name: 'unit-learnt-where-it-is',
    find: 'this.backtrack(lits.length === 1 ? 0 : levels[lits[1] >> 1]);',
    replace: 'this.backtrack(lits.length === 1 ? this.starts.length - 1 : levels[lits[1] >> 1]);',
    what: 'A learnt unit is true until the search goes back further.',
  }),
  mutant({
    name: 'learnt-for-good',
    find: 'this.backtrack(lits.length === 1 ? 0 : levels[lits[1] >> 1]);',
    replace: 'this.backtrack(0);',
    what: 'What follows from a learnt clause and from decisions is true in any case.',
  }),
  mutant({
    name: 'some-reason-is-enough',
    find: 'return this.othersOf(reason, lit).every((other) => {',
    replace: 'return this.othersOf(reason, lit).some((other) => {',
    what: 'A literal is left out of a learnt clause where one literal of its reason is in it.',
  }),
  mutant({
    name: 'decisions-follow',
    find: 'if (reason === NONE || depth > DEEP) return false;',
    replace: 'if (depth > DEEP) return false;',
    what: 'What was decided is left out of a learnt clause.',
  }),
  mutant({
    name: 'known-not-to-follow-follows',
    find: 'return levels[variable] === 0 || seen[variable] === IN;',
    replace: 'return levels[variable] === 0 || seen[variable] !== UNSEEN;',
    what: 'What was found not to follow from a learnt clause counts as following from it.',
  }),
  mutant({
    name: 'marks-left',
    find: '? IN : OUT;\n        touched.push(variable);',
    replace: '? IN : OUT;',
    what: 'Marks of one conflict are still there at the next one.',
  }),
  // Going back.
  mutant({
    name: 'edges-not-taken-back',
    find: 'if (i < this.told) theory.remove(lit);',
    replace: '',
    what: 'The theory is not told what is not true any more.',
  }),
  mutant({
    name: 'theory-not-told-again',
    find: 'if (this.told === this.size) {',
    replace: 'if (this.told === this.size || this.conflicts > 0) {',
    what: 'After a conflict, the theory is not told what becomes true.',
  }),
  mutant({
    name: 'edges-of-conflict-stay',
    find: 'if (together !== undefined) {',
    replace: 'if (together !== undefined) {\n        this.told -= 1;',
    what: 'Of a literal with several edges, those before the one that closes a cycle stay.',
  }),
  mutant({
    name: 'clause-judged-by-solution',
    find: 'addClause(clause: readonly number[]): void {\n    this.backtrack(0);',
    replace: 'addClause(clause: readonly number[]): void {',
    what: 'A clause that holds in the last solution is not taken up.',
  }),
  mutant({
    name: 'edge-judged-by-solution',
    find: 'where?: number): void {\n    this.backtrack(0);',
    replace: 'where?: number): void {',
    what: 'An edge that is there in the last solution is there in any case.',
  }),
  mutant({
    name: 'values-lost-by-growing',
    find: 'this.values = copied(this.values, new Int8Array(2 * size));',
    replace: 'this.values = new Int8Array(2 * size);',
    what: 'What is true in any case is forgotten when there are more variables.',
  }),
  // Assumptions.
  mutant({
    name: 'old-assumptions-stay',
    find: 'this.backtrack(changed < 0 ? this.assumed.length : changed);',
    replace: 'this.backtrack(this.assumed.length);',
    what: 'What was assumed before is assumed once more.',
  }),
  mutant({
    name: 'contradicted-assumption-passes',
    find: 'if (this.values[next] < 0) {',
    replace: 'if (this.values[next] < 0 && this.levels[next >> 1] === 0) {',
    what: 'An assumption that other assumptions rule out is passed over.',
  }),
  mutant({
    name: 'core-without-the-last',
    find: 'core: [next, ...this.causes(next ^ 1)].map(literalAt)',
    replace: 'core: this.causes(next ^ 1).map(literalAt)',
    what: 'A core lacks the assumption that the others rule out.',
  }),
  mutant({
    name: 'core-without-the-first',
    find: 'if (levels[other >> 1] > 0) seen[other >> 1] = IN;',
    replace: 'if (levels[other >> 1] > 1) seen[other >> 1] = IN;',
    what: 'A core lacks the assumption that came first.',
  }),
  // The theory.
  mutant({
    name: 'cycle-without-an-edge',
    find: 'this.conflict = together.map((other) => other ^ 1);',
    replace: 'this.conflict = together.filter((_, i) => i !== 1).map((other) => other ^ 1);',
    what: 'A search learns from a cycle without one of its edges.',
  }),
  mutant({
    name: 'excluded-without-reason',
    find: 'this.assign(other ^ 1, impliedBy(lit));',
    replace: 'this.assign(other ^ 1, NONE);',
    what: 'What the theory rules out counts as decided.',
  }),
  mutant({
    name: 'excluded-pair-is-one',
    find: 'this.conflict = [lit ^ 1, other ^ 1];',
    replace: 'this.conflict = [lit ^ 1];',
    what: 'Of two literals that are true and rule out each other, the search blames one.',
  }),
  mutant({
    name: 'sure-cycle-ignored',
    find: 'if (!this.graph.sort()) {',
    replace: 'if (!this.graph.sort() && this.work < 0) {',
    what: 'A cycle of edges that are there in any case is no conflict.',
  }),
  mutant({
    name: 'edges-of-the-true-lost',
    find: 'this.values[lit] > 0 ? undefined : lit',
    replace: 'lit',
    what: 'An edge comes to nothing whose literal was true before the edge was known.',
  }),
  // Clauses are forgotten.
  mutant(
    {
      name: 'forgets-the-given',
      find: 'this.watch(moved);',
      replace: 'if (data[moved + 1] > 0) this.watch(moved);',
      what: 'When learnt clauses are forgotten, those that were given are, too.',
    },
    'clauses',
  ),
  mutant(
    {
      name: 'moves-short',
      find: 'data.copyWithin(moved, clause, next);',
      replace: 'data.copyWithin(moved, clause, next - 1);',
      what: 'A clause that is moved loses its last literal, and gets what lies there.',
    },
    'clauses',
  ),
  mutant(
    {
      name: 'clauses-lost-by-growing',
      find: 'larger.set(this.data);',
      replace: '',
      what: 'Clauses are lost when there are more of them.',
    },
    'clauses',
  ),
  // The order of decisions.
  mutant(
    {
      name: 'freed-not-decided',
      find: 'if (start === 0 || stamps[variable] > stamps[start]) start = variable;',
      replace: 'if (start === 0) start = variable;',
      what: 'Some variables that have lost their values are not decided again.',
    },
    'queue',
  ),
];
