/* RDMA deepep-head-same-queue-pair
   "fixed without any wait: the barrier flag is put on the same queue pair"
   source "deepseek-ai/DeepEP, pull request 310"
   question "At the end of a round a receiver puts its new head index to the sender without waiting, then the buffers are cleaned for the next round. Can the old put land after the cleaning write of the sender's CPU? What wait prevents it?"
   note "The barrier is a flag in the sender's memory, which the receiver puts."

   node sender { head = 0; arrived = 0 }
   node receiver {}

   thread recv on receiver { ch->peer_head => head; ch->peer_arrived => arrived }
   thread clean on sender

   exists (head == 3)  "the old head index survives the cleaning"
     computed forbidden under sc, rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
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

/* The receiver's side: the new head index, then the barrier. */
void recv(struct rdma_channel *ch)
{
    uint64_t new_head = 3;
    uint64_t one = 1;

    post(ch, IBV_WR_RDMA_WRITE, &new_head, ch->peer_head);
    post(ch, IBV_WR_RDMA_WRITE, &one, ch->peer_arrived);
}

/* The sender's side: the barrier, then the buffers are cleaned for the next round. */
void clean(void)
{
    while (arrived == 0)
        ;
    head = 0;
}
