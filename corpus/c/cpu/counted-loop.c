/* RDMA counted-loop
   "a loop whose length is known is written out"

   node client { ring[3] = 0 }
   node server { data[3] = 0 }

   thread run on client { raddr => data }

   exists (data0 != 1 || data1 != 2 || data2 != 3)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t ring[3];

static void post(struct ibv_qp *qp, int opcode, uint64_t *local, uint64_t remote, int flags)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .send_flags = flags, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = remote;
    ibv_post_send(qp, &wr, &bad);
}

void run(struct ibv_qp *qp, uint64_t raddr)
{
    for (int i = 0; i < 3; i++) {
        ring[i] = i + 1;
        post(qp, IBV_WR_RDMA_WRITE, &ring[i], raddr + 8 * i, 0);
    }
}
