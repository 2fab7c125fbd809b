/* RDMA write-lat
   "each side waits for the last byte of what the other writes"
   question "A message of 16 bytes is written, and the receiver polls its last byte. When that has changed, is the rest of the message there?"
   note "Both words are one request. Nothing orders the bytes of one request in memory, except where the device says so (ibv_query_qp_data_in_order): the models leave them open, so the first word may be missing."

   node client { c_first = 1; c_last = 0; c_in = 0; c_in_last = 0 }
   node server { s_first = 1; s_last = 0; s_in = 0; s_in_last = 0 }

   thread C = run_iter_lat_write(ctx, user_param, 1) on client {
     ctx->qp => server;  ctx->buf => c_first, c_last @ 15, c_in @ 64, c_in_last @ 79;
     ctx->rem_addr => s_in, s_in_last @ 15
   }
   thread S = run_iter_lat_write(ctx, user_param, 0) on server {
     ctx->qp => client;  ctx->buf => s_first, s_last @ 15, s_in @ 64, s_in_last @ 79;
     ctx->rem_addr => c_in, c_in_last @ 15
   }

   exists (S:body == 0)  "the last byte is there, the first word is not"
     computed allowed under rdma-tso, rdma-ro
   exists (S:body == 0 || C:body == 0)
     computed allowed under rdma-tso
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>

#define ITERS 1
#define SIZE 16
#define CYCLE_BUFFER 64

enum { SERVER = 0, CLIENT = 1 };
#define SUCCESS 0
#define FAILURE 1

struct pingpong_context {
    struct ibv_qp *qp;
    struct ibv_cq *send_cq;
    struct ibv_mr *mr;
    char *buf;
    uint64_t rem_addr;
    uint32_t rem_rkey;
    struct ibv_sge sge_list;
    struct ibv_send_wr wr;
};

struct perftest_parameters {
    int test_type;
    uint64_t iters;
    int inline_size;
};

#define NOTIFY_COMP_ERROR_SEND(wc, scnt, ccnt)                                                    \
    {                                                                                             \
        fprintf(stderr, " Completion with error at client\n");                                    \
        fprintf(stderr, " Failed status %d: wr_id %d syndrom 0x%x\n", wc.status, (int)wc.wr_id,   \
                wc.vendor_err);                                                                   \
        fprintf(stderr, "scnt=%lu, ccnt=%lu\n", scnt, ccnt);                                      \
    }

static void ctx_set_send_wqes(struct pingpong_context *ctx, struct perftest_parameters *user_param)
{
    ctx->sge_list.addr = (uintptr_t)ctx->buf;
    ctx->sge_list.length = SIZE;
    ctx->sge_list.lkey = ctx->mr->lkey;
    ctx->wr.sg_list = &ctx->sge_list;
    ctx->wr.num_sge = 1;
    ctx->wr.wr_id = 0;
    ctx->wr.next = NULL;
    ctx->wr.opcode = IBV_WR_RDMA_WRITE;
    ctx->wr.send_flags = IBV_SEND_SIGNALED;
    if (SIZE <= user_param->inline_size)
        ctx->wr.send_flags |= IBV_SEND_INLINE;
    ctx->wr.wr.rdma.rkey = ctx->rem_rkey;
    ctx->wr.wr.rdma.remote_addr = ctx->rem_addr;
}

int run_iter_lat_write(struct pingpong_context *ctx, struct perftest_parameters *user_param,
                       int machine)
{
    uint64_t scnt = 0;
    uint64_t ccnt = 0;
    uint64_t rcnt = 0;
    int ne;
    int err;
    struct ibv_send_wr *bad_wr = NULL;
    struct ibv_wc wc;
    volatile char *poll_buf;
    volatile char *post_buf;

    user_param->iters = ITERS;
    user_param->inline_size = 0;
    ctx_set_send_wqes(ctx, user_param);
    post_buf = ctx->buf + SIZE - 1;
    poll_buf = ctx->buf + CYCLE_BUFFER + SIZE - 1;

    while (scnt < user_param->iters || ccnt < user_param->iters || rcnt < user_param->iters) {

        if (rcnt < user_param->iters && !(scnt < 1 && machine == CLIENT)) {
            rcnt++;
            while (*poll_buf != (char)rcnt)
                ;
        }

        if (scnt < user_param->iters) {
            *post_buf = (char)++scnt;
            err = ibv_post_send(ctx->qp, &ctx->wr, &bad_wr);
            if (err) {
                fprintf(stderr, "Couldn't post send: scnt=%lu\n", scnt);
                return 1;
            }
        }

        if (ccnt < user_param->iters) {
            do {
                ne = ibv_poll_cq(ctx->send_cq, 1, &wc);
            } while (ne == 0);

            if (ne > 0) {
                if (wc.status != IBV_WC_SUCCESS) {
                    NOTIFY_COMP_ERROR_SEND(wc, scnt, ccnt);
                    return FAILURE;
                }
                ccnt++;
            } else if (ne < 0) {
                fprintf(stderr, "poll CQ failed %d\n", ne);
                return FAILURE;
            }
        }
    }

    uint64_t body = *(volatile uint64_t *)(ctx->buf + CYCLE_BUFFER);
    (void)body;
    return SUCCESS;
}
