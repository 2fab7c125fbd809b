/** Instructions of other languages and libraries, and how they are written here. If they are not, what comes nearest. */

interface Known {
  readonly message: string;
  readonly hint: string;
}

/** What to say of some instructions. */
interface Entry {
  /**
   * Their names with blanks between them: in lower case, without `_`, and without prefixes of libraries such as `ibv`.
   */
  readonly words: string;
  /** By default: that the instruction is unknown. */
  readonly message?: string;
  readonly hint: string;
}

/** Words of RDMA libraries. docs/verbs.md says more about each. */
const VERBS: readonly Entry[] = [
  { words: 'write put iput', hint: 'a WRITE is a put: `x^2 := y`' },
  { words: 'read get iget', hint: 'a READ is a get: `y := x^2`' },
  {
    words: 'postsend postlist workrequest wr',
    message: 'work requests are not built and posted: each operation is an instruction',
    hint: 'a WRITE is `x^2 := y`, a READ is `y := x^2`',
  },
  {
    words: 'send isend tsend',
    hint: 'a SEND is `send(2, x)`',
  },
  {
    words: 'recv receive postrecv postsrqrecv irecv trecv',
    hint: 'a receive is posted by `b := recv(1)`, and `pollr(1)` takes its completion',
  },
  {
    words: 'writewithimm writeimm writeimmediate sendwithimm sendimm putimm imm',
    hint: 'a WRITE with an immediate is `x^2 :=[imm] y`; what is told is that it came, and not the value',
  },
  {
    words:
      'fetchadd fetchandadd fetchinc fetchandinc faa fadd atomicadd atomicinc atomicfetchadd atomicfetchandadd',
    hint: 'a fetch-and-add is `a := rfaa(x^2, 1)`; one by the CPU on its own memory is `a := faa(x, 1)`',
  },
  {
    words: 'cmpandswp cmpswp cmpswap compareswap compareandswap atomiccmpandswp atomiccas atomic',
    hint: 'a compare-and-swap is `a := rcas(x^2, 0, 1)`; one by the CPU on its own memory is `a := CAS(x, 0, 1)`',
  },
  {
    words: 'flush persist',
    hint: 'a flush is `flush(x^2)`, and a poll waits for it; `r := cut(x)` finds what a power cut leaves',
  },
  {
    words: 'atomicwrite writeatomic',
    hint: 'an atomic write is a put with a tag: `x^2 :=[atomicwrite] y`',
  },
  {
    words: 'clwb clflush clflushopt',
    message: 'caches that lose data in a power cut are not modelled',
    hint: 'here a store stays as soon as it has left the store buffer',
  },
  {
    words: 'pollcq cqpoll cqread waitcq getcqevent reqnotifycq completion waitcompletion',
    hint: '`poll(2)` waits for the oldest operation towards node 2 that was not polled yet',
  },
  { words: 'sendfence fencesend', hint: 'IBV_SEND_FENCE is a remote fence: `rfence(2)`' },
  {
    words: 'doorbell ringdoorbell ringdb',
    message: 'doorbells are not modelled',
    hint: 'an operation is posted where it stands',
  },
  {
    words: 'inline sendinline signaled unsignaled sendsignaled',
    message: 'flags of work requests are tags of operations',
    hint: '`x^2 :=[inline] r`, and without IBV_SEND_SIGNALED `x^2 :=[unsignalled] y`',
  },
  {
    words: 'solicited sendsolicited',
    message: 'flags of work requests are not written',
    hint: 'what each of them means for a program is in the page on verbs',
  },
  {
    words: 'regmr deregmr allocpd opendevice createqp modifyqp destroyqp createcq connect accept',
    message:
      'set-up is not modelled: memory is registered, and queue pairs are connected, throughout',
    hint: 'leave it out',
  },
];

/** Words of programming languages. */
const LANGUAGE: readonly Entry[] = [
  {
    words: 'fence barrier membar',
    hint: '`mfence` is the fence of the CPU, `rfence(2)` that of operations towards node 2',
  },
  {
    words: 'mb smpmb dmb sfence lfence threadfence atomicthreadfence syncsynchronize',
    hint: '`mfence` is the one fence of the CPU',
  },
  {
    words: 'swap exchange testandset tas cmpxchg',
    hint: 'by the CPU, `a := xchg(x, 1)` and `a := CAS(x, 0, 1)`; by a network card, `a := rxchg(x^2, 1)` and `a := rcas(x^2, 0, 1)`',
  },
  { words: 'lock trylock spinlock', hint: 'a lock is taken by `z := CAS(l, 0, 1); assume(z = 0)`' },
  { words: 'unlock', hint: 'a lock is set free by `l := 0`' },
  {
    words: 'for do repeat until forever',
    hint: 'loops are `while (e) { … }`, `loop { … }` and `loop bound 5 { … }`',
  },
  {
    words: 'break continue return goto',
    hint: 'what is not always run goes into a branch: `if (e) { … }`',
  },
  { words: 'switch case match', hint: 'branches are `if (e) { … } else { … }`' },
  {
    words: 'await waituntil spin',
    hint: '`while (x = 0) { skip }` waits; `assume(a = 1)` leaves out runs in which it is not so',
  },
  { words: 'nop noop pass', hint: 'the instruction that does nothing is `skip`' },
  { words: 'store load mov movl movq', hint: 'a store is `x := 1`, a load is `a := x`' },
  {
    words: 'int long unsigned bool var let const auto uint64t uint32t int64t int32t',
    hint: 'threads declare nothing: a name of no node is private, and any assignment makes it',
  },
  {
    words: 'sleep usleep delay',
    message: 'time is not modelled',
    hint: 'leave it out: anything may take long',
  },
];

const KNOWN: ReadonlyMap<string, Entry> = new Map(
  [...VERBS.map((e) => ({ ...e, hint: `${e.hint}; see docs/verbs.md` })), ...LANGUAGE].flatMap(
    (e) => e.words.split(' ').map((word) => [word, e] as const),
  ),
);

const PREFIXES = /^(?:(?:ibv|ib|rdma|wr|exp|mlx5|fi|ucp|uct|shmem|mpi)_)+/;

/**
 * What to say of an instruction of another language or library, such as `ibv_post_send`; undefined if it is not known.
 */
export function verbHint(name: string): Known | undefined {
  const entry = KNOWN.get(name.toLowerCase().replace(PREFIXES, '').replaceAll('_', ''));
  return entry && { message: entry.message ?? `unknown instruction '${name}'`, hint: entry.hint };
}
