/* RDMA count-down
   "while (k > 0) k -= ibv_poll_cq(…): as many as k says"

   node client { buf = 1; other = 1 }
   node server { x = 0; y = 0 }

   thread run on client { raddr => x, y }

   exists (y == 2)  "the second buffer is used again too early"
     computed forbidden under rdma-tso, rdma-ro
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
    int k = 2;

    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, IBV_SEND_SIGNALED);
    post(qp, IBV_WR_RDMA_WRITE, &other, raddr + 8, IBV_SEND_SIGNALED);
    while (k > 0)
        k -= ibv_poll_cq(cq, 1, &wc);
    other = 2;
}
