/* RDMA multi-rail
   "a transfer is striped over two rails; when all completions are counted, a notification goes out on the first"
   question "The receiver gets the notification. Are all stripes in its memory?"
   note "A completion of a write says that its data has been received, not that it is in memory: only what is on the rail of the notification is in order with it. Where completions mean more (rdma-manpage), all stripes are there. A read on each rail before the notification would help."

   node src { chunk[2] = 1; slip = 1 }
   node dst { area[2] = 0; mailbox = 0 }

   thread push = transfer(x, 2) on src {
     x->rail[0].qp => dst.r0 on x->cq;  x->rail[1].qp => dst.r1 on x->cq;
     x->src => chunk;  x->dst => area;  &x->note => slip
   }
   thread sink = await_transfer(ep, area) on dst { ep->rail[0].qp => src.r0 on ep->cq;  ep->inbox => mailbox }

   exists (sink:sum != 2)  "notified, and a stripe is missing"
     computed allowed under rdma-tso, rdma-ro
     computed forbidden under rdma-manpage
*/
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RAILS 4
#define STRIPE 8
#define MAX_BATCH 4
#define WR_NOTIFY 0x80000000ULL

struct rail {
    struct ibv_qp *qp;
    uint32_t rkey, lkey;
    unsigned posted;
    unsigned completed;
};

struct xfer {
    struct rail rail[MAX_RAILS];
    unsigned nrails;
    struct ibv_cq *cq;
    uint64_t *src;
    uint64_t dst;
    uint64_t note;
    unsigned stripes_left;
    bool notified;
    int error;
};

static int post_stripe(struct xfer *x, unsigned r, size_t offset, size_t length, uint64_t id)
{
    struct rail *rail = &x->rail[r];
    struct ibv_sge sge = {
        .addr = (uintptr_t)x->src + offset,
        .length = length,
        .lkey = rail->lkey,
    };
    struct ibv_send_wr wr = {
        .wr_id = id,
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_WRITE,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma.remote_addr = x->dst + offset,
        .wr.rdma.rkey = rail->rkey,
    };
    struct ibv_send_wr *bad;
    int ret;

    ret = ibv_post_send(rail->qp, &wr, &bad);
    if (ret) {
        fprintf(stderr, "rail %u: post: %s\n", r, strerror(ret));
        return -ret;
    }
    rail->posted++;
    return 0;
}

static int post_notify(struct xfer *x)
{
    struct ibv_sge sge = {
        .addr = (uintptr_t)&x->note,
        .length = sizeof x->note,
        .lkey = x->rail[0].lkey,
    };
    struct ibv_send_wr wr = {
        .wr_id = WR_NOTIFY,
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = IBV_WR_SEND,
        .send_flags = IBV_SEND_SIGNALED | IBV_SEND_SOLICITED,
    };
    struct ibv_send_wr *bad;
    int ret;

    ret = ibv_post_send(x->rail[0].qp, &wr, &bad);
    if (ret) {
        fprintf(stderr, "notification: %s\n", strerror(ret));
        return -ret;
    }
    return 0;
}

static void handle_wc(struct xfer *x, const struct ibv_wc *wc)
{
    if (wc->status != IBV_WC_SUCCESS) {
        fprintf(stderr, "wr %lx: %s (vendor 0x%x)\n", (unsigned long)wc->wr_id,
                ibv_wc_status_str(wc->status), wc->vendor_err);
        x->error = -EIO;
        return;
    }
    if (wc->wr_id & WR_NOTIFY) {
        x->notified = true;
        return;
    }
    x->rail[wc->wr_id % x->nrails].completed++;
    x->stripes_left--;
}

static int progress(struct xfer *x)
{
    struct ibv_wc wc[MAX_BATCH];
    int i, n;

    n = ibv_poll_cq(x->cq, MAX_BATCH, wc);
    if (n < 0) {
        fprintf(stderr, "poll: %d\n", n);
        return x->error = n;
    }
    for (i = 0; i < n; i++)
        handle_wc(x, &wc[i]);
    return x->error ? x->error : n;
}

int transfer(struct xfer *x, unsigned stripes)
{
    unsigned i;
    int ret;

    x->nrails = 2;
    x->stripes_left = stripes;
    x->notified = false;
    x->error = 0;
    for (i = 0; i < x->nrails; i++)
        x->rail[i].posted = x->rail[i].completed = 0;

    for (i = 0; i < stripes; i++) {
        ret = post_stripe(x, i % x->nrails, (size_t)i * STRIPE, STRIPE, i);
        if (ret)
            return ret;
    }

    while (x->stripes_left > 0) {
        ret = progress(x);
        if (ret < 0)
            return ret;
    }

    ret = post_notify(x);
    if (ret)
        return ret;
    while (!x->notified) {
        ret = progress(x);
        if (ret < 0)
            return ret;
    }
    return 0;
}

struct endpoint {
    struct rail rail[MAX_RAILS];
    struct ibv_cq *cq;
    uint64_t *inbox;
};

uint64_t await_transfer(struct endpoint *ep, const uint64_t *area)
{
    struct ibv_sge sge = { .addr = (uintptr_t)ep->inbox, .length = 8, .lkey = ep->rail[0].lkey };
    struct ibv_recv_wr wr = { .wr_id = 1, .sg_list = &sge, .num_sge = 1 }, *bad;
    struct ibv_wc wc;
    uint64_t sum = 0;
    int n, i;

    if (ibv_post_recv(ep->rail[0].qp, &wr, &bad))
        return 0;
    do {
        n = ibv_poll_cq(ep->cq, 1, &wc);
    } while (n == 0);
    if (n < 0 || wc.status != IBV_WC_SUCCESS)
        return 0;

    for (i = 0; i < 2; i++)
        sum += area[i];
    printf("received %lu stripes\n", (unsigned long)sum);
    return sum;
}
