/* RDMA shmem-contexts
   "a fence of one context orders nothing of another"

   node 0 { src = 1; one = 1 }
   node 1 { data = 0; told = 0; apart = 0 }

   thread producer on 0
   thread consumer on 1

   exists (seen_told == 1 && seen == 0)   "the same context, with a fence"
     computed forbidden under rdma-tso
   exists (seen_apart == 1 && seen == 0)  "another context"
     computed allowed under rdma-tso
*/
#include <shmem.h>
#include <stdint.h>

uint64_t src = 1, one = 1;
volatile uint64_t data, told, apart;

void producer(void)
{
    shmem_ctx_t a, b;

    shmem_ctx_create(SHMEM_CTX_PRIVATE, &a);
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &b);
    shmem_ctx_uint64_put_nbi(a, &data, &src, 1, 1);
    shmem_ctx_fence(a);
    shmem_ctx_uint64_put_nbi(a, &told, &one, 1, 1);
    shmem_ctx_uint64_put_nbi(b, &apart, &one, 1, 1);
}

void consumer(void)
{
    uint64_t seen_told = told;
    uint64_t seen_apart = apart;
    uint64_t seen = data;
    (void)seen_told, (void)seen_apart, (void)seen;
}
