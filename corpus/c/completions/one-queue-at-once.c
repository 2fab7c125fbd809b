/* RDMA one-queue-at-once
   "one queue for two queue pairs, both with work: one completion may be that of either"

   node client { buf = 1; other = 1 }
   node s1 { x = 0 }
   node s2 { y = 0 }

   thread run on client {
     a->qp => s1 on cq; a->raddr => x;
     b->qp => s2 on cq; b->raddr => y
   }

   exists (x == 2)
     computed allowed under rdma-tso, rdma-ro
   exists (y == 2)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

struct peer { struct ibv_qp *qp; uint64_t raddr; };

uint64_t buf = 1, other = 1;

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

void run(struct peer *a, struct peer *b, struct ibv_cq *cq)
{
    post(a->qp, IBV_WR_RDMA_WRITE, &buf, a->raddr, IBV_SEND_SIGNALED);
    post(b->qp, IBV_WR_RDMA_WRITE, &other, b->raddr, IBV_SEND_SIGNALED);
    done(cq);
    buf = 2;
    done(cq);
    other = 2;
}
