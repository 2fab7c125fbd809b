/** What the CPU's operations are in C, as compilers have them for x86 and for Arm: a function, and its last argument. */

const ORDER = { none: '__ATOMIC_RELAXED', a: '__ATOMIC_ACQUIRE', l: '__ATOMIC_RELEASE' };
const atomic = (name: string): Readonly<Record<string, Words>> => ({
  '': [name, ORDER.none],
  a: [name, ORDER.a],
  l: [name, ORDER.l],
  al: [name, '__ATOMIC_ACQ_REL'],
});

type Words = readonly [name: string, order?: string];

/** By operation, and by tags. */
const WORDS: Readonly<Record<string, Readonly<Record<string, Words>>>> = {
  mfence: { '': ['__sync_synchronize'] },
  CAS: {
    '': ['compare'],
    a: ['compare_acquire'],
    l: ['compare_release'],
    al: ['__sync_val_compare_and_swap'],
  },
  faa: atomic('__atomic_fetch_add'),
  xchg: atomic('__atomic_exchange_n'),
  ldar: { '': ['__atomic_load_n', '__ATOMIC_SEQ_CST'] },
  ldapr: { '': ['__atomic_load_n', ORDER.a] },
  stlr: { '': ['__atomic_store_n', ORDER.l], seq_cst: ['__atomic_store_n', '__ATOMIC_SEQ_CST'] },
  dmb: {
    'ish ld': ['__atomic_thread_fence', ORDER.a],
    'ish release': ['__atomic_thread_fence', ORDER.l],
  },
};

const found = (operation: string, tags: readonly string[]): Words | undefined =>
  WORDS[operation]?.[[...tags].sort().join(' ')];

/** Is it an operation of the CPU that C has words for? */
export const isInC = (operation: string, tags: readonly string[]): boolean =>
  found(operation, tags) !== undefined;

export const wordsOf = (operation: string, tags: readonly string[]): Words =>
  found(operation, tags)!;
