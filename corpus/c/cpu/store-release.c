/* RDMA store-release
   "a release store, and loads of any order, are plain accesses"

   node 1 { x = 0; y = 0 }

   thread left on 1
   thread right on 1

   exists (left:a == 0 && right:b == 0)  "each reads before the other's write is seen"
     computed allowed under rdma-tso, x86-tso
*/
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t x, y;

void left(void)
{
    atomic_store_explicit(&x, 1, memory_order_release);
    uint64_t a = atomic_load_explicit(&y, memory_order_seq_cst);
    (void)a;
}

void right(void)
{
    atomic_store_explicit(&y, 1, memory_order_release);
    uint64_t b = atomic_load_explicit(&x, memory_order_seq_cst);
    (void)b;
}
