/* RDMA wr-abort
   "ibv_wr_abort drops what was built since the start"

   node client { buf = 1 }
   node server { data = 0 }

   thread run on client { raddr => data }

   exists (data != 0)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1;

void run(struct ibv_qp_ex *qpx, uint64_t raddr, uint32_t rkey, uint32_t lkey)
{
    ibv_wr_start(qpx);
    qpx->wr_flags = 0;
    ibv_wr_rdma_write(qpx, rkey, raddr);
    ibv_wr_set_sge(qpx, lkey, (uintptr_t)&buf, 8);
    ibv_wr_abort(qpx);
}
