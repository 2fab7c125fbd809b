/* RDMA deepep-head-poll
   "the receiver polls its put before the barrier: not enough in the models"
   source "deepseek-ai/DeepEP, pull request 310"
   question "At the end of a round a receiver puts its new head index to the sender without waiting, then the buffers are cleaned for the next round. Can the old put land after the cleaning write of the sender's CPU? What wait prevents it?"
   note "The barrier between the rounds is a flag in the receiver's memory, which the sender gets."
   note "Waiting for the completion is what the pull request does. The model allows it because completion of a put means that the data was received, not that it is in memory. No measurement of the papers shows it on present hardware."

   node sender { head = 0 }
   node receiver { arrived = 0 }

   thread recv on receiver { ch->peer_head => head }
   thread clean on sender { ch->peer_arrived => arrived }

   exists (clean:there == 1 && head == 3)  "the old head index survives the cleaning"
     computed forbidden under sc
     computed allowed under rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void ep_check(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "Assertion failed: %s\n", what);
        abort();
    }
}

struct rdma_channel {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint32_t lkey, rkey;
    uint64_t peer_head;
    uint64_t peer_arrived;
};

volatile uint64_t head, arrived;

static void post(struct rdma_channel *ch, enum ibv_wr_opcode opcode, uint64_t *local, uint64_t remote)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, ch->lkey };
    struct ibv_send_wr wr = { 0 }, *bad;

    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma.remote_addr = remote;
    wr.wr.rdma.rkey = ch->rkey;
    ep_check(ibv_post_send(ch->qp, &wr, &bad) == 0, "posted");
}

static void quiet(struct rdma_channel *ch, int outstanding)
{
    struct ibv_wc wc;

    while (outstanding > 0) {
        int n = ibv_poll_cq(ch->cq, 1, &wc);

        ep_check(n >= 0, "polled");
        ep_check(n == 0 || wc.status == IBV_WC_SUCCESS, "completed");
        outstanding -= n;
    }
}

/* The receiver's side: the new head index, then the barrier. */
void recv(struct rdma_channel *ch)
{
    uint64_t new_head = 3;

    post(ch, IBV_WR_RDMA_WRITE, &new_head, ch->peer_head);
    quiet(ch, 1);
    arrived = 1;
}

/* The sender's side: the barrier, then the buffers are cleaned for the next round. */
void clean(struct rdma_channel *ch)
{
    uint64_t there;

    post(ch, IBV_WR_RDMA_READ, &there, ch->peer_arrived);
    quiet(ch, 1);
    if (there != 1)
        return;
    head = 0;
}
