/* RDMA ping-pong-stale
   "the counter that the server waits on starts with a stale 1"
   source "linux-rdma/perftest, pull request 9"
   question "Two nodes answer each other's counters by puts and each waits for its own to change. Can a node see the next number before it has sent its own? Can it see a stale one?"
   note "A real client waits for exactly 1, then for exactly 2: where it sees 2 first, it hangs. The fix is to start from 0, as in ping-pong."
   note "Each write is inline, and its completion is awaited before the next one, as perftest does."

   node server { from_client = 1 }
   node client { from_server = 0 }

   thread server_side on server { ctx->rem_addr => from_server }
   thread client_side on client { ctx->rem_addr => from_client }

   exists (c1 == 2)  "the client sees the second number before it has answered the first"
     computed allowed under sc, rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait

   exists (s1 == 2)  "the server sees the second answer before it has sent the second number"
     computed forbidden under sc, rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait

   exists (s3 != 2)  "after the second answer the server reads an old one"
     computed forbidden under sc, rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
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

volatile uint64_t from_client = 1, from_server;

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

static void sent(struct context *ctx)
{
    struct ibv_wc wc;
    int ne;

    do {
        ne = ibv_poll_cq(ctx->send_cq, 1, &wc);
    } while (ne == 0);
    if (ne < 0 || wc.status != IBV_WC_SUCCESS) {
        fprintf(stderr, "Completion with error\n");
        exit(1);
    }
}

void server_side(struct context *ctx)
{
    uint64_t s1, s2, s3;

    ping(ctx, 1);
    while ((s1 = from_client) == 0)
        ;
    sent(ctx);
    ping(ctx, 2);
    while ((s2 = from_client) < 2)
        ;
    sent(ctx);
    s3 = from_client;
}

void client_side(struct context *ctx)
{
    uint64_t c1, c2;

    while ((c1 = from_server) == 0)
        ;
    ping(ctx, 1);
    sent(ctx);
    while ((c2 = from_server) < 2)
        ;
    ping(ctx, 2);
    sent(ctx);
}
