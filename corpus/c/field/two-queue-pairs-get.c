/* RDMA two-queue-pairs-get
   "fixed: a get on the queue pair of the data is polled before the signal is posted"
   source "flagos-ai/FlagCX, pull request 461"
   question "Data and signal go to the same peer, but are posted on two different queue pairs. Can the signal be seen before the data?"

   node local {}
   node peer { data = 0; signal = 0 }

   thread put_signal on local {
     bulk->qp => peer.bulk on bulk->cq; ctrl->qp => peer.ctrl on ctrl->cq;
     win->base => data, signal
   }
   thread reader on peer

   exists (s == 1 && d == 0)  "signal seen, data missing"
     computed forbidden under sc, rdma-sc, rdma-tso, rdma-wait
     computed allowed under rdma-tso-nopcie
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>

struct lane {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint32_t lkey;
};

struct window {
    uint64_t base;
    uint32_t rkey;
};

static int lane_post(struct lane *lane, enum ibv_wr_opcode opcode, uint64_t *local, struct window *win,
                     uint64_t offset)
{
    struct ibv_sge sge = { .addr = (uintptr_t)local, .length = sizeof *local, .lkey = lane->lkey };
    struct ibv_send_wr wr = {
        .opcode = opcode,
        .send_flags = IBV_SEND_SIGNALED,
        .sg_list = &sge,
        .num_sge = 1,
        .wr.rdma.remote_addr = win->base + offset,
        .wr.rdma.rkey = win->rkey,
    };
    struct ibv_send_wr *bad;

    return ibv_post_send(lane->qp, &wr, &bad);
}

static int lane_quiet(struct lane *lane, int count)
{
    struct ibv_wc wc;

    while (count > 0) {
        int n = ibv_poll_cq(lane->cq, 1, &wc);

        if (n < 0)
            return n;
        if (n > 0 && wc.status != IBV_WC_SUCCESS) {
            fprintf(stderr, "%s\n", ibv_wc_status_str(wc.status));
            return -1;
        }
        count -= n;
    }
    return 0;
}

int put_signal(struct lane *bulk, struct lane *ctrl, struct window *win)
{
    uint64_t one = 1, check;
    int ret;

    ret = lane_post(bulk, IBV_WR_RDMA_WRITE, &one, win, 0);
    if (ret)
        return ret;
    ret = lane_post(bulk, IBV_WR_RDMA_READ, &check, win, 0);
    if (ret)
        return ret;
    ret = lane_quiet(bulk, 2);
    if (ret)
        return ret;
    return lane_post(ctrl, IBV_WR_RDMA_WRITE, &one, win, 8);
}

volatile uint64_t data, signal;

void reader(void)
{
    uint64_t s = signal;
    uint64_t d = data;

    printf("signal %lu, data %lu\n", (unsigned long)s, (unsigned long)d);
}
