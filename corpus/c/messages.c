/* RDMA messages
   "a put, and a message behind it: the completion of the receive covers both"

   node client { out = 5; tag = 1 }
   node server { data = 0; got = 0 }

   thread sender on client { qp => server; raddr => data }
   thread receiver on server { qp => client }

   exists (receiver:seen == 0)
     computed forbidden under rdma-tso, rdma-ro
     computed allowed under rdma-ro-recvown
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t out = 5, tag = 1, data, got;

static void post(struct ibv_qp *qp, int opcode, uint64_t *from, uint64_t raddr, int flags)
{
    struct ibv_sge sge = { (uintptr_t)from, sizeof *from, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = opcode, .sg_list = &sge, .num_sge = 1, .send_flags = flags };

    wr.wr.rdma.remote_addr = raddr;
    ibv_post_send(qp, &wr, &bad);
}

void sender(struct ibv_qp *qp, uint64_t raddr)
{
    post(qp, IBV_WR_RDMA_WRITE, &out, raddr, 0);
    post(qp, IBV_WR_SEND, &tag, 0, IBV_SEND_SIGNALED);
}

void receiver(struct ibv_qp *qp, struct ibv_cq *cq)
{
    struct ibv_sge sge = { .addr = (uintptr_t)&got, .length = 8 };
    struct ibv_recv_wr *bad, wr = { .sg_list = &sge, .num_sge = 1 };
    struct ibv_wc wc;

    ibv_post_recv(qp, &wr, &bad);
    while (ibv_poll_cq(cq, 1, &wc) < 1)
        ;
    uint64_t seen = data;
    (void)seen;
}
