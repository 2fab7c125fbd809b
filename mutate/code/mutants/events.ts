import type { CodeMutant } from '../mutant.js';

/**
 * Mistakes in what events are and how they are related. The evaluator uses these definitions too,
 * so only the corpus can tell.
 */

const mutant = (file: string, rest: Omit<CodeMutant, 'file'>): CodeMutant => ({
  file: `src/program/events/${file}.ts`,
  ...rest,
});

/** Where pairs of different threads are not even looked at: either alone changes nothing. */
const PARTNERS = {
  file: 'src/program/events/fixed.ts',
  find: 'return thread === INITIAL ? [] : threads.get(thread)!;',
  replace: 'return positions;',
};

export const eventsMutants: readonly CodeMutant[] = [
  mutant('structure', {
    name: 'one-branch-exclusive',
    find: 'x.condition === y.condition && x.taken !== y.taken',
    replace: 'x.condition === y.condition',
    what: 'Two events of one branch are taken to exclude each other.',
  }),
  mutant('structure', {
    name: 'branches-bring-each-other',
    find: 'b.every((y) => a.some((x) => x.condition === y.condition && x.taken === y.taken))',
    replace: 'a.length + b.length >= 0',
    what: 'Whoever takes one path is taken to have taken every other.',
  }),
  mutant('relations', {
    name: 'queue-pair-without-node',
    find: 'a.thread === b.thread && a.node !== undefined && a.node === b.node',
    replace: 'a.thread === b.thread && a.node !== undefined && b.node !== undefined',
    what: 'All operations of a thread are on one queue pair.',
  }),
  mutant('relations', {
    name: 'queue-pair-without-thread',
    find: 'a.thread === b.thread && a.node !== undefined && a.node === b.node',
    replace: 'a.node !== undefined && a.node === b.node',
    what: 'All operations towards a node are on one queue pair, whatever their thread.',
    also: PARTNERS,
  }),
  mutant('relations', {
    name: 'wait-for-any-identifier',
    find: 'a.work === b.work && a.thread === b.thread &&',
    replace: 'b.work !== undefined && a.thread === b.thread &&',
    what: 'All work identifiers of a thread count as one.',
  }),
  mutant('guessed', {
    name: 'partners-of-other-classes',
    find: 'return classesOf(values.rel(within))',
    replace: 'return [[...Array(values.rel(within).size).keys()]]',
    what: 'Polls count the operations of all queue pairs and threads.',
  }),
  mutant('guessed', {
    name: 'partners-from-the-newest',
    find: 'from: members.filter((i) => m.has(given, i)),',
    replace: 'from: members.filter((i) => m.has(given, i)).reverse(),',
    what: 'Polls poll the newest operation first.',
  }),
  mutant('guessed', {
    name: 'partners-off-by-one',
    find: 'from: members.filter((i) => m.has(given, i)),',
    replace: 'from: members.filter((i) => m.has(given, i)).slice(1),',
    what: 'The k-th poll polls the operation after the k-th.',
  }),
  mutant('guessed', {
    name: 'flush-order-of-one-pair',
    find: 'pairs: unoriented([...m.pairs(values.rel(guess.pairs))].filter(([a, b]) => a !== b)),',
    replace: 'pairs: unoriented([...m.pairs(values.rel(guess.pairs))].slice(0, 1)),',
    what: 'Of the pairs that flush order is to relate, it relates the first only.',
  }),
  mutant('relations', {
    name: 'same-thread-everywhere',
    find: 'boolean => a.thread === b.thread;',
    replace: 'boolean => a.thread !== INITIAL && b.thread !== INITIAL;',
    what: 'All events count as events of the same thread where only that is asked.',
    also: PARTNERS,
  }),
];
