/* RDMA wr-flush
   "ibv_wr_flush: what was put before it is in memory once it has completed"

   node client { buf = 1; done = 0 }
   node server { data = 0 }

   thread run on client { data_addr => data }
   thread reader on server { done_addr => done }

   exists (told == 1 && seen == 0)
     computed forbidden under rdma-tso, rdma-ro
     computed allowed under rdma-srd
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1, done, data;

static void wait_one(struct ibv_cq *cq)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void run(struct ibv_qp *qp, struct ibv_cq *cq, uint32_t lkey, uint64_t data_addr, uint32_t rkey)
{
    struct ibv_qp_ex *qpx = ibv_qp_to_qp_ex(qp);

    ibv_wr_start(qpx);
    qpx->wr_flags = 0;
    ibv_wr_rdma_write(qpx, rkey, data_addr);
    ibv_wr_set_sge(qpx, lkey, (uintptr_t)&buf, sizeof buf);
    qpx->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_flush(qpx, rkey, data_addr, sizeof buf, IBV_FLUSH_GLOBAL, IBV_FLUSH_RANGE);
    if (ibv_wr_complete(qpx))
        return;
    wait_one(cq);
    done = 1;
}

void reader(struct ibv_qp *qp, struct ibv_cq *cq, uint32_t rkey, uint64_t done_addr)
{
    uint64_t copy = 0;
    struct ibv_sge sge = { (uintptr_t)&copy, sizeof copy, 0 };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_RDMA_READ, .send_flags = IBV_SEND_SIGNALED,
        .sg_list = &sge, .num_sge = 1, .wr.rdma = { done_addr, rkey },
    };

    ibv_post_send(qp, &wr, &bad);
    wait_one(cq);
    uint64_t told = copy;
    uint64_t seen = data;
    (void)told, (void)seen;
}
