/* RDMA compare-exchange
   "atomic_compare_exchange_strong: one of two gets the lock, and the other sees who has it"

   node 1 { lock = 0 }

   thread A = enter(1) on 1
   thread B = enter(2) on 1

   exists (A:got == 1 && B:got == 1)  "both"
     computed forbidden under rdma-tso, x86-tso
   exists (A:got == 0 && A:expected != 2)
     computed forbidden under rdma-tso, x86-tso
*/
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t lock;

void enter(uint64_t me)
{
    uint64_t expected = 0;
    uint64_t got = atomic_compare_exchange_strong(&lock, &expected, me);
    (void)got;
}
