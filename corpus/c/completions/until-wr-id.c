/* RDMA until-wr-id
   "until the completion of one request, named by its wr_id"

   node client { buf = 1; other = 1 }
   node server { x = 0; y = 0 }

   thread run on client { raddr => x, y }

   exists (y == 2)  "the second buffer is used again too early"
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1, other = 1;

static void post(struct ibv_qp *qp, uint64_t id, uint64_t *local, uint64_t remote)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, 0 };
    struct ibv_send_wr *bad, wr = {
        .wr_id = id, .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED,
        .sg_list = &sge, .num_sge = 1, .wr.rdma.remote_addr = remote,
    };

    ibv_post_send(qp, &wr, &bad);
}

void run(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr)
{
    struct ibv_wc wc = { 0 };

    post(qp, 10, &buf, raddr);
    post(qp, 20, &other, raddr + 8);
    while (ibv_poll_cq(cq, 1, &wc) == 0 || wc.wr_id != 20)
        ;
    other = 2;
}
