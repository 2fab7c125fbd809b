/* RDMA lock-release-same-server-two-gets
   "the next holder gets lock word and value at once"
   source "LOCO paper, §6.2, on Sherman"
   question "A lock protects an update: the holder puts the value, then releases the lock by a put to the lock word, on the same server or on another one. Can the next holder, who saw the release, get the old value? Does a polled get before the release repair it?"
   note "The lock word is 1 while the lock is held."

   node holder {}
   node next_one {}
   node server { lock = 1; value = 0 }

   thread update on holder { s->qp => server; s->value => value; s->lock => lock }
   thread next on next_one { s->qp => server; s->value => value; s->lock => lock }

   exists (l == 0 && v == 0)  "lock seen free, value old"
     computed forbidden under sc
     computed allowed under rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct server {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint64_t value;
    uint64_t lock;
    uint32_t rkey, lkey;
};

static int rdma(struct server *s, enum ibv_wr_opcode op, uint64_t *source, uint64_t dest)
{
    struct ibv_sge sg;
    struct ibv_send_wr wr, *wrBad;

    memset(&sg, 0, sizeof(sg));
    sg.addr = (uintptr_t)source;
    sg.length = sizeof(*source);
    sg.lkey = s->lkey;

    memset(&wr, 0, sizeof(wr));
    wr.sg_list = &sg;
    wr.num_sge = 1;
    wr.opcode = op;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma.remote_addr = dest;
    wr.wr.rdma.rkey = s->rkey;
    if (ibv_post_send(s->qp, &wr, &wrBad)) {
        fprintf(stderr, "Send with opcode %d failed.\n", op);
        return -1;
    }
    return 0;
}

static int pollWithCQ(struct ibv_cq *cq, int pollNumber)
{
    struct ibv_wc wc;
    int count = 0;

    do {
        int n = ibv_poll_cq(cq, 1, &wc);

        if (n < 0 || (n > 0 && wc.status != IBV_WC_SUCCESS)) {
            fprintf(stderr, "Poll Completion failed.\n");
            return -1;
        }
        count += n;
    } while (count < pollNumber);
    return count;
}

void update(struct server *s)
{
    uint64_t value = 1, unlocked = 0;

    rdma(s, IBV_WR_RDMA_WRITE, &value, s->value);
    rdma(s, IBV_WR_RDMA_WRITE, &unlocked, s->lock);
}

void next(struct server *s)
{
    uint64_t l, v;

    rdma(s, IBV_WR_RDMA_READ, &l, s->lock);
    rdma(s, IBV_WR_RDMA_READ, &v, s->value);
    pollWithCQ(s->cq, 2);
}
