/* RDMA lock-and-release
   "a compare-and-swap that is tried once; the data is written, and the lock is released behind it"

   node server { lock = 0; value = 0 }
   node a {}
   node b {}

   thread A = update(qp, cq, server, 1) on a { qp => server; server->lock => lock; server->value => value }
   thread B = update(qp, cq, server, 2) on b { qp => server; server->lock => lock; server->value => value }

   exists (A:got == 0 && B:got == 0 && A:before == 0 && B:before == 0)  "both were in, and neither saw the other"
     computed forbidden under rdma-tso, rdma-sc
     computed allowed under rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

struct remote { uint64_t lock, value; uint32_t rkey; };

static void done(struct ibv_cq *cq)
{
    struct ibv_wc wc;
    int n = 0;

    while (n < 1)
        n += ibv_poll_cq(cq, 1, &wc);
}

void update(struct ibv_qp *qp, struct ibv_cq *cq, struct remote *server, uint64_t id)
{
    uint64_t got, before, next, zero = 0;
    struct ibv_sge sge = { .addr = (uintptr_t)&got, .length = sizeof got };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_ATOMIC_CMP_AND_SWP, .sg_list = &sge, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED,
    };

    wr.wr.atomic.remote_addr = server->lock;
    wr.wr.atomic.compare_add = 0;
    wr.wr.atomic.swap = id;
    ibv_post_send(qp, &wr, &bad);
    done(cq);
    if (got != 0)
        return;

    wr.opcode = IBV_WR_RDMA_READ;
    wr.wr.rdma.remote_addr = server->value;
    sge.addr = (uintptr_t)&before;
    ibv_post_send(qp, &wr, &bad);
    done(cq);

    next = id;
    wr.opcode = IBV_WR_RDMA_WRITE;
    sge.addr = (uintptr_t)&next;
    ibv_post_send(qp, &wr, &bad);

    sge.addr = (uintptr_t)&zero;
    wr.wr.rdma.remote_addr = server->lock;
    ibv_post_send(qp, &wr, &bad);
    done(cq);
    done(cq);
}
