/* RDMA libfabric-read-read-flag-first
   "the flag is fetched first, then the value"
   source "ofiwg/libfabric, issue 653"
   question "Two gets on one queue pair fetch a value and a flag, which a remote CPU writes in the order value, flag. Does the order of two reads matter, and which order of the two is safe?"
   note "Two gets of one queue pair may read in either order. The papers report that no run has shown it yet."

   node reader {}
   node owner { val = 0; flag = 0 }

   thread publish on owner
   thread fetch on reader { owner->addr => val, flag @ 64 }

   exists (f == 1 && v == 0)  "flag seen, value old"
     computed forbidden under sc
     computed allowed under rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
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

static void ep_read(struct ep *ep, void *buf, size_t len, const struct rma_iov *rma, uint64_t off,
                    unsigned int flags)
{
    struct ibv_sge sge = { .addr = (uintptr_t)buf, .length = len, .lkey = ep->lkey };
    struct ibv_send_wr *bad, wr = {
        .sg_list = &sge,
        .num_sge = 1,
        .opcode = IBV_WR_RDMA_READ,
        .send_flags = IBV_SEND_SIGNALED | flags,
        .wr.rdma = { .remote_addr = rma->addr + off, .rkey = rma->key },
    };

    if (ibv_post_send(ep->qp, &wr, &bad)) {
        perror("ibv_post_send");
        exit(EXIT_FAILURE);
    }
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

volatile uint64_t val, flag;

void publish(void)
{
    val = 1;
    flag = 1;
}

void fetch(struct ep *ep, const struct rma_iov *owner)
{
    uint64_t f, v;

    ep_read(ep, &f, sizeof f, owner, 64, 0);
    ep_read(ep, &v, sizeof v, owner, 0, 0);
    cq_wait(ep->cq, 2);
}
