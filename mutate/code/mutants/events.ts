import type { CodeMutant } from '../mutant.js';

/**
 * Mistakes in what events are and how they are related. The evaluator uses these definitions too,
 * so only the corpus can tell.
 */

const mutant = (file: string, rest: Omit<CodeMutant, 'file'>): CodeMutant => ({
  file: `src/program/events/${file}.ts`,
  ...rest,
});

const FLUSH_PAIRS = `((a.label === 'nlR' && b.label === 'nlW') || (a.label === 'nrR' && b.label === 'nrW'))`;
const KIND = "const kind = isNicWrite(e) ? 0 : e.label === 'P' ? 1 : undefined;";

/** Where pairs of different threads are not even looked at: either alone changes nothing. */
const PARTNERS = {
  file: 'src/program/events/fixed.ts',
  find: 'return thread === INITIAL ? [] : threads.get(thread)!;',
  replace: 'return positions;',
};

export const eventsMutants: readonly CodeMutant[] = [
  mutant('structure', {
    name: 'cas-reads-nothing',
    find: "CAS: 'both'",
    replace: "CAS: 'write'",
    what: 'A successful CAS is no read.',
  }),
  mutant('structure', {
    name: 'cas-writes-nothing',
    find: "CAS: 'both'",
    replace: "CAS: 'read'",
    what: 'A successful CAS is no write.',
  }),
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
    name: 'polls-of-other-threads',
    find: '`${e.thread} ${e.node}`',
    replace: '`${e.node}`',
    what: 'Polls count the operations of other threads.',
  }),
  mutant('relations', {
    name: 'polls-of-other-nodes',
    find: '`${e.thread} ${e.node}`',
    replace: '`${e.thread}`',
    what: 'Polls count the operations towards other nodes.',
  }),
  mutant('relations', {
    name: 'polls-count-puts-only',
    find: KIND,
    replace: "const kind = e.label === 'nrW' ? 0 : e.label === 'P' ? 1 : undefined;",
    what: 'Polls count puts only.',
  }),
  mutant('relations', {
    name: 'polls-count-gets-only',
    find: KIND,
    replace: "const kind = e.label === 'nlW' ? 0 : e.label === 'P' ? 1 : undefined;",
    what: 'Polls count gets only.',
  }),
  mutant('relations', {
    name: 'polls-from-the-newest',
    find: 'pairs.get(key)![kind].push(e);',
    replace: "pairs.get(key)![kind][kind === 0 ? 'unshift' : 'push'](e);",
    what: 'Polls poll the newest operation first.',
  }),
  mutant('relations', {
    name: 'no-local-flush-order',
    find: FLUSH_PAIRS,
    replace: "a.label === 'nrR' && b.label === 'nrW'",
    what: 'NIC flush order does not relate local reads and local writes.',
  }),
  mutant('relations', {
    name: 'no-remote-flush-order',
    find: FLUSH_PAIRS,
    replace: "a.label === 'nlR' && b.label === 'nlW'",
    what: 'NIC flush order does not relate remote reads and remote writes.',
  }),
  mutant('relations', {
    name: 'wait-for-any-identifier',
    find: 'a.work === b.work &&',
    replace: '',
    what: 'A wait waits for operations with any identifier.',
  }),
  mutant('relations', {
    name: 'wait-for-other-threads',
    find: 'a.thread === b.thread &&\n  a.id < b.id;',
    replace: 'a.id < b.id;',
    what: 'A wait waits for operations of other threads with the same identifier.',
    also: PARTNERS,
  }),
  mutant('relations', {
    name: 'wait-for-gets-only',
    find: "isNicWrite(a) &&\n  b.label === 'WT' &&",
    replace: "a.label === 'nlW' &&\n  b.label === 'WT' &&",
    what: 'A wait does not wait for puts.',
  }),
  mutant('relations', {
    name: 'same-thread-everywhere',
    find: 'boolean => a.thread === b.thread;',
    replace: 'boolean => a.thread !== INITIAL && b.thread !== INITIAL;',
    what: 'All events count as events of the same thread where only that is asked.',
    also: PARTNERS,
  }),
];
