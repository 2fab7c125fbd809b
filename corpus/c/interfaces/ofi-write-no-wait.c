/* RDMA ofi-write-no-wait
   "a write may read its buffer later"

   node client { buf = 1 }
   node server { data = 0 }

   thread send on client { ep => server; to => data }

   exists (data == 9)
     expect allowed under rdma-tso, rdma-ro
*/
#include <rdma/fi_rma.h>
#include <stdint.h>

uint64_t buf = 1;

void send(struct fid_ep *ep, struct fid_cq *cq, uint64_t to, uint64_t key)
{
    fi_write(ep, &buf, 8, NULL, 0, to, key, NULL);
    buf = 9;
}
