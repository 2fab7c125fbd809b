/* RDMA shmem-nbi-reuse
   "a put that does not block may read its source later"

   node 0 { src = 1 }
   node 1 { data = 0 }

   thread work on 0

   exists (data == 9)
     expect allowed under rdma-tso, rdma-ro
*/
#include <assert.h>
#include <shmem.h>
#include <stdint.h>

uint64_t src = 1;
uint64_t data;

void work(void)
{
    shmem_put64_nbi(&data, &src, 1, 1);
    src = 9;
}
