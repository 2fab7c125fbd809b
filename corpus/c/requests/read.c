/* RDMA read
   "IBV_WR_RDMA_READ: the value is in the buffer when the completion is there"

   node client { got = 7 }
   node server { x = 1 }

   thread run on client { raddr => x }

   exists (early == 7)  "used before"
     computed allowed under rdma-tso, rdma-ro
   exists (late != 1)  "used behind the completion"
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t got = 7;

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
    post(qp, IBV_WR_RDMA_READ, &got, raddr, IBV_SEND_SIGNALED);
    uint64_t early = got;
    done(cq);
    uint64_t late = got;
    (void)early, (void)late;
}
