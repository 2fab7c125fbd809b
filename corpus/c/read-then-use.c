/* RDMA read-then-use
   "a value is used before its read has completed"

   node client { val = 5 }
   node server { x = 1 }

   thread fetch on client { x_addr => x }

   exists (seen == 5)  "what stood in the buffer before"
     computed allowed under rdma-tso, rdma-manpage, rdma-sc
*/
#include <infiniband/verbs.h>
#include <stdint.h>

static uint64_t val = 5;

uint64_t fetch(struct ibv_qp *qp, uint32_t lkey, uint64_t x_addr, uint32_t rkey)
{
    struct ibv_sge sge = { .addr = (uintptr_t)&val, .length = 8, .lkey = lkey };
    struct ibv_send_wr *bad, wr = {
        .opcode = IBV_WR_RDMA_READ, .sg_list = &sge, .num_sge = 1,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = { .remote_addr = x_addr, .rkey = rkey },
    };

    if (ibv_post_send(qp, &wr, &bad))
        return 0;
    uint64_t seen = val;
    return seen;
}
