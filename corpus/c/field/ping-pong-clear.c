/* RDMA ping-pong-clear
   "not fixed: each side clears its own counter, then starts"
   source "linux-rdma/perftest, pull request 9"
   question "Two nodes answer each other's counters by puts and each waits for its own to change. Can a node see the next number before it has sent its own? Can it see a stale one?"
   note "Wrong even if everything happens in order: both sides must have cleared before either sends."

   node server { from_client = 1 }
   node client { from_server = 1 }

   thread server_side on server { ctx->rem_addr => from_server }
   thread client_side on client

   exists (from_server == 0)  "the clearing wipes out the server's first number"
     computed allowed under sc, rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct context {
    struct ibv_qp *qp;
    struct ibv_cq *send_cq;
    uint64_t rem_addr;
    uint32_t rkey;
};

volatile uint64_t from_client = 1, from_server = 1;

/* Writes a number into the other side's counter. It is small enough to go inline. */
static void ping(struct context *ctx, uint64_t number)
{
    struct ibv_sge sge = { (uintptr_t)&number, sizeof number, 0 };
    struct ibv_send_wr *bad_wr, wr = {
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_WRITE,
        .send_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE,
        .wr.rdma = { .remote_addr = ctx->rem_addr, .rkey = ctx->rkey },
    };

    if (ibv_post_send(ctx->qp, &wr, &bad_wr)) {
        fprintf(stderr, "Couldn't post send\n");
        exit(1);
    }
}

void server_side(struct context *ctx)
{
    from_client = 0;
    ping(ctx, 1);
}

void client_side(void)
{
    from_server = 0;
    uint64_t seen = from_server;
    printf("%lu\n", (unsigned long)seen);
}
