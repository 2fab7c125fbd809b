/* RDMA ofi-write-wait
   "a write has read its buffer when it is complete"

   node client { buf = 1 }
   node server { data = 0 }

   thread send on client { ep => server; to => data }

   exists (data == 9)
     expect forbidden under rdma-tso, rdma-ro
*/
#include <rdma/fi_rma.h>
#include <stdint.h>

uint64_t buf = 1;

static void wait_one(struct fid_cq *cq)
{
    struct fi_cq_entry entry;
    ssize_t n;

    do {
        n = fi_cq_read(cq, &entry, 1);
    } while (n == -FI_EAGAIN);
}

void send(struct fid_ep *ep, struct fid_cq *cq, uint64_t to, uint64_t key)
{
    fi_write(ep, &buf, 8, NULL, 0, to, key, NULL);
    wait_one(cq);
    buf = 9;
}
