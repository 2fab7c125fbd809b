/* RDMA fence
   "IBV_SEND_FENCE: a write waits for the read before it"

   node client { got = 0; buf = 1 }
   node server { x = 0; y = 0 }

   thread run on client { raddr => x, y }

   exists (a == 1)  "the read finds what a later write brings"
     computed allowed under rdma-tso
   exists (b == 1)  "the same with a fence"
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

void run(struct ibv_qp *qp, uint64_t raddr)
{
    uint64_t a, b;

    post(qp, IBV_WR_RDMA_READ, &a, raddr, 0);
    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, 0);
    post(qp, IBV_WR_RDMA_READ, &b, raddr + 8, 0);
    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr + 8, IBV_SEND_FENCE);
}
