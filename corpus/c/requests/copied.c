/* RDMA copied
   "a request that is copied, and one that memset has cleared"

   node client { buf = 1 }
   node server { x = 0; y = 0 }

   thread run on client { raddr => x, y }

   exists (x == 0 || y == 0)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <string.h>

uint64_t buf = 1;

void run(struct ibv_qp *qp, uint64_t raddr)
{
    struct ibv_sge sge = { (uintptr_t)&buf, 8, 0 };
    struct ibv_send_wr *bad, wr, again;

    memset(&wr, 0, sizeof wr);
    wr.opcode = IBV_WR_RDMA_WRITE;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.wr.rdma.remote_addr = raddr;
    again = wr;
    again.wr.rdma.remote_addr += 8;
    wr.next = &again;
    ibv_post_send(qp, &wr, &bad);
}
