/* RDMA put-then-flag
   "data, and a flag behind it on the same queue pair; inline, and with a completion for the flag alone"

   node client {}
   node server { data = 0; flag = 0 }

   thread writer on client { remote->addr => data, flag @ 64 }
   thread reader on server

   exists (reader:seen == 0)  "the flag is seen, the data is missing"
     computed forbidden under rdma-tso, rdma-sc
     computed allowed under rdma-ro, rdma-srd
*/
#include <infiniband/verbs.h>
#include <stdint.h>

struct buffer { uint64_t addr; uint32_t rkey; };

volatile uint64_t data, flag;

static int write_word(struct ibv_qp *qp, uint64_t value, struct buffer *to, uint64_t at, int flags)
{
    struct ibv_sge sge = { (uintptr_t)&value, sizeof value, 0 };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1,
        .send_flags = flags | IBV_SEND_INLINE,
        .wr.rdma = { .remote_addr = to->addr + at, .rkey = to->rkey },
    };

    return ibv_post_send(qp, &wr, &bad);
}

void writer(struct ibv_qp *qp, struct ibv_cq *cq, struct buffer *remote)
{
    struct ibv_wc wc;

    if (write_word(qp, 1, remote, 0, 0) || write_word(qp, 1, remote, 64, IBV_SEND_SIGNALED))
        return;
    while (ibv_poll_cq(cq, 1, &wc) == 0)
        ;
}

void reader(void)
{
    while (!flag)
        ;
    uint64_t seen = data;
    (void)seen;
}
