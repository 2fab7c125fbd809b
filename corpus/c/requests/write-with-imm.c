/* RDMA write-with-imm
   "IBV_WR_RDMA_WRITE_WITH_IMM: a write, and it takes a receive, whose buffer stays as it is"

   node client { buf = 5 }
   node server { data = 0; slot = 7 }

   thread run on client { raddr => data }
   thread receiver on server

   exists (seen != 5)  "the receive has completed, the data is missing"
     computed forbidden under rdma-tso, rdma-ro
   exists (slot != 7)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 5, data, slot = 7;

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

void run(struct ibv_qp *qp, uint64_t raddr)
{
    post(qp, IBV_WR_RDMA_WRITE_WITH_IMM, &buf, raddr, 0);
}

void receiver(struct ibv_qp *qp, struct ibv_cq *cq)
{
    post_recv(qp, &slot);
    done(cq);
    uint64_t seen = data;
    (void)seen;
}
