/** Which files of corpus/locks and bench/locks the tables of docs/locks.md are about, and under which models. */

export type File = string | undefined;
type Places = readonly [name: string, File, File, File];

/** A file of the data on the lock's node, elsewhere, and elsewhere and read back; a dash where there is none. */
export const PLACES: readonly Places[] = [
  ['test-and-set by `rcas`, released by a put', 'tas', 'tas-elsewhere', 'tas-elsewhere-flushed'],
  ['the same, released by `rcas`', 'tas-rcas', 'tas-rcas-elsewhere', 'tas-rcas-elsewhere-flushed'],
  ['ticket by `rfaa`', 'ticket-lock', 'ticket-lock-elsewhere', 'ticket-lock-elsewhere-flushed'],
  [
    "Sherman's: one for each client, then the global one",
    'sherman',
    'sherman-elsewhere',
    'sherman-elsewhere-flushed',
  ],
  [
    'reader-writer by `rfaa`',
    'reader-writer',
    'reader-writer-elsewhere',
    'reader-writer-elsewhere-flushed',
  ],
  ['barrier by `rfaa`', 'barrier', 'barrier-elsewhere', 'barrier-elsewhere-flushed'],
  [
    'ALock, 1 local and 1 remote thread',
    'alock-1-1-data',
    'alock-1-1-data-elsewhere',
    'alock-1-1-data-elsewhere-flushed',
  ],
];

/** The same for locks that are passed by a put to the next holder's node: on the lock's node, on a third one, and read back. */
export const PASSED: readonly Places[] = [
  ['ALock, 2 local and 1 remote thread', 'alock-2-1-data', undefined, undefined],
  ['ALock, 1 local and 2 remote threads', 'alock-1-2-data', undefined, 'alock-1-2-data-flushed'],
  ['MCS, 2 remote threads', 'mcs', 'mcs-elsewhere', 'mcs-flushed'],
];

/** What mutual exclusion rests on. */
export const EXCLUSION = [
  ...[
    'alock-1-1',
    'alock-no-fence',
    'alock-no-poll',
    'alock-no-swap-poll',
    'alock-victim-first',
    'alock-late-polls',
  ],
  ...['one-word', 'alock-one-queue', 'one-word-own-card'],
  ...[
    'peterson',
    'peterson-own-flags',
    'peterson-own-flags-flushed',
    'peterson-local-remote',
    'peterson-local-remote-no-fence',
    'filter',
    'filter-no-fence',
  ],
  ...['bakery', 'bakery-own-words', 'bakery-at-reader', 'bakery-at-reader-flushed'],
];
export const MODELS = ['sc', 'rdma-sc', 'rdma-tso', 'rdma-tso-nopcie'];

/** What the hardware tables compare. */
export const HARDWARE = ['rdma-tso', 'rdma-ro', 'rdma-manpage', 'rdma-ooo-rw', 'rdma-nics'];

/** Where delivery is unordered there are no atomics. */
export const UNORDERED = ['rdma-tso', 'rdma-srd'];
/** Millions of states, of three threads. */
export const TOO_LARGE = ['filter', 'filter-no-fence'];

/** Locks with waits, and the same with polls where there is one. */
export const WAITS: readonly (readonly [waits: string, polls: File])[] = [
  ['tas-wait', 'tas'],
  ['tas-wait-elsewhere', 'tas-elsewhere'],
  ['tas-wait-elsewhere-flushed', 'tas-elsewhere-flushed'],
  ['tas-wait-later', undefined],
  ['tas-wait-other', undefined],
  ['ticket-wait', 'ticket-lock'],
  ['sherman-wait', 'sherman'],
  ['mcs-wait', 'mcs'],
  ['mcs-wait-flushed', 'mcs-flushed'],
  ['peterson-wait', 'peterson'],
];

/** Threads of ALock: its files by Algorithm 2, with an exchange, and without a budget. */
export const COHORTS: readonly Places[] = [
  ['1 local, 1 remote', 'alock-1-1', 'alock-1-1-exchange', undefined],
  ['2 local, 1 remote', 'alock-2-1', 'alock-2-1-exchange', 'alock-2-1-no-budget'],
  ['1 local, 2 remote', 'alock-1-2', 'alock-1-2-exchange', 'alock-1-2-no-budget'],
];

/** Whose rounds are counted. The release of a lock is part of the round. */
export const COSTS: readonly (readonly [who: string, test: string, thread: string])[] = [
  ['test-and-set by `rcas`, released by a put', 'tas', 'T2'],
  ['the same, released by `rcas`', 'tas-rcas', 'T2'],
  ['ticket by `rfaa`', 'ticket-lock', 'T2'],
  ["Sherman's", 'sherman', 'T1'],
  ['reader-writer by `rfaa`: the writer', 'reader-writer', 'T1'],
  ['reader-writer by `rfaa`: a reader', 'reader-writer', 'T2'],
  ["Peterson's, all words on a third node", 'peterson', 'T1'],
  ['bakery, all words on a third node', 'bakery', 'T1'],
  ['filter: a remote thread of two, with a local one', 'filter', 'T2'],
  ['MCS', 'mcs', 'T2'],
  ['ALock by Algorithm 2: a local thread of two', 'alock-2-1', 'T1'],
  ['ALock by Algorithm 2: a remote thread of two', 'alock-1-2', 'T2'],
  ['ALock with one exchange: a remote thread of two', 'alock-1-2-exchange', 'T2'],
];

/** Of these it is asked who gets in. */
export const ENTERED: readonly (readonly [name: string, test: string])[] = [
  ['test-and-set by `rcas`', 'tas'],
  ['test-and-set by `rfaa`, the release lost', 'tas-rfaa'],
  ['test-and-set by `rfaa`, taken back', 'tas-rfaa-back'],
  ['ticket by `rfaa`', 'ticket-lock'],
  ["Sherman's", 'sherman'],
  ['MCS', 'mcs'],
  ["Peterson's", 'peterson'],
  ['filter: 1 local, 2 remote', 'filter'],
  ['bakery', 'bakery'],
  ['ALock by Algorithm 2: 1 local, 1 remote', 'alock-1-1'],
  ['2 local, 1 remote', 'alock-2-1'],
  ['1 local, 2 remote', 'alock-1-2'],
  ['ALock with one exchange: 1 local, 1 remote', 'alock-1-1-exchange'],
  ['2 local, 1 remote', 'alock-2-1-exchange'],
  ['1 local, 2 remote', 'alock-1-2-exchange'],
];

/** Those of four threads. */
export const LARGE = [
  ...['alock-2-2', 'alock-2-2-exchange', 'alock-2-2-data', 'alock-2-2-data-flushed'],
  ...['alock-3-2', 'alock-one-queue-2-2'],
];

export type Pair = readonly [explored: string, solved: string];
type Twice = readonly [threads: string, exclusion: Pair, data: Pair, flushed: Pair | undefined];

/**
 * ALock decided twice, explored without bounds and solved with each thread once: threads, then for each question the files
 * of the one and of the other.
 */
export const TWICE: readonly Twice[] = [
  ['1 local, 1 remote', ['1-1', 'once-1-1'], ['1-1-data', 'once-1-1'], undefined],
  ['2 local, 1 remote', ['2-1', 'once-2-1'], ['2-1-data', 'once-2-1'], undefined],
  [
    '1 local, 2 remote',
    ['1-2', 'once-1-2'],
    ['1-2-data', 'once-1-2'],
    ['1-2-data-flushed', 'once-1-2-flushed'],
  ],
  [
    '2 local, 2 remote',
    ['2-2', 'once-2-2'],
    ['2-2-data', 'once-2-2'],
    ['2-2-data-flushed', 'once-2-2-flushed'],
  ],
];
