/* RDMA wr-builders
   "ibv_wr_post(3): the source of the first request is overwritten before anything is posted"

   node client { out = 1 }
   node server { data = 0; memo = 0 }

   thread build on client { raddr => data, memo }

   exists (data == 1)  "the value that stood there when the request was built"
     computed forbidden under rdma-tso, rdma-sc
   exists (memo == 2)  "inline data is copied by the setter"
     computed forbidden under rdma-tso, rdma-sc
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t out = 1;

void build(struct ibv_qp_ex *qpx, uint32_t lkey, uint64_t raddr, uint32_t rkey)
{
    ibv_wr_start(qpx);
    qpx->wr_id = 1;
    qpx->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_rdma_write(qpx, rkey, raddr);
    ibv_wr_set_sge(qpx, lkey, (uintptr_t)&out, 8);
    ibv_wr_rdma_write(qpx, rkey, raddr + 8);
    ibv_wr_set_inline_data(qpx, &out, 8);
    out = 2;
    if (ibv_wr_complete(qpx))
        return;
}
