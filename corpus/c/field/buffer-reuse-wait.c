/* RDMA buffer-reuse-wait
   "fixed: the wait names the put of the message by its wr_id"
   source "the classic of every RDMA course"
   question "A message is put from a local buffer, then the CPU writes the next message into the buffer. Can the peer receive the next message in place of the first? What if a completion is polled, and what if another put was posted before?"
   note "The wait names the request by wr_id: it takes the completions before it, too."

   node app { buf = 1; stats = 7 }
   node peer { msg = 0; log = 0 }

   thread run on app { res->raddr => msg, log @ 8 }

   exists (msg == 2)  "the peer receives the next message"
     computed forbidden under sc, rdma-wait, rdma-tso
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

enum { STATS_WR = 1, MSG_WR };

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

/* Takes completions until that of a request comes. */
static int wait_for(struct resources *res, uint64_t wr_id)
{
    struct ibv_wc wc;
    int n;

    do {
        n = ibv_poll_cq(res->cq, 1, &wc);
        if (n < 0 || (n > 0 && wc.status != IBV_WC_SUCCESS))
            return 1;
    } while (n == 0 || wc.wr_id != wr_id);
    return 0;
}

uint64_t buf = 1, stats = 7;

int run(struct resources *res)
{
    post_write(res, &stats, 8, STATS_WR);
    post_write(res, &buf, 0, MSG_WR);
    if (wait_for(res, MSG_WR))
        return 1;
    buf = 2;
    return 0;
}
