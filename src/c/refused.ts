import type { Core } from './core.js';
import type { CNode } from './tree.js';

/** Calls and constants that are known, and not understood: what they are, and what to write in their place. */
const REFUSED: readonly (readonly [names: RegExp, what: string, hint: string])[] = [
  [
    /^ibv_(create_srq(_ex)?|post_srq_(recv|ops))$/,
    'receive queues that queue pairs share are not understood: which message takes which buffer is not in the program',
    'post receives to the queue pair: ibv_post_recv',
  ],
  [
    /^ibv_(alloc_mw|bind_mw|wr_(bind_mw|local_inv|send_inv))$/,
    'memory windows are not understood',
    'leave them out: which accesses are allowed is not modelled',
  ],
  [
    /^ibv_wr_(send_tso|set_ud_addr|set_xrc_srqn)$/,
    'only requests of reliable connections are understood',
    'use ibv_wr_send on a queue pair of the type RC',
  ],
  [
    /^(_mm\d*_stream_\w+|__builtin_(ia32_movnt\w*|nontemporal_store))$/,
    'stores around the cache are not understood',
    'write a plain store',
  ],
  [
    /^(__c11_|__)?(atomic|sync)_(fetch_)?(and|or|xor|nand)(_and_fetch|_fetch|_explicit)?$|^__sync_fetch_and_(or|and|xor|nand)$/,
    'atomics on bits are not understood',
    'use a word for each of them, or atomic_fetch_add',
  ],
  [
    /^(pthread|thrd|mtx|cnd|sem|spin)_\w+$/,
    'what threads of a library share and wait for is not understood',
    'each function that the head names is a thread; say in the head what this does: await …, or call … = nothing',
  ],
  [
    /^ib_(post_(send|recv)|poll_cq|process_cq_direct)$|^IB_(WR|SEND|WC)_\w+$/,
    'the verbs of the kernel are not understood',
    'write them as libibverbs has them: IBV_WR_RDMA_WRITE, ibv_post_send, ibv_poll_cq',
  ],
  [
    /^(setjmp|sigsetjmp|longjmp|siglongjmp|signal|sigaction|raise)$/,
    'jumps and signals are not understood',
    'leave the way that is meant',
  ],
  [
    /^rdma_(post|get)_(send|recv|read|write|ud)\w*$/,
    'the verbs of librdmacm are not understood',
    'use ibv_post_send, ibv_post_recv and ibv_poll_cq',
  ],
  [
    /^(shmem_(barrier|sync|team|broadcast|collect|fcollect|alltoall|reduce|set_lock|clear_lock|test_lock)\w*|shmem_\w+_(reduce|to_all)|MPI_(Barrier|Bcast|Reduce|Allreduce|Gather|Allgather|Scatter|Alltoall)\w*)$/,
    'what all machines do together is not understood',
    'let them tell each other by words of memory',
  ],
  [
    /^MPI_Win_(fence|post|start|complete|wait|test)$/,
    'active targets are not understood',
    'use MPI_Win_lock_all and MPI_Win_flush',
  ],
  [/^MPI_Win_lock$/, 'exclusive locks of windows are not understood', 'use MPI_LOCK_SHARED'],
  [
    /^MPI_(I?[SRB]?send|I?recv|Sendrecv)$|^ucp_(tag|am|stream)_\w+$|^fi_(t?(send|recv|inject|senddata)(v|msg)?|(inject_)?writedata)$/,
    'this is not understood: only one-sided operations of this interface are',
    'say in the head what it does: call … = put(…) on …',
  ],
];

/** Ends the reading at a call, or a constant, that is known and not understood. */
export function refuseKnown(core: Core, name: string, node: CNode): void {
  const [, what, hint] = REFUSED.find(([names]) => names.test(name)) ?? [];
  if (what !== undefined) core.refuse(node, what, hint);
}
