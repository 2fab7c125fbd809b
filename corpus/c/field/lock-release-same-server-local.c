/* RDMA lock-release-same-server-local
   "the next holder is a CPU of the server, which takes the lock by CAS"
   source "LOCO paper, §6.2, on Sherman"
   question "A lock protects an update: the holder puts the value, then releases the lock by a put to the lock word, on the same server or on another one. Can the next holder, who saw the release, get the old value? Does a polled get before the release repair it?"
   note "The lock word is 1 while the lock is held."

   node holder {}
   node server { lock = 1; value = 0 }

   thread update on holder { s->value => value; s->lock => lock }
   thread next on server

   exists (l == 0 && v == 0)  "lock seen free, value old"
     computed forbidden under sc, rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
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

void update(struct server *s)
{
    uint64_t value = 1, unlocked = 0;

    rdma(s, IBV_WR_RDMA_WRITE, &value, s->value);
    rdma(s, IBV_WR_RDMA_WRITE, &unlocked, s->lock);
}

uint64_t lock = 1, value;

void next(void)
{
    uint64_t l = __sync_val_compare_and_swap(&lock, 0, 2);
    uint64_t v = value;

    printf("lock was %lu, value is %lu\n", (unsigned long)l, (unsigned long)v);
}
