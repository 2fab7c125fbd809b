/* RDMA fence-release
   "release and acquire fences are nothing on TSO"

   node 1 { x = 0; y = 0 }

   thread left on 1
   thread right on 1

   exists (left:a == 0 && right:b == 0)  "each reads before the other's write is seen"
     computed allowed under rdma-tso, x86-tso
*/
#include <stdatomic.h>
#include <stdint.h>

volatile uint64_t x, y;

void left(void)
{
    x = 1;
    atomic_thread_fence(memory_order_acq_rel);
    uint64_t a = y;
    (void)a;
}

void right(void)
{
    y = 1;
    atomic_thread_fence(memory_order_acq_rel);
    uint64_t b = x;
    (void)b;
}
