/* RDMA by-opcode
   "which request it was, by the opcode of its completion"

   node client { buf = 1 }
   node server { x = 0; y = 4 }

   thread run on client { raddr => x, y }

   exists (got != 4)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1;

static void post(struct ibv_qp *qp, int opcode, uint64_t *local, uint64_t remote, int flags)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .send_flags = flags, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = remote;
    ibv_post_send(qp, &wr, &bad);
}

void run(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr)
{
    uint64_t val, got = 0;
    struct ibv_wc wc;

    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, IBV_SEND_SIGNALED);
    post(qp, IBV_WR_RDMA_READ, &val, raddr + 8, IBV_SEND_SIGNALED);
    for (int i = 0; i < 2; i++) {
        while (ibv_poll_cq(cq, 1, &wc) == 0)
            ;
        if (wc.opcode == IBV_WC_RDMA_READ)
            got = val;
    }
    (void)got;
}
