/* RDMA put-then-reuse
   "the buffer is used again after the completion"

   node client { buf = 7 }
   node server { data = 0 }

   thread sender on client { raddr => data }

   exists (data == 9)
     computed forbidden under rdma-tso, rdma-sc, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 7;

int sender(struct ibv_qp *qp, struct ibv_cq *cq, uint32_t lkey, uint64_t raddr, uint32_t rkey)
{
    struct ibv_sge sge = { .addr = (uintptr_t)&buf, .length = sizeof buf, .lkey = lkey };
    struct ibv_send_wr wr = { 0 }, *bad;
    struct ibv_wc wc;
    int n;

    wr.opcode = IBV_WR_RDMA_WRITE;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.wr.rdma.remote_addr = raddr;
    wr.wr.rdma.rkey = rkey;
    if (ibv_post_send(qp, &wr, &bad))
        return -1;
    do {
        n = ibv_poll_cq(cq, 1, &wc);
    } while (n == 0);
    if (n < 0 || wc.status != IBV_WC_SUCCESS)
        return -1;
    buf = 9;
    return 0;
}
