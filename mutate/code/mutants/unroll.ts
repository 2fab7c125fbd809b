import type { CodeMutant } from '../mutant.js';

/**
 * Mistakes in the construction of events from instructions. What an operation is, instructions.cat says: mistakes
 * in it are mutants of models (models/declarations.ts).
 */

const mutant = (rest: Omit<CodeMutant, 'file'>, file = 'thread'): CodeMutant => ({
  file: `src/program/events/${file}.ts`,
  ...rest,
});

export const unrollMutants: readonly CodeMutant[] = [
  mutant(
    {
      name: 'guards-ignored',
      find: 'if (when !== undefined) this.around.require(this.value(when, path), path);',
      replace: '',
      what: 'An alternative of an operation may be taken against its guard.',
    },
    'use',
  ),
  mutant(
    {
      name: 'alternatives-together',
      find: 'const other = this.choose(others, further(path, choice, false));',
      replace: 'const other = this.choose(others, further(path, choice, true));',
      what: 'The alternatives of an operation are performed together, or none of them is.',
    },
    'use',
  ),
  mutant(
    {
      name: 'value-of-other-alternative',
      find: 'this.draft.table.select(choice, taken, other)',
      replace: 'this.draft.table.select(choice, other, taken)',
      what: 'An operation gives the value that it would give by its other alternative.',
    },
    'use',
  ),
  mutant(
    {
      name: 'events-of-a-call-unordered',
      find: `case 'then':
        return body.parts.flatMap((part) => this.body(part, path, beside));`,
      replace: "case 'then':",
      what: 'The events of a call are not in program order with each other.',
    },
    'use',
  ),
  mutant(
    {
      name: 'writes-the-value-before',
      find: 'return this.values.get(name)![0];',
      replace: 'return this.draft.table.constant(0);',
      what: 'What an operation reads, or is given, is 0 to its later events.',
    },
    'use',
  ),
  mutant(
    {
      name: 'reads-and-writes-no-read',
      find: 'reads: reads === undefined ? undefined : true,',
      replace: 'reads: reads === undefined || writes !== undefined ? undefined : true,',
      what: 'An event that reads and writes is no read.',
    },
    'use',
  ),
  mutant(
    {
      name: 'reads-and-writes-no-write',
      find: 'const value = writes && this.value(writes.value, path);',
      replace: 'const value = reads ? undefined : writes && this.value(writes.value, path);',
      what: 'An event that reads and writes is no write.',
    },
    'use',
  ),
  mutant(
    {
      name: 'identifiers-lost',
      find: 'work: this.work,',
      replace: 'work: undefined,',
      what: 'Events do not know the work identifier of their call.',
    },
    'use',
  ),
  mutant(
    {
      name: 'identifier-of-the-first-only',
      find: 'work: this.work,',
      replace: `work:
        this.operation.on !== undefined &&
        this.draft.events.some((e) => e.work === this.work && e.use !== this.number)
          ? undefined
          : this.work,`,
      what: 'Of operations with one identifier a wait waits for the first only.',
    },
    'use',
  ),
  mutant(
    {
      name: 'fence-on-other-queue-pair',
      find: "if (given.kind === 'peer') return given;",
      replace: `if (given.kind === 'peer') {
      return label === 'nF' ? { ...given, name: 'other' } : given;
    }`,
      what: 'A remote fence fences another queue pair.',
    },
    'use',
  ),
  mutant(
    {
      name: 'queue-pair-names-lost',
      find: 'return { node: node ?? this.draft.nodeOf(location), name: queuePair };',
      replace: 'return { node: node ?? this.draft.nodeOf(location) };',
      what: 'All transfers towards a node are on its unnamed queue pair.',
    },
    'use',
  ),
  mutant(
    {
      name: 'tags-lost',
      find: 'tags: tags.length === 0 ? undefined : tags,',
      replace: 'tags: undefined,',
      what: 'Events do not know the tags of their locations.',
    },
    'use',
  ),
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
  {
    file: 'src/program/counted.ts',
    name: 'loop-bound-of-its-own-ignored',
    find: 'countedLoops(thread).get(loop) ?? loop.bound ?? bound',
    replace: 'countedLoops(thread).get(loop) ?? bound',
    what: 'The bound that a loop has of its own is ignored.',
  },
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
