import type { CodeMutant } from '../mutant.js';

/** Mistakes in the construction of events from instructions. */

const mutant = (rest: Omit<CodeMutant, 'file'>, file = 'thread'): CodeMutant => ({
  file: `src/program/events/${file}.ts`,
  ...rest,
});

export const unrollMutants: readonly CodeMutant[] = [
  mutant({
    name: 'failed-cas-without-fence',
    find: "this.emit({ label: 'F', path: lost, span });",
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
    find: `const value = table.read(this.emit({ label: read, location: from, node, path, span }));
    this.emit({ label: write, location: to, node, value, path, span, work });`,
    replace: `const value = table.read(this.draft.events.length + 1);
    this.emit({ label: write, location: to, node, value, path, span, work });
    this.emit({ label: read, location: from, node, path, span });`,
    what: 'The write of a get or put comes before its read.',
  }),
  mutant({
    name: 'identifiers-lost',
    find: 'node, value, path, span, work });',
    replace: 'node, value, path, span });',
    what: 'The write of a get or put does not know its work identifier.',
  }),
  mutant({
    name: 'identifier-of-the-first-only',
    find: 'this.emit({ label: write, location: to, node, value, path, span, work });',
    replace: `const known = this.draft.events.some((e) => e.thread === this.index && e.work === work);
    this.emit({ label: write, location: to, node, value, path, span, work: known ? undefined : work });`,
    what: 'Of operations with one identifier a wait waits for the first only.',
  }),
  mutant({
    name: 'fence-on-other-queue-pair',
    find: "this.emit({ label: 'nF', node: i.node, path, span });",
    replace: `this.emit({
          label: 'nF', path, span,
          node: ['1', '2', '3'].find((n) => n !== this.thread.node && n !== i.node) ?? i.node,
        })`,
    what: 'A remote fence fences the queue pair towards another node.',
  }),
  mutant({
    name: 'branches-inverted',
    find: `this.alternative(i.then, before, further(path, condition, true));
    const other = this.alternative(i.else, before, further(path, condition, false));`,
    replace: `this.alternative(i.then, before, further(path, condition, false));
    const other = this.alternative(i.else, before, further(path, condition, true));`,
    what: 'The events of a branch are there if its condition does not hold.',
  }),
  mutant({
    name: 'registers-leak',
    find: 'this.registers = [...from];',
    replace: 'void from;',
    what: 'A branch starts with the registers that the branch before it left.',
  }),
  mutant({
    name: 'registers-not-zero',
    find: 'thread.registers.map(() => draft.table.constant(0))',
    replace: 'thread.registers.map(() => draft.table.constant(1))',
    what: 'Registers are 1 at first.',
  }),
  mutant({
    name: 'choose-without-last',
    find: 'let end = this.alternative(branches.at(-1)!, before, rest);',
    replace: 'let end = this.alternative([], before, rest);',
    what: 'The last branch of `choose` does nothing.',
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
    find: 'if (done === limit) {',
    replace: 'if (done + 1 === limit) {',
    what: 'Loops are unrolled once too few.',
  }),
  mutant({
    name: 'loop-bound-of-its-own-ignored',
    find: 'const limit = i.bound ?? this.draft.options.bound;',
    replace: 'const limit = this.draft.options.bound;',
    what: 'The bound that a loop has of its own is ignored.',
  }),
  mutant({
    name: 'cut-not-recorded',
    find: 'if (known === 0) break;',
    replace: 'if (known === 0 || done >= limit) break;',
    what: 'A loop ends at its bound, even if its condition still holds.',
  }),
  mutant({
    name: 'assume-ignored',
    find: 'this.require(this.evaluate(condition, path, span), path, span);',
    replace: 'this.evaluate(condition, path, span);',
    what: 'Runs in which an assumption fails count.',
  }),
];
