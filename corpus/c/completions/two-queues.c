/* RDMA two-queues
   "a queue for sends, and one for receives"

   node client { buf = 5; slot = 0 }
   node server { other = 6; in = 0 }

   thread run = exchange(qp, scq, rcq, &buf, &slot) on client { qp => server on scq, rcq }
   thread back = exchange(qp, scq, rcq, &other, &in) on server { qp => client on scq, rcq }

   exists (run:seen != 6)
     computed forbidden under rdma-tso, rdma-ro
   exists (back:seen != 5)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 5, slot, other = 6, in;

static void post(struct ibv_qp *qp, int opcode, uint64_t *local, uint64_t remote, int flags)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .send_flags = flags, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = remote;
    ibv_post_send(qp, &wr, &bad);
}

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

void exchange(struct ibv_qp *qp, struct ibv_cq *scq, struct ibv_cq *rcq, uint64_t *from, uint64_t *to)
{
    post_recv(qp, to);
    post(qp, IBV_WR_SEND, from, 0, IBV_SEND_SIGNALED);
    done(rcq);
    uint64_t seen = *to;
    done(scq);
    (void)seen;
}
