/* RDMA sherman-split-get-one-poll
   "not fixed: the get is there, but the only poll is used up by the put before it"
   source "thustorage/Sherman, issue 23"
   question "A B+tree node is split: its new sibling is put to memory server 2, the completion is awaited, then the pointer to it is put into the parent on memory server 3. Can a client follow the new pointer to old data? Would a polled get from server 2 before the second put help?"

   node writer {}
   node reader {}
   node ms2 { sibling = 0 }
   node ms3 { parent = 0 }

   thread split on writer {
     ms2->qp => ms2 on ms2->cq; ms2->addr => sibling;
     ms3->qp => ms3 on ms3->cq; ms3->addr => parent
   }
   thread lookup on reader {
     ms2->qp => ms2 on ms2->cq; ms2->addr => sibling;
     ms3->qp => ms3 on ms3->cq; ms3->addr => parent
   }

   exists (ptr == 1 && sib == 0)  "new pointer seen, sibling still old"
     computed forbidden under sc
     computed allowed under rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
*/
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct ms {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint64_t addr;
    uint32_t rkey, lkey;
};

static bool rdmaOp(struct ms *ms, enum ibv_wr_opcode opcode, uint64_t *buffer)
{
    struct ibv_sge sg = { (uintptr_t)buffer, sizeof(*buffer), ms->lkey };
    struct ibv_send_wr wr, *wrBad;

    memset(&wr, 0, sizeof(wr));
    wr.sg_list = &sg;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma.remote_addr = ms->addr;
    wr.wr.rdma.rkey = ms->rkey;
    if (ibv_post_send(ms->qp, &wr, &wrBad)) {
        fprintf(stderr, "Send with opcode %d failed.\n", opcode);
        return false;
    }
    return true;
}

static int pollWithCQ(struct ibv_cq *cq, int pollNumber)
{
    struct ibv_wc wc;
    int count = 0;

    do {
        count += ibv_poll_cq(cq, 1, &wc);
    } while (count < pollNumber);
    if (count < 0 || wc.status != IBV_WC_SUCCESS) {
        fprintf(stderr, "Failed status for wr_id %d\n", (int)wc.wr_id);
        return -1;
    }
    return count;
}

static void write_sync(struct ms *ms, uint64_t *buffer)
{
    rdmaOp(ms, IBV_WR_RDMA_WRITE, buffer);
    pollWithCQ(ms->cq, 1);
}

static void read_sync(struct ms *ms, uint64_t *buffer)
{
    rdmaOp(ms, IBV_WR_RDMA_READ, buffer);
    pollWithCQ(ms->cq, 1);
}

void split(struct ms *ms2, struct ms *ms3)
{
    uint64_t sibling = 1, parent = 1, check;

    rdmaOp(ms2, IBV_WR_RDMA_WRITE, &sibling);
    rdmaOp(ms2, IBV_WR_RDMA_READ, &check);
    pollWithCQ(ms2->cq, 1);
    write_sync(ms3, &parent);
}

void lookup(struct ms *ms2, struct ms *ms3)
{
    uint64_t ptr, sib;

    read_sync(ms3, &ptr);
    read_sync(ms2, &sib);
}
