import type { CodeMutant } from '../mutant.js';

/** Mistakes in the construction of events from instructions. */

const mutant = (rest: Omit<CodeMutant, 'file'>, file = 'unroll'): CodeMutant => ({
  file: `src/events/${file}.ts`,
  ...rest,
});

export const unrollMutants: readonly CodeMutant[] = [
  mutant({
    name: 'failed-cas-without-fence',
    find: "emit({ label: 'F', path: lost, span });",
    replace: '',
    what: 'A CAS that fails is no fence.',
  }),
  mutant({
    name: 'cas-compares-wrong',
    find: "table.binary('=', table.read(swap), expected)",
    replace: "table.binary('!=', table.read(swap), expected)",
    what: 'A CAS succeeds if it reads another value than the one expected.',
  }),
  mutant({
    name: 'cas-returns-what-it-writes',
    find: 'table.select(success, expected, seen)',
    replace: 'table.select(success, desired, seen)',
    what: 'A CAS that succeeds gives the value that it writes, not the one that it read.',
  }),
  mutant({
    name: 'halves-swapped',
    find: `const value = table.read(emit({ label: read, location: from, node, path, span }));
          const tag = work === undefined ? {} : { work };
          emit({ label: write, location: to, node, value, path, span, ...tag });`,
    replace: `const value = table.read(events.length + 1);
          const tag = work === undefined ? {} : { work };
          emit({ label: write, location: to, node, value, path, span, ...tag });
          emit({ label: read, location: from, node, path, span });`,
    what: 'The write of a get or put comes before its read.',
  }),
  mutant({
    name: 'identifiers-lost',
    find: 'node, value, path, span, ...tag });',
    replace: 'node, value, path, span });',
    what: 'The write of a get or put does not know its work identifier.',
  }),
  mutant({
    name: 'identifier-of-the-first-only',
    find: 'const tag = work === undefined ? {} : { work };',
    replace: `const known = events.some((e) => e.thread === threadIndex && e.work === work);
          const tag = work === undefined || known ? {} : { work };`,
    what: 'Of operations with one identifier a wait waits for the first only.',
  }),
  mutant({
    name: 'fence-on-other-queue-pair',
    find: "emit({ label: 'nF', node: i.node, path, span });",
    replace: `emit({
            label: 'nF', path, span,
            node: program.nodes.find((n) => n !== thread.node && n !== i.node) ?? i.node,
          });`,
    what: 'A remote fence fences the queue pair towards another node.',
  }),
  mutant({
    name: 'branches-inverted',
    find: `then([...path, step(true)]));
      const no = alternative(before, () => otherwise([...path, step(false)]));`,
    replace: `then([...path, step(false)]));
      const no = alternative(before, () => otherwise([...path, step(true)]));`,
    what: 'The events of a branch are there if its condition does not hold.',
  }),
  mutant({
    name: 'registers-leak',
    find: 'env.splice(0, env.length, ...from);',
    replace: '',
    what: 'A branch starts with the registers that the branch before it left.',
  }),
  mutant({
    name: 'registers-not-zero',
    find: 'thread.registers.map(() => table.constant(0))',
    replace: 'thread.registers.map(() => table.constant(1))',
    what: 'Registers are 1 at first.',
  }),
  mutant({
    name: 'choose-without-last',
    find: 'if (rest.length === 0) return run(first, path);',
    replace: 'if (rest.length <= 1) return run(first, path);',
    what: '`choose` never takes its last branch.',
  }),
  mutant(
    {
      name: 'choices-tied',
      find: 'choice: choices++',
      replace: 'choice: choices++ && 0',
      what: 'All free choices of a program fall alike.',
    },
    'values',
  ),
  mutant({
    name: 'loop-once-too-few',
    find: 'if (done < limit) {',
    replace: 'if (done + 1 < limit) {',
    what: 'Loops are unrolled once too few.',
  }),
  mutant({
    name: 'loop-bound-of-its-own-ignored',
    find: 'const limit = i.bound ?? defaultBound;',
    replace: 'const limit = defaultBound;',
    what: 'The bound that a loop has of its own is ignored.',
  }),
  mutant({
    name: 'cut-not-recorded',
    find: 'if (table.constantOf(goesOn) === 0) return;',
    replace: 'if (done >= limit) return;',
    what: 'A loop ends at its bound, even if its condition still holds.',
  }),
  mutant({
    name: 'assume-ignored',
    find: 'return require(path, evaluate(i.condition, path, span), span);',
    replace: 'return void evaluate(i.condition, path, span);',
    what: 'Runs in which an assumption fails count.',
  }),
];
