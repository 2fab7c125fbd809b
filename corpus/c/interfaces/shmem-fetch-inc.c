/* RDMA shmem-fetch-inc
   "two PEs take a number from one counter"

   node 0 { a = 0 }
   node 1 { b = 0 }
   node 2 { counter = 0 }

   thread P0 = take() on 0
   thread P1 = take() on 1

   exists (P0:ticket == 0 && P1:ticket == 0)
     expect forbidden under rdma-tso, rdma-ro
*/
#include <assert.h>
#include <shmem.h>
#include <stdint.h>

uint64_t counter;

void take(void)
{
    uint64_t ticket = shmem_uint64_atomic_fetch_inc(&counter, 2);
    (void)ticket;
}
