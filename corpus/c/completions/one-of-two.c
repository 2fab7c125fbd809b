/* RDMA one-of-two
   "one completion is that of the first request"

   node client { buf = 1; other = 1 }
   node server { x = 0; y = 0 }

   thread run on client { raddr => x, y }

   exists (x == 2)
     computed forbidden under rdma-tso, rdma-ro
   exists (y == 2)
     computed allowed under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1, other = 1;

static void post(struct ibv_qp *qp, int opcode, uint64_t *local, uint64_t remote, int flags)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .send_flags = flags, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = remote;
    ibv_post_send(qp, &wr, &bad);
}

void run(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr)
{
    struct ibv_wc wc;

    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, IBV_SEND_SIGNALED);
    post(qp, IBV_WR_RDMA_WRITE, &other, raddr + 8, IBV_SEND_SIGNALED);
    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
    buf = 2;
    other = 2;
}
