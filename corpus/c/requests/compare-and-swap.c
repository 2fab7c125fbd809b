/* RDMA compare-and-swap
   "IBV_WR_ATOMIC_CMP_AND_SWP: one of two gets the lock"

   node server { lock = 0 }
   node a {}
   node b {}

   thread A = run(qp, cq, raddr, 1) on a { qp => server; raddr => lock }
   thread B = run(qp, cq, raddr, 2) on b { qp => server; raddr => lock }

   exists (A:old == 0 && B:old == 0)  "both have it"
     computed forbidden under rdma-tso, rdma-ro
   exists (A:old != 0 && B:old != 0)  "nobody has it"
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

static void atomic(struct ibv_qp *qp, int opcode, uint64_t *old, uint64_t remote, uint64_t a, uint64_t b)
{
    struct ibv_sge sge = { (uintptr_t)old, sizeof *old, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .sg_list = &sge, .num_sge = 1 };

    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.atomic.remote_addr = remote;
    wr.wr.atomic.compare_add = a;
    wr.wr.atomic.swap = b;
    ibv_post_send(qp, &wr, &bad);
}

static void done(struct ibv_cq *cq)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void run(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr, uint64_t me)
{
    uint64_t old;

    atomic(qp, IBV_WR_ATOMIC_CMP_AND_SWP, &old, raddr, 0, me);
    done(cq);
}
