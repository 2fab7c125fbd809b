import type { CodeMutant } from '../mutant.js';

/** Mistakes on the way from a file to a program. The evaluator takes the program as it is. */

const mutant = (file: string, rest: Omit<CodeMutant, 'file'>): CodeMutant => ({
  file: `src/${file}.ts`,
  ...rest,
});

export const programMutants: readonly CodeMutant[] = [
  mutant('program/resolve-thread', {
    name: 'if-branches-swapped',
    find: '[this.block(s.then), this.block(s.else)]',
    replace: '[this.block(s.else), this.block(s.then)]',
    what: '`if` takes its other branch.',
  }),
  mutant('program/resolve-thread', {
    name: 'while-until',
    find: "s.kind === 'while' ? this.expression(s.condition) : undefined",
    replace: `s.kind === 'while'
      ? { kind: 'unary', op: '!', arg: this.expression(s.condition) }
      : undefined`,
    what: '`while` goes on until its condition holds.',
  }),
  mutant('program/resolve-call', {
    name: 'arguments-turned-round',
    find: 'arguments: args as readonly Argument[],',
    replace: `arguments: [
        ...(args as readonly Argument[]).filter(({ kind }) => kind !== 'value'),
        ...(args as readonly Argument[]).filter(({ kind }) => kind === 'value').reverse(),
      ],`,
    what: 'A call gets its values in the wrong order: a CAS compares with the value that it is to write.',
  }),
  mutant('program/accessed', {
    name: 'operands-from-the-right',
    find: 'new Set(read)',
    replace: 'new Set(read.toReversed())',
    what: 'An expression reads its locations from right to left.',
  }),
  mutant('program/thread-names', {
    name: 'constants-shared',
    find: 'l.hidden === true && l.owner === this.index && l.initial === value',
    replace: 'l.hidden === true && l.owner === this.index',
    what: 'All puts of constants by one thread put the first of these constants.',
  }),
  mutant('program/thread-names', {
    name: 'private-memory-shared',
    find: 'found.set(name, scope.locations.length);\n    scope',
    replace: `const other = scope.locations.findIndex(
      (l) => l.name === name && l.owner !== undefined && l.node === thread.node.text,
    );
    if (other >= 0) return void found.set(name, other);
    found.set(name, scope.locations.length);
    scope`,
    what: 'Private memory of one name is one location for all threads of a node.',
  }),
  mutant('program/resolve', {
    name: 'query-unequal-as-equal',
    find: "{ kind: 'atom', left, equal: c.equal, right }",
    replace: "{ kind: 'atom', left, equal: true, right }",
    what: '`!=` in a query means `=`.',
  }),
  mutant('program/resolve', {
    name: 'query-or-as-and',
    find: '{ kind: c.kind, left: resolved(c.left), right: resolved(c.right) }',
    replace: "{ kind: 'and', left: resolved(c.left), right: resolved(c.right) }",
    what: '`\\/` in a query means `/\\`.',
  }),
  mutant('parse/integers', {
    name: 'division-rounds-down',
    find: 'Math.trunc(a / b)',
    replace: 'Math.floor(a / b)',
    what: 'Division rounds down instead of towards zero.',
  }),
  mutant('parse/integers', {
    name: 'at-most-as-less',
    find: 'Number(a <= b)',
    replace: 'Number(a < b)',
    what: '`<=` means `<`.',
  }),
  mutant('rdma/translate', {
    name: 'polls-wait-for-the-first',
    find: 'issued.get(key)?.[k]',
    replace: 'issued.get(key)?.[0]',
    what: 'Read as a wait, every poll waits for the first operation of its queue pair.',
  }),
  mutant('rdma/translate', {
    name: 'polls-wait-for-the-newest',
    find: 'issued.get(key)?.[k]',
    replace: 'issued.get(key)?.at(-1)',
    what: 'Read as a wait, a poll waits for the newest operation of its queue pair.',
  }),
];
