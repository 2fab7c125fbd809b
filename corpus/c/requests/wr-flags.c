/* RDMA wr-flags
   "wr_flags hold for the builders that follow: both writes complete"

   node client { buf = 1; other = 1 }
   node server { x = 0; y = 0 }

   thread run on client { raddr => x, y }

   exists (y == 2)  "the second buffer is used again behind two completions"
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1, other = 1;

static void done(struct ibv_cq *cq)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void run(struct ibv_qp_ex *qpx, struct ibv_cq *cq, uint64_t raddr, uint32_t rkey, uint32_t lkey)
{
    ibv_wr_start(qpx);
    qpx->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_rdma_write(qpx, rkey, raddr);
    ibv_wr_set_sge(qpx, lkey, (uintptr_t)&buf, 8);
    ibv_wr_rdma_write(qpx, rkey, raddr + 8);
    ibv_wr_set_sge(qpx, lkey, (uintptr_t)&other, 8);
    ibv_wr_complete(qpx);
    done(cq);
    done(cq);
    other = 2;
}
