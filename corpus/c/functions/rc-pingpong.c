/* RDMA rc-pingpong
   "the main loop of a ping-pong of messages: does each side see what the other has sent?"
   question "Both sides send from the buffer that they receive into. After the loop, does the server's buffer hold what the client sent, and did the client get that back?"
   note "A receive is complete when its data is in memory, and the answer is posted behind that completion: so the answer reads the new data, under all models with messages."

   node server { sbuf = 3 }
   node client { cbuf = 7 }

   thread S = pp_loop(ctx, 2, 1, 0) on server { ctx->qp => client; ctx->buf => sbuf }
   thread C = pp_loop(ctx, 2, 1, 1) on client { ctx->qp => server; ctx->buf => cbuf }

   exists (S:last != 7)  "the server misses the client's message"
     computed forbidden under rdma-tso, rdma-ro
   exists (C:last != 7)  "the server sends back what it had before"
     computed forbidden under rdma-tso, rdma-ro
*/
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    PP_RECV_WRID = 1,
    PP_SEND_WRID = 2,
};

struct pp_context {
    struct ibv_context *context;
    struct ibv_comp_channel *channel;
    struct ibv_pd *pd;
    struct ibv_mr *mr;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    uint64_t *buf;
    int size;
    int send_flags;
    int rx_depth;
    int pending;
};

static int pp_post_recv(struct pp_context *ctx, int n)
{
    struct ibv_sge list = {
        .addr = (uintptr_t)ctx->buf,
        .length = sizeof(uint64_t),
        .lkey = ctx->mr->lkey,
    };
    struct ibv_recv_wr wr = {
        .wr_id = PP_RECV_WRID,
        .sg_list = &list,
        .num_sge = 1,
    };
    struct ibv_recv_wr *bad_wr;
    int i;

    for (i = 0; i < n; ++i)
        if (ibv_post_recv(ctx->qp, &wr, &bad_wr))
            break;

    return i;
}

static int pp_post_send(struct pp_context *ctx)
{
    struct ibv_sge list = {
        .addr = (uintptr_t)ctx->buf,
        .length = sizeof(uint64_t),
        .lkey = ctx->mr->lkey,
    };
    struct ibv_send_wr wr = {
        .wr_id = PP_SEND_WRID,
        .sg_list = &list,
        .num_sge = 1,
        .opcode = IBV_WR_SEND,
        .send_flags = IBV_SEND_SIGNALED,
    };
    struct ibv_send_wr *bad_wr;

    return ibv_post_send(ctx->qp, &wr, &bad_wr);
}

static int parse_single_wc(struct pp_context *ctx, int *scnt, int *rcnt, int *routs, int iters,
                           uint64_t wr_id, enum ibv_wc_status status)
{
    if (status != IBV_WC_SUCCESS) {
        fprintf(stderr, "Failed status %s (%d) for wr_id %d\n", ibv_wc_status_str(status), status,
                (int)wr_id);
        return 1;
    }

    switch ((int)wr_id) {
    case PP_SEND_WRID:
        ++(*scnt);
        break;

    case PP_RECV_WRID:
        if (--(*routs) <= 1) {
            *routs += pp_post_recv(ctx, ctx->rx_depth - *routs);
            if (*routs < ctx->rx_depth) {
                fprintf(stderr, "Couldn't post receive (%d)\n", *routs);
                return 1;
            }
        }

        ++(*rcnt);
        break;

    default:
        fprintf(stderr, "Completion for unknown wr_id %d\n", (int)wr_id);
        return 1;
    }

    ctx->pending &= ~(int)wr_id;
    if (*scnt < iters && !ctx->pending) {
        if (pp_post_send(ctx)) {
            fprintf(stderr, "Couldn't post send\n");
            return 1;
        }
        ctx->pending = PP_RECV_WRID | PP_SEND_WRID;
    }

    return 0;
}

int pp_loop(struct pp_context *ctx, int rx_depth, int iters, int is_client)
{
    int routs;
    int rcnt, scnt;

    ctx->rx_depth = rx_depth;
    routs = pp_post_recv(ctx, ctx->rx_depth);
    if (routs < ctx->rx_depth) {
        fprintf(stderr, "Couldn't post receive (%d)\n", routs);
        return 1;
    }

    ctx->pending = PP_RECV_WRID;

    if (is_client) {
        if (pp_post_send(ctx)) {
            fprintf(stderr, "Couldn't post send\n");
            return 1;
        }
        ctx->pending |= PP_SEND_WRID;
    }

    rcnt = scnt = 0;
    while (rcnt < iters || scnt < iters) {
        int ne, i;
        struct ibv_wc wc[2];

        do {
            ne = ibv_poll_cq(ctx->cq, 2, wc);
            if (ne < 0) {
                fprintf(stderr, "poll CQ failed %d\n", ne);
                return 1;
            }
        } while (ne < 1);

        for (i = 0; i < ne; ++i) {
            if (parse_single_wc(ctx, &scnt, &rcnt, &routs, iters, wc[i].wr_id, wc[i].status)) {
                fprintf(stderr, "parse WC failed\n");
                return 1;
            }
        }
    }

    uint64_t last = *ctx->buf;
    printf("%d iters, last message %" PRIu64 "\n", iters, last);
    return 0;
}
