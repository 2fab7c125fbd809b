/* RDMA buffer-reuse
   "no poll"
   source "the classic of every RDMA course"
   question "A message is put from a local buffer, then the CPU writes the next message into the buffer. Can the peer receive the next message in place of the first? What if a completion is polled, and what if another put was posted before?"

   node app { buf = 1 }
   node peer { msg = 0 }

   thread run on app { res->raddr => msg }

   exists (msg == 2)  "the peer receives the next message"
     computed forbidden under sc
     computed allowed under rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct resources {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint32_t lkey, rkey;
    uint64_t raddr;
};

static void post_write(struct resources *res, uint64_t *from, uint64_t offset, uint64_t wr_id)
{
    struct ibv_sge sge = { .addr = (uintptr_t)from, .length = sizeof *from, .lkey = res->lkey };
    struct ibv_send_wr *bad_wr, wr = {
        .wr_id = wr_id,
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_WRITE,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = { .remote_addr = res->raddr + offset, .rkey = res->rkey },
    };
    int rc = ibv_post_send(res->qp, &wr, &bad_wr);

    if (rc) {
        fprintf(stderr, "failed to post the write: %d\n", rc);
        exit(1);
    }
}

uint64_t buf = 1;

int run(struct resources *res)
{
    post_write(res, &buf, 0, 1);
    buf = 2;
    return 0;
}
