/* RDMA exchange
   "an exchange is a fence, too"

   node 1 { x = 0; y = 0 }

   thread left on 1
   thread right on 1

   exists (left:a == 0 && right:b == 0)
     computed forbidden under rdma-tso, x86-tso
*/
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t x, y;

void left(void)
{
    atomic_exchange(&x, 1);
    uint64_t a = atomic_load_explicit(&y, memory_order_relaxed);
    (void)a;
}

void right(void)
{
    __atomic_exchange_n(&y, 1, __ATOMIC_RELAXED);
    uint64_t b = atomic_load_explicit(&x, memory_order_relaxed);
    (void)b;
}
