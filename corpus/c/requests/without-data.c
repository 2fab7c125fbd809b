/* RDMA without-data
   "a write without data says when those before it are done; a message without data leaves the buffer of its receive as it is"

   node client { buf = 1 }
   node server { data = 0; slot = 7 }

   thread run on client { raddr => data }
   thread receiver on server

   exists (data == 2)  "the buffer is changed before its write has read it"
     computed forbidden under rdma-tso, rdma-ro
   exists (slot != 7)
     computed forbidden under rdma-tso, rdma-ro
   exists (seen == 0)  "the message has come, the data has not"
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1, data, slot = 7;

static void done(struct ibv_cq *cq)
{
    struct ibv_wc wc;

    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void run(struct ibv_qp *qp, struct ibv_cq *cq, uint64_t raddr, uint32_t rkey)
{
    struct ibv_sge sge = { (uintptr_t)&buf, sizeof buf, 0 };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1, .wr.rdma = { raddr, rkey },
    };

    ibv_post_send(qp, &wr, &bad);
    wr.num_sge = 0;
    wr.send_flags = IBV_SEND_SIGNALED;
    ibv_post_send(qp, &wr, &bad);
    done(cq);
    buf = 2;
    wr.opcode = IBV_WR_SEND;
    ibv_post_send(qp, &wr, &bad);
}

void receiver(struct ibv_qp *qp, struct ibv_cq *cq)
{
    struct ibv_sge sge = { (uintptr_t)&slot, sizeof slot, 0 };
    struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };

    ibv_post_recv(qp, &wr, &bad);
    done(cq);
    uint64_t seen = data;
    (void)seen;
}
