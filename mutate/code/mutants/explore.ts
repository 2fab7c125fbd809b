import type { CodeMutant } from '../mutant.js';

/** Mistakes in how programs with loops are explored. */

const mutant = (file: string, rest: Omit<CodeMutant, 'file'>): CodeMutant => ({
  ...rest,
  file: `src/rdma/explore/${file}.ts`,
});

export const exploreMutants: readonly CodeMutant[] = [
  mutant('nic', {
    name: 'explored-unit-never-busy',
    find: 'if (!atOnce && isBusy(from)) return false;',
    replace: '',
    what: 'An atomic is performed while the write of another one is pending.',
  }),
  mutant('nic', {
    name: 'explored-get-past-writes',
    find: "readPast(from, wbR[q].at, 'R', pcie)) return false;",
    replace: "readPast(from, wbR[q].at, 'R', false)) return false;",
    what: 'A get pushes no writes into memory, whatever PCIe guarantees.',
  }),
  mutant('nic', {
    name: 'explored-puts-overtake',
    find: 'if (!overtakes(at, index, READS_PAST)) return false;',
    replace: '',
    what: 'A put reads its value before older puts do.',
  }),
  mutant('machine', {
    name: 'explored-fence-at-once',
    find: 'if (s[layout.storeBuffers[t].at] > 0) return false;\n        this.told',
    replace: 'this.told',
    what: 'A fence does not wait for the store buffer.',
  }),
  mutant('machine', {
    name: 'explored-owner-by-the-way',
    find: '(owner[location] === t && !this.nic.mayWrite(t, location))',
    replace: '(owner[location] === t)',
    what: 'What a network card is still to write to is read at once.',
  }),
  mutant('machine', {
    name: 'explored-forgets-sources',
    find: '(slot < layout.memory || !this.isRead(t, slot))',
    replace: 'slot >= 0',
    what: 'Memory that a put is still to read is forgotten.',
  }),
  mutant('sharing', {
    name: 'explored-owner-of-several',
    find: 'by.size === 1 ? [...by][0] : OTHERS',
    replace: '[...by][0] ?? OTHERS',
    what: 'Memory that several threads access is taken for that of one.',
  }),
  mutant('flow', {
    name: 'explored-cycles-at-once',
    find: 'if (state[to] === 1) ops[to].visible = true;',
    replace: 'if (state[to] === 1) continue;',
    what: 'A loop of steps that are taken at once does not end.',
  }),
  mutant('flow', {
    name: 'explored-dead-too-early',
    find: 'for (const slot of reads) live[at].add(slot);',
    replace: '',
    what: 'A register is forgotten before its last use.',
  }),
  mutant('codec', {
    name: 'explored-lengths-lost',
    find: 'const end = start + 1 + length * widths[b];',
    replace: 'const end = start + 1 + Math.min(length, 1) * widths[b];',
    what: 'States whose buffers differ behind the first entry are taken for one.',
  }),
  mutant('liveness', {
    name: 'fair-to-nobody',
    find: 'if (hopeless) continue;',
    replace: '',
    what: 'A round counts as fair in which somebody who always can take a step takes none.',
  }),
  mutant('liveness', {
    name: 'strong-as-weak',
    find: 'if (unfair.length === 0) return set;',
    replace: 'return set;',
    what: 'What is asked to be strongly fair need only be weakly fair.',
  }),
  mutant('liveness', {
    name: 'idle-has-to-move',
    find: 'if (a === actors.idle || moves[a] === 1 || enabled[a] === 0) continue;',
    replace: 'if (moves[a] === 1 || enabled[a] === 0) continue;',
    what: 'A thread may not stay outside for ever.',
  }),
  mutant('mirror', {
    name: 'mirror-takes-any-value',
    find: 'if (this.number(way, into, mine) === others) continue;',
    replace: 'continue;',
    what: 'Symmetric threads may write what they like.',
  }),
  mutant('mirror', {
    name: 'mirror-takes-any-place',
    find: 'if (known >= 0 && known !== to)',
    replace: 'if (known < -1)',
    what: 'Symmetric threads may go on where they like.',
  }),
  mutant('symmetry', {
    name: 'image-of-plain-numbers',
    find: 'isIdentity[i] === 1 ? (p.numbers.get(value) ?? value) : value;',
    replace: 'value;',
    what: 'Identities stay the same where threads change places.',
  }),
  mutant('symmetry', {
    name: 'image-of-buffers-lost',
    find: 'image[target] = length;',
    replace: 'image[target] = Math.min(length, 1);',
    what: 'States that differ in buffers stand for each other.',
  }),
  mutant('bad', {
    name: 'symmetric-for-some',
    find: 'query.threads.every((t) => query.threads.includes(threads[t]))',
    replace: 'query.threads.length > 0',
    what: 'A question about some of the symmetric threads is taken for one about all.',
  }),
];
