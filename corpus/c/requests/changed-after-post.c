/* RDMA changed-after-post
   "requests and elements are values: what is changed behind a post is for the next one"

   node client { buf = 1; other = 2 }
   node server { x = 0; y = 0 }

   thread run on client { raddr => x, y }

   exists (x == 2)  "the first write has what was filled in for the second"
     computed forbidden under rdma-tso, rdma-ro
   exists (y != 2)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>

uint64_t buf = 1, other = 2;

void run(struct ibv_qp *qp, uint64_t raddr)
{
    struct ibv_sge sge = { (uintptr_t)&buf, 8, 0 };
    struct ibv_send_wr *bad, wr = { .opcode = IBV_WR_RDMA_WRITE, .sg_list = &sge, .num_sge = 1 };

    wr.wr.rdma.remote_addr = raddr;
    ibv_post_send(qp, &wr, &bad);
    sge.addr = (uintptr_t)&other;
    wr.wr.rdma.remote_addr += 8;
    ibv_post_send(qp, &wr, &bad);
}
