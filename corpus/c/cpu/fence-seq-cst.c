/* RDMA fence-seq-cst
   "a sequentially consistent fence"

   node 1 { x = 0; y = 0 }

   thread left on 1
   thread right on 1

   exists (left:a == 0 && right:b == 0)  "each reads before the other's write is seen"
     computed forbidden under rdma-tso, x86-tso
*/
#include <stdatomic.h>
#include <stdint.h>

volatile uint64_t x, y;

void left(void)
{
    x = 1;
    atomic_thread_fence(memory_order_seq_cst);
    uint64_t a = y;
    (void)a;
}

void right(void)
{
    y = 1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    uint64_t b = x;
    (void)b;
}
