/* RDMA unbounded-loop
   "a loop of unknown length"

   node client { more = 3; buf = 1 }
   node server { data = 0 }

   thread run on client { raddr => data }

   exists (data == 2)
     computed forbidden under rdma-tso
*/
#include <infiniband/verbs.h>
#include <stdint.h>

volatile uint64_t more = 3;
uint64_t buf = 1;

static void post(struct ibv_qp *qp, int opcode, uint64_t *local, uint64_t remote, int flags)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .send_flags = flags, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = remote;
    ibv_post_send(qp, &wr, &bad);
}

static void done(struct ibv_cq *cq)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void run(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr)
{
    while (more > 0) {
        post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, IBV_SEND_SIGNALED);
        done(cq);
        more = more - 1;
    }
    buf = 2;
}
