import type { Call } from './calls.js';
import { NOTHING, alsoCalled, emitCall, withArguments } from './calls.js';
import type { Core } from './core.js';
import type { Barrier } from './orders.js';
import { fenceFor, orderIn } from './orders.js';
import type { CNode } from './tree.js';

/** Fences: those of C11, of GCC, of the kernel, and of rdma-core (util/udma_barrier.h). */

export function passBarrier(core: Core, [operation, ...tags]: Barrier, node: CNode): void {
  emitCall(core, operation, [], node, { tags: tags.map((tag) => core.ident(tag, node)) });
}

const barrier =
  (...made: Barrier): Call =>
  (core, _, node) => {
    passBarrier(core, made, node);
    return NOTHING;
  };

const fence: Call = (core, [order], node) => {
  const made = fenceFor(orderIn(core, order));
  if (made !== undefined) passBarrier(core, made, node);
  return NOTHING;
};

const nothing: Call = () => NOTHING;

export const BARRIERS = withArguments([
  ...alsoCalled(0, fence, 'atomic_thread_fence __atomic_thread_fence'),
  ...alsoCalled(0, barrier('mfence'), '__sync_synchronize _mm_mfence __builtin_ia32_mfence smp_mb'),
  ['smp_rmb', 0, barrier('dmb', 'ish', 'ld')],
  ['smp_wmb', 0, barrier('dmb', 'ish', 'st')],
  ['mb', 0, barrier('dsb', 'sy')],
  ['rmb', 0, barrier('dsb', 'ld')],
  ...alsoCalled(
    0,
    barrier('dsb', 'st'),
    'wmb mmio_flush_writes mmio_wc_start mmio_ordered_writes_hack',
  ),
  ...alsoCalled(
    0,
    barrier('dmb', 'osh', 'st'),
    'dma_wmb udma_to_device_barrier udma_ordering_write_barrier',
  ),
  ...alsoCalled(0, barrier('dmb', 'osh', 'ld'), 'dma_rmb udma_from_device_barrier'),
  ...alsoCalled(
    0,
    nothing,
    '_mm_sfence _mm_lfence atomic_signal_fence __atomic_signal_fence barrier',
  ),
]);
