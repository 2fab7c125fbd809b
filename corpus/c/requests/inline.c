/* RDMA inline
   "IBV_SEND_INLINE: the call takes the value, and the buffer may be used again"

   node client { buf = 1 }
   node server { data = 0 }

   thread run on client { raddr => data }

   exists (data == 2)
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
    post(qp, IBV_WR_RDMA_WRITE, &buf, raddr, IBV_SEND_INLINE);
    buf = 2;
}
