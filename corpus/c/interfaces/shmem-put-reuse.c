/* RDMA shmem-put-reuse
   "a blocking put has read its source when it returns"

   node 0 { src = 1 }
   node 1 { data = 0 }

   thread work on 0

   exists (data == 9)
     expect forbidden under rdma-tso, rdma-ro
*/
#include <assert.h>
#include <shmem.h>
#include <stdint.h>

uint64_t src = 1;
uint64_t data;

void work(void)
{
    shmem_put64(&data, &src, 1, 1);
    src = 9;
}
