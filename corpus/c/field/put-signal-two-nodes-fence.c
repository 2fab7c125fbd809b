/* RDMA put-signal-two-nodes-fence
   "not fixed: the signal has a fence flag, which is about its own queue pair"
   source "openshmem-org/specification, issue 206"
   question "Data is put, then a signal, to the same node. Is a fence needed between them for a CPU that sees the signal to see the data? And if data and signal go to different nodes?"

   node pe0 {}
   node pe1 { data = 0 }
   node pe2 { signal = 0 }

   thread put_signal on pe0 {
     pe1->qp => pe1 on pe1->cq; pe1->data => data;
     pe2->qp => pe2 on pe2->cq; pe2->signal => signal
   }
   thread wait_until on pe2 { pe1->qp => pe1 on pe1->cq; pe1->data => data }

   exists (seen == 0)  "signal seen, data missing"
     computed forbidden under sc
     computed allowed under rdma-sc, rdma-tso, rdma-tso-nopcie, rdma-wait
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pe {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint64_t data, signal;
    uint32_t rkey, lkey;
};

static void rma_nbi(struct pe *pe, enum ibv_wr_opcode opcode, uint64_t *local, uint64_t remote, int flags)
{
    struct ibv_sge sge = { (uintptr_t)local, sizeof *local, pe->lkey };
    struct ibv_send_wr *bad_wr, wr;

    memset(&wr, 0, sizeof wr);
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED | flags;
    wr.wr.rdma.remote_addr = remote;
    wr.wr.rdma.rkey = pe->rkey;
    if (ibv_post_send(pe->qp, &wr, &bad_wr)) {
        fprintf(stderr, "ibv_post_send failed\n");
        abort();
    }
}

static void put_nbi(struct pe *pe, uint64_t *source, uint64_t dest, int flags)
{
    rma_nbi(pe, IBV_WR_RDMA_WRITE, source, dest, flags);
}

static void get_nbi(struct pe *pe, uint64_t *dest, uint64_t source)
{
    rma_nbi(pe, IBV_WR_RDMA_READ, dest, source, 0);
}

static void quiet(struct pe *pe, int pending)
{
    struct ibv_wc wc;

    while (pending > 0) {
        int n = ibv_poll_cq(pe->cq, 1, &wc);

        if (n < 0 || (n > 0 && wc.status != IBV_WC_SUCCESS))
            abort();
        pending -= n;
    }
}

void put_signal(struct pe *pe1, struct pe *pe2)
{
    uint64_t one = 1;

    put_nbi(pe1, &one, pe1->data, 0);
    put_nbi(pe2, &one, pe2->signal, IBV_SEND_FENCE);
}

volatile uint64_t signal;

void wait_until(struct pe *pe1)
{
    uint64_t seen;

    while (signal == 0)
        ;
    get_nbi(pe1, &seen, pe1->data);
    quiet(pe1, 1);
}
