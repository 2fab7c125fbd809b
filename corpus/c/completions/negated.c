/* RDMA negated
   "while (!ibv_poll_cq(…)): one completion"

   node client { buf = 1 }
   node server { data = 0 }

   thread run on client { raddr => data }

   exists (data == 2)  "the buffer is used again too early"
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

int run(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr)
{
    struct ibv_wc wc;

    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, IBV_SEND_SIGNALED);
    while (!ibv_poll_cq(cq, 1, &wc))
        ;
    buf = 2;
    return 0;
}
