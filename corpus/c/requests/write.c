/* RDMA write
   "IBV_WR_RDMA_WRITE: the card reads the buffer some time after the post"

   node client { buf = 1 }
   node server { data = 0 }

   thread run on client { raddr => data }

   exists (data == 2)  "what is in the buffer later"
     computed allowed under rdma-tso, rdma-ro
     computed forbidden under sc
   exists (data == 0)  "the program does not wait for it, but the write comes"
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
    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, 0);
    buf = 2;
}
