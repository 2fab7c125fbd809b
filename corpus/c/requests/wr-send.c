/* RDMA wr-send
   "ibv_wr_send: the value is read behind ibv_wr_complete"

   node client { buf = 5 }
   node server { slot = 0 }

   thread run on client
   thread receiver on server

   exists (seen == 5)  "what stood there when the request was built"
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 5, slot;

static void post_recv(struct ibv_qp *qp, uint64_t *to)
{
    struct ibv_sge sge = { .addr = (uintptr_t)to, .length = sizeof *to };
    struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };

    ibv_post_recv(qp, &wr, &bad);
}

static void done(struct ibv_cq *cq)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void run(struct ibv_qp_ex *qpx, uint32_t lkey)
{
    ibv_wr_start(qpx);
    qpx->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_send(qpx);
    ibv_wr_set_sge(qpx, lkey, (uintptr_t)&buf, 8);
    buf = 6;
    ibv_wr_complete(qpx);
}

void receiver(struct ibv_qp *qp, struct ibv_cq *cq)
{
    post_recv(qp, &slot);
    done(cq);
    uint64_t seen = slot;
    (void)seen;
}
