/* RDMA local-flag
   "two threads of one machine: C11 atomics, and a fence"

   node 1 { x = 0; y = 0 }

   thread left on 1
   thread right on 1

   exists (left:a == 0 && right:b == 0)
     computed forbidden under rdma-tso, rdma-sc, x86-tso
*/
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t x, y;

void left(void)
{
    atomic_store(&x, 1);
    uint64_t a = atomic_load_explicit(&y, memory_order_acquire);
    (void)a;
}

void right(void)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    uint64_t b = atomic_load_explicit(&x, memory_order_acquire);
    (void)b;
}
