/* RDMA ofi-fetch-add
   "two clients take a number from one counter"

   node 1 { r1 = 7 }
   node 2 { r2 = 7 }
   node server { counter = 0 }

   thread A = take(ep, cq, &r1, at, 0) on 1 { ep => server; at => counter }
   thread B = take(ep, cq, &r2, at, 0) on 2 { ep => server; at => counter }

   exists (r1 == 0 && r2 == 0)
     expect forbidden under rdma-tso, rdma-ro
*/
#include <rdma/fi_rma.h>
#include <stdint.h>

#include <rdma/fi_atomic.h>

uint64_t r1 = 7, r2 = 7;

static void wait_one(struct fid_cq *cq)
{
    struct fi_cq_entry entry;
    ssize_t n;

    do {
        n = fi_cq_read(cq, &entry, 1);
    } while (n == -FI_EAGAIN);
}

void take(struct fid_ep *ep, struct fid_cq *cq, uint64_t *ticket, uint64_t at, uint64_t key)
{
    uint64_t one = 1;

    fi_fetch_atomic(ep, &one, 1, NULL, ticket, NULL, 0, at, key, FI_UINT64, FI_SUM, NULL);
    wait_one(cq);
}
