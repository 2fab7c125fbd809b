/* RDMA nccl-flush-get
   "fixed: a get on the data's queue pair is polled before the signal is sent"
   source "aws/aws-ofi-nccl, issue 149"
   question "A receiver has a proxy thread that learns of arrived data and gets from its own side to force earlier writes out before it tells the consumer. When is the consumer sure to see the data, with that get and without it?"
   note "The flush is done at the sender here, on the queue pair of the data. nccl-flush-other-queue-pair has that of the receiver."
   note "The consumer is a CPU here. Memory of a GPU, which has an order of its own, is outside the models."

   node sender {}
   node receiver { data = 0; signal = 0; ready = 0 }

   thread send on sender {
     comm->qp => receiver.data on comm->cq; comm->addr => data;
     ctrl->qp => receiver.ctrl on ctrl->cq; ctrl->addr => signal
   }
   thread proxy on receiver
   thread consumer on receiver

   exists (seen == 0)  "consumer told, data missing"
     computed forbidden under sc, rdma-sc, rdma-tso, rdma-wait
     computed allowed under rdma-tso-nopcie
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef enum { ncclSuccess, ncclSystemError } ncclResult_t;

struct comm {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint64_t addr;
    uint32_t rkey, lkey;
};

static ncclResult_t post(struct comm *comm, enum ibv_wr_opcode opcode, uint64_t *local, uint64_t offset)
{
    struct ibv_send_wr wr, *bad_wr;
    struct ibv_sge sge;

    memset(&wr, 0, sizeof(wr));
    sge.addr = (uintptr_t)local;
    sge.length = sizeof(uint64_t);
    sge.lkey = comm->lkey;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma.remote_addr = comm->addr + offset;
    wr.wr.rdma.rkey = comm->rkey;
    if (ibv_post_send(comm->qp, &wr, &bad_wr)) {
        fprintf(stderr, "NET/IB : ibv_post_send() failed\n");
        return ncclSystemError;
    }
    return ncclSuccess;
}

static ncclResult_t wait_done(struct comm *comm, int events)
{
    struct ibv_wc wc;

    while (events > 0) {
        int done = ibv_poll_cq(comm->cq, 1, &wc);

        if (done < 0 || (done > 0 && wc.status != IBV_WC_SUCCESS)) {
            fprintf(stderr, "NET/IB : Got completion with error %d\n", wc.status);
            return ncclSystemError;
        }
        events -= done;
    }
    return ncclSuccess;
}

volatile uint64_t data, signal, ready;

ncclResult_t send(struct comm *comm, struct comm *ctrl)
{
    uint64_t one = 1, check;

    if (post(comm, IBV_WR_RDMA_WRITE, &one, 0) != ncclSuccess)
        return ncclSystemError;
    if (post(comm, IBV_WR_RDMA_READ, &check, 0) != ncclSuccess)
        return ncclSystemError;
    if (wait_done(comm, 2) != ncclSuccess)
        return ncclSystemError;
    return post(ctrl, IBV_WR_RDMA_WRITE, &one, 0);
}

void proxy(void)
{
    while (signal == 0)
        ;
    ready = 1;
}

void consumer(void)
{
    while (ready == 0)
        ;
    uint64_t seen = data;
    (void)seen;
}
