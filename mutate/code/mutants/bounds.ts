import type { CodeMutant } from '../mutant.js';

/** Mistakes in the bounds of values and relations. */

const mutant = (file: string, rest: Omit<CodeMutant, 'file'>): CodeMutant => ({
  file: `src/encode/bounds/${file}.ts`,
  ...rest,
});

const SOURCE = 'w.id !== r.id && sameLocation(w, r) && !exclusive(w.path, r.path)';

export const boundsMutants: readonly CodeMutant[] = [
  mutant('base', {
    name: 'initial-write-not-first',
    find: `if (b.thread !== INITIAL) m.relate(may, a.id, b.id);
      if (a.thread === INITIAL) m.relate(must, a.id, b.id);`,
    replace: 'm.relate(may, a.id, b.id);',
    what: 'The initial write need not be the first, in modification order as in program order.',
    // Either alone changes nothing: every model has both orders in one acyclicity axiom.
    also: {
      file: 'src/program/events/fixed.ts',
      find: "if (name === 'po') return product(initial, complSet(initial));",
      replace: "if (name === 'po') return emptyRel(events.length);",
    },
  }),
  mutant('base', {
    name: 'reads-from-other-locations',
    find: SOURCE,
    replace: 'w.id !== r.id && !exclusive(w.path, r.path)',
    what: 'A read may read from a write of another location.',
  }),
  mutant('base', {
    name: 'initial-value-unreadable',
    find: SOURCE,
    replace: `${SOURCE} && w.thread !== INITIAL`,
    what: 'No read reads an initial value.',
  }),
  mutant('base', {
    name: 'first-source-only',
    find: 'if (sources.length === 1)',
    replace: 'if (sources.length >= 1)',
    what: 'A read is taken to read from the first write that it may read from.',
  }),
  mutant('base', {
    name: 'flush-order-forwards-only',
    find: 'm.relate(may, a, b);\n    m.relate(may, b, a);',
    replace: 'm.relate(may, a, b);',
    what: 'In NIC flush order reads come before writes.',
  }),
  mutant('base', {
    name: 'rank-too-sure',
    find: 'return [sure, before.length];',
    replace: 'return [before.length, before.length];',
    what: 'Polls are taken to count operations in branches that are not taken.',
  }),
  mutant('base', {
    name: 'polls-off-by-one',
    find: 'if (wHigh < low || high < wLow) return;',
    replace: 'if (wHigh < low + 1 || high + 1 < wLow) return;',
    what: 'The k-th poll is taken to poll an operation after the k-th.',
  }),
  mutant('values', {
    name: 'values-one-round',
    find: 'round <= written.size',
    replace: 'round < 1',
    what: 'Values flow through one write only.',
  }),
  mutant('values', {
    name: 'values-of-one-branch',
    find: 'if (conditions.has(0)) for (const v of of(value.else)) found.add(v);',
    replace: '',
    what: 'A register is taken to have its value from the first branch.',
  }),
  mutant('domain', {
    name: 'composition-may-too-small',
    find: 'seq: (a, b) => both({ may: m.seq(a.may, b.may),',
    replace: 'seq: (a, b) => both({ may: m.seq(a.must, b.may),',
    what: 'The upper bound of a composition misses pairs whose first step is not sure.',
  }),
  mutant('product', {
    name: 'branches-sure',
    find: 'if (isSure) sure.words[into + w] |= bound.must.words[row + w] & mask(w);',
    replace: 'sure.words[into + w] |= bound.must.words[row + w];',
    what: 'Steps of events in branches are taken to be there in every execution.',
  }),
  mutant('product', {
    name: 'possible-steps-sure',
    find: 'bound.must.words[row + w] & mask(w)',
    replace: 'bound.may.words[row + w] & mask(w)',
    what: 'Steps that may be there are taken to be sure.',
  }),
  mutant('refine', {
    name: 'refines-backwards',
    find: '!m.related(start.component.reach, end.position, start.position)',
    replace: '!m.related(start.component.reach, start.position, end.position)',
    what: 'Pairs along sure paths are ruled out, not those against them.',
  }),
  mutant('refine', {
    name: 'open-orders-sure',
    find: 'm.interRel(may, m.inverse(out))',
    replace: 'may',
    what: 'Pairs of modification and flush order that are still open are taken to be sure.',
  }),
  mutant('assumed', {
    name: 'assumed-elsewhere',
    find: 'if (read === undefined || !implies(events[read].path, path)) continue;',
    replace: 'if (read === undefined) continue;',
    what: 'What is assumed in a branch counts of a read before the branch.',
  }),
  mutant('assumed', {
    name: 'assumed-of-the-last',
    find: 'return reads.size <= 1 && operandsOfValue(value).every(isPlain);',
    replace: 'return operandsOfValue(value).every(isPlain);',
    what: 'A condition on several reads is taken for one on the first, which the others agree with.',
  }),
  mutant('assumed', {
    name: 'written-first-assumed',
    find: 'return writes.length === 1 ? constant',
    replace: 'return writes.length >= 1 ? constant',
    what: 'A write of what was read writes the first that may have been read.',
  }),
  mutant('assumed', {
    name: 'faults-assumed-away',
    find: 'return found.size === 1 && found.has(0);',
    replace: 'return found.size === 0 || found.has(0);',
    what: 'A read does not read that with which an assumption would divide by zero.',
  }),
  mutant('assumed', {
    name: 'assumed-inverted',
    find: 'if (isFalseWith(condition, number))',
    replace: 'if (!isFalseWith(condition, number))',
    what: 'A read does not read that with which an assumption holds.',
  }),
];
