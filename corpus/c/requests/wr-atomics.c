/* RDMA wr-atomics
   "ibv_wr_atomic_fetch_add and ibv_wr_atomic_cmp_swp, in order on one queue pair"

   node client { a = 9; b = 9 }
   node server { count = 4 }

   thread run on client { raddr => count }

   exists (first != 4 || second != 5 || count != 0)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t a = 9, b = 9;

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
    ibv_wr_atomic_fetch_add(qpx, rkey, raddr, 1);
    ibv_wr_set_sge(qpx, lkey, (uintptr_t)&a, 8);
    ibv_wr_atomic_cmp_swp(qpx, rkey, raddr, 5, 0);
    ibv_wr_set_sge(qpx, lkey, (uintptr_t)&b, 8);
    ibv_wr_complete(qpx);
    done(cq);
    done(cq);
    uint64_t first = a, second = b;
    (void)first, (void)second;
}
