/* RDMA herd-client
   "a client writes requests inline into the server's memory, and polls for the response in its own"
   question "The server polls the opcode of a request, which is its last word. When that is there, are key and value there? Does the client read back what it has put?"
   note "A request is one write of three words. The server relies on the words coming in the order of their addresses; the models (and the manual) promise no order inside one request, so a put may be answered before its value is there."

   node server { r_key = 0; r_value = 0; r_opcode = 0; store = 0 }
   node client { resp_val = 0; resp_seq = 0 }

   thread worker = run_worker(cb, 2) on server {
     cb->conn_qp => client on cb->conn_cq;
     cb->req_buf => r_key, r_value, r_opcode;  cb->store => store;  cb->resp_addr => resp_val, resp_seq
   }
   thread user = run_client(cb) on client {
     cb->conn_qp => server on cb->conn_cq;
     cb->server_addr => r_key, r_value, r_opcode;  cb->resp_buf => resp_val, resp_seq
   }

   exists (user:got != 42)  "the client reads something else than it has put"
     computed allowed under rdma-tso, rdma-ro
*/
#include <assert.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HERD_OP_GET 111
#define HERD_OP_PUT 112
#define UNSIG_BATCH 2
#define UNSIG_BATCH_ (UNSIG_BATCH - 1)

#define CPE(val, msg, err_code)                              \
    if (val) {                                               \
        fprintf(stderr, msg);                                \
        fprintf(stderr, " Error %d \n", err_code);           \
        exit(err_code);                                      \
    }

struct herd_op {
    uint64_t key;
    uint64_t value;
    uint64_t opcode;
};

struct herd_resp {
    uint64_t value;
    uint64_t seq;
};

struct hrd_ctrl_blk {
    struct ibv_qp *conn_qp;
    struct ibv_cq *conn_cq;
    struct ibv_mr *conn_buf_mr;

    volatile struct herd_op *req_buf;
    uint64_t *store;
    uint64_t resp_addr;

    uint64_t server_addr;
    volatile struct herd_resp *resp_buf;
    uint32_t rkey;
};

static void hrd_poll_cq(struct ibv_cq *cq, int num_comps, struct ibv_wc *wc)
{
    int comps = 0;

    while (comps < num_comps) {
        int new_comps = ibv_poll_cq(cq, num_comps - comps, &wc[comps]);
        if (new_comps != 0) {
            if (wc[comps].status != 0) {
                fprintf(stderr, "Bad wc status %d\n", wc[comps].status);
                exit(0);
            }
            comps += new_comps;
        }
    }
}

static void post_inline(struct hrd_ctrl_blk *cb, void *from, uint32_t length, uint64_t to,
                        long long nb_tx)
{
    struct ibv_send_wr wr, *bad_send_wr;
    struct ibv_sge sgl;
    struct ibv_wc wc;
    int ret;

    sgl.addr = (uint64_t)(uintptr_t)from;
    sgl.length = length;

    wr.opcode = IBV_WR_RDMA_WRITE;
    wr.num_sge = 1;
    wr.next = NULL;
    wr.sg_list = &sgl;
    wr.send_flags = (nb_tx & UNSIG_BATCH_) == 0 ? IBV_SEND_SIGNALED : 0;
    if ((nb_tx & UNSIG_BATCH_) == UNSIG_BATCH_)
        hrd_poll_cq(cb->conn_cq, 1, &wc);
    wr.send_flags |= IBV_SEND_INLINE;
    wr.wr.rdma.remote_addr = to;
    wr.wr.rdma.rkey = cb->rkey;

    ret = ibv_post_send(cb->conn_qp, &wr, &bad_send_wr);
    CPE(ret, "ibv_post_send error", ret);
}

void run_worker(struct hrd_ctrl_blk *cb, int num_reqs)
{
    struct herd_resp resp;
    long long nb_tx = 0;

    while (nb_tx < num_reqs) {
        uint64_t opcode = cb->req_buf->opcode;

        /* Nothing there yet. */
        if (opcode < HERD_OP_GET)
            continue;

        if (opcode == HERD_OP_PUT) {
            if (cb->req_buf->key == 7)
                *cb->store = cb->req_buf->value;
            resp.value = 0;
        } else {
            assert(opcode == HERD_OP_GET);
            resp.value = cb->req_buf->key == 7 ? *cb->store : 0;
        }
        cb->req_buf->opcode = 0;

        resp.seq = nb_tx + 1;
        post_inline(cb, &resp, sizeof resp, cb->resp_addr, nb_tx);
        nb_tx++;
    }
}

static uint64_t issue(struct hrd_ctrl_blk *cb, uint64_t opcode, uint64_t key, uint64_t value,
                      long long nb_tx)
{
    struct herd_op req;

    req.key = key;
    req.value = value;
    req.opcode = opcode;
    post_inline(cb, &req, sizeof req, cb->server_addr, nb_tx);

    while (cb->resp_buf->seq != (uint64_t)nb_tx + 1)
        ;
    return cb->resp_buf->value;
}

void run_client(struct hrd_ctrl_blk *cb)
{
    long long nb_tx = 0;

    issue(cb, HERD_OP_PUT, 7, 42, nb_tx++);
    uint64_t got = issue(cb, HERD_OP_GET, 7, 0, nb_tx++);
    printf("got %lu\n", (unsigned long)got);
}
