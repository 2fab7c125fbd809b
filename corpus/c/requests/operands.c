/* RDMA operands
   "the operands of an atomic are taken by the post"

   node client { want = 1 }
   node server { lock = 0 }

   thread run on client { raddr => lock }

   exists (lock == 2)  "the value that was written behind the post"
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t want = 1;

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

void run(struct ibv_qp *qp, uint64_t raddr)
{
    uint64_t old;

    atomic(qp, IBV_WR_ATOMIC_CMP_AND_SWP, &old, raddr, 0, want);
    want = 2;
}
