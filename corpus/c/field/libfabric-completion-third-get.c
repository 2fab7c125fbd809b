/* RDMA libfabric-completion-third-get
   "fixed for a third machine: a get from the target is polled before the flag is set"
   source "ofiwg/libfabric, issue 9651"
   question "A put has been reported complete. Can it be assumed that the data is in the remote memory, for instance when another machine is told so through a flag in the putter's own memory, which it gets?"

   node putter { done = 0 }
   node target { data = 0 }
   node third {}

   thread put on putter { ep->qp => target on ep->cq; target->addr => data }
   thread third_side on third {
     to_putter->qp => putter on to_putter->cq; putter->addr => done;
     to_target->qp => target on to_target->cq; target->addr => data
   }

   exists (told == 1 && seen == 0)  "told that the put is complete, data missing"
     computed forbidden under sc, rdma-sc, rdma-tso, rdma-wait
     computed allowed under rdma-tso-nopcie
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct ep {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint32_t lkey;
};

struct rma_iov {
    uint64_t addr;
    uint32_t key;
};

static void ep_rma(struct ep *ep, enum ibv_wr_opcode op, void *buf, size_t len,
                   const struct rma_iov *rma)
{
    struct ibv_sge sge = { .addr = (uintptr_t)buf, .length = len, .lkey = ep->lkey };
    struct ibv_send_wr *bad, wr = {
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = op,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.rdma = { .remote_addr = rma->addr, .rkey = rma->key },
    };

    if (ibv_post_send(ep->qp, &wr, &bad)) {
        perror("ibv_post_send");
        exit(EXIT_FAILURE);
    }
}

static void ep_write(struct ep *ep, void *buf, size_t len, const struct rma_iov *rma)
{
    ep_rma(ep, IBV_WR_RDMA_WRITE, buf, len, rma);
}

static void ep_read(struct ep *ep, void *buf, size_t len, const struct rma_iov *rma)
{
    ep_rma(ep, IBV_WR_RDMA_READ, buf, len, rma);
}

static void cq_wait(struct ibv_cq *cq, int count)
{
    struct ibv_wc wc;
    int ret;

    while (count > 0) {
        ret = ibv_poll_cq(cq, 1, &wc);
        if (ret < 0 || (ret && wc.status != IBV_WC_SUCCESS)) {
            fprintf(stderr, "completion in error\n");
            exit(EXIT_FAILURE);
        }
        count -= ret;
    }
}

volatile uint64_t data, done;

void put(struct ep *ep, const struct rma_iov *target)
{
    uint64_t one = 1, check;

    ep_write(ep, &one, sizeof one, target);
    ep_read(ep, &check, sizeof check, target);
    cq_wait(ep->cq, 2);
    done = 1;
}

void third_side(struct ep *to_putter, struct ep *to_target, const struct rma_iov *putter,
                const struct rma_iov *target)
{
    uint64_t told, seen;

    ep_read(to_putter, &told, sizeof told, putter);
    cq_wait(to_putter->cq, 1);
    ep_read(to_target, &seen, sizeof seen, target);
    cq_wait(to_target->cq, 1);
}
