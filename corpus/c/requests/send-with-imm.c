/* RDMA send-with-imm
   "IBV_WR_SEND_WITH_IMM: a send"

   node client { buf = 5 }
   node server { slot = 0 }

   thread run on client
   thread receiver on server

   exists (seen != 5)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 5, slot;

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

void run(struct ibv_qp *qp)
{
    struct ibv_sge sge = { (uintptr_t)&buf, sizeof buf, 0 };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_SEND_WITH_IMM, .imm_data = 3, .sg_list = &sge, .num_sge = 1,
    };

    ibv_post_send(qp, &wr, &bad);
}

void receiver(struct ibv_qp *qp, struct ibv_cq *cq)
{
    post_recv(qp, &slot);
    done(cq);
    uint64_t seen = slot;
    (void)seen;
}
