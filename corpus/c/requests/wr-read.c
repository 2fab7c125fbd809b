/* RDMA wr-read
   "ibv_wr_rdma_read, ibv_wr_set_sge"

   node client { got = 7 }
   node server { x = 1 }

   thread run on client { raddr => x }

   exists (late != 1)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t got = 7;

static void done(struct ibv_cq *cq)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void run(struct ibv_qp_ex *qpx, struct ibv_cq *cq, uint64_t raddr, uint32_t rkey, uint32_t lkey)
{
    ibv_wr_start(qpx);
    qpx->wr_id = 1;
    qpx->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_rdma_read(qpx, rkey, raddr);
    ibv_wr_set_sge(qpx, lkey, (uintptr_t)&got, sizeof got);
    ibv_wr_complete(qpx);
    done(cq);
    uint64_t late = got;
    (void)late;
}
