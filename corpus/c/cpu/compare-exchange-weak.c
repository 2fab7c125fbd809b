/* RDMA compare-exchange-weak
   "a weak compare and exchange may fail though nobody else writes; a loop around it does not"

   node client { count = 0; turn = 0 }
   node server { x = 0 }

   thread run on client

   exists (once == 0)
     computed allowed under rdma-tso, rdma-ro
   exists (turn != 1)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t count, turn;

void run(void)
{
    uint64_t expected = 0;
    int once = atomic_compare_exchange_weak(&count, &expected, 1);

    expected = 0;
    while (!atomic_compare_exchange_weak_explicit(&turn, &expected, expected + 1, memory_order_acq_rel, memory_order_relaxed))
        ;
    (void)once;
}
