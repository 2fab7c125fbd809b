/* RDMA shmem-quiet-contract
   "data to one PE, quiet, and word of it to another"
   note "By the contract, quiet waits until the data is in memory: a get behind it does."

   api shmem contract

   node 0 { src = 1; one = 1 }
   node 1 { data = 0 }
   node 2 { told = 0; copy = 7 }

   thread producer on 0
   thread consumer on 2

   exists (consumer:seen == 0)
     expect forbidden under rdma-tso
*/
#include <assert.h>
#include <shmem.h>
#include <stdint.h>

uint64_t src = 1, one = 1;
uint64_t data, told, copy;

void producer(void)
{
    shmem_put64_nbi(&data, &src, 1, 1);
    shmem_quiet();
    shmem_put64(&told, &one, 1, 2);
}

void consumer(void)
{
    shmem_uint64_wait_until(&told, SHMEM_CMP_EQ, 1);
    uint64_t seen = shmem_uint64_g(&data, 1);
    (void)seen;
}
