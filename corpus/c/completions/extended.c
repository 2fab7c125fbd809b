/* RDMA extended
   "an extended completion queue: one completion at the start of a poll, and one at the next"

   node client { first = 1; second = 1 }
   node server { a = 0; b = 0 }

   thread run on client { raddr => a, b }

   exists (a == 2)
     computed forbidden under rdma-tso, rdma-ro
   exists (b == 2)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t first = 1, second = 1;

static void write_word(struct ibv_qp *qp, uint64_t *from, uint64_t raddr)
{
    struct ibv_sge sge = { (uintptr_t)from, sizeof *from, 0 };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED,
        .sg_list = &sge, .num_sge = 1, .wr.rdma.remote_addr = raddr,
    };

    ibv_post_send(qp, &wr, &bad);
}

void run(struct ibv_qp *qp, struct ibv_cq_ex *cq, uint64_t raddr)
{
    struct ibv_poll_cq_attr attr = {};

    write_word(qp, &first, raddr);
    write_word(qp, &second, raddr + 8);
    while (ibv_start_poll(cq, &attr) == ENOENT)
        ;
    first = 2;
    while (ibv_next_poll(cq) == ENOENT)
        ;
    ibv_end_poll(cq);
    second = 2;
}
