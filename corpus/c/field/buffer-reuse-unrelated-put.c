/* RDMA buffer-reuse-unrelated-put
   "not fixed: the poll is for an unrelated put, which was posted before"
   source "the classic of every RDMA course"
   question "A message is put from a local buffer, then the CPU writes the next message into the buffer. Can the peer receive the next message in place of the first? What if a completion is polled, and what if another put was posted before?"

   node app { buf = 1; stats = 7 }
   node peer { msg = 0; log = 0 }

   thread run on app { res->raddr => msg, log @ 8 }

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

static int poll_completion(struct resources *res)
{
    struct ibv_wc wc;
    int n;

    do {
        n = ibv_poll_cq(res->cq, 1, &wc);
    } while (n == 0);
    if (n < 0) {
        fprintf(stderr, "poll CQ failed\n");
        return 1;
    }
    if (wc.status != IBV_WC_SUCCESS) {
        fprintf(stderr, "got bad completion with status 0x%x\n", wc.status);
        return 1;
    }
    return 0;
}

uint64_t buf = 1, stats = 7;

int run(struct resources *res)
{
    post_write(res, &stats, 8, 1);
    post_write(res, &buf, 0, 2);
    if (poll_completion(res))
        return 1;
    buf = 2;
    return 0;
}
