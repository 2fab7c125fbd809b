/* RDMA fetch-add
   "atomic_fetch_add: no addition is lost"

   node 1 { lock = 0 }

   thread A = add(1) on 1
   thread B = add(2) on 1

   exists (lock != 3)
     computed forbidden under rdma-tso, x86-tso
   exists (A:old == 0 && B:old == 0)
     computed forbidden under rdma-tso, x86-tso
*/
#include <stdatomic.h>
#include <stdint.h>

_Atomic uint64_t lock;

void add(uint64_t n)
{
    uint64_t old = atomic_fetch_add(&lock, n);
    (void)old;
}
