/* RDMA fence-is-no-wait
   "a fence is for the card: the thread does not wait"

   node client { buf = 1; one = 1 }
   node server { data = 0; flag = 0 }

   thread run on client { raddr => data, flag }

   exists (data == 2)  "the buffer is changed before the write has read it"
     computed allowed under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1, one = 1;

static void post(struct ibv_qp *qp, int opcode, uint64_t *local, uint64_t remote, int flags)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .send_flags = flags, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = remote;
    ibv_post_send(qp, &wr, &bad);
}

void run(struct ibv_qp *qp, uint64_t raddr)
{
    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, 0);
    post(qp, IBV_WR_RDMA_WRITE, &one, raddr + 8, IBV_SEND_FENCE);
    buf = 2;
}
