/* RDMA nccl-multi-send
   "two requests are striped over two queue pairs, each ends with immediate data; the receiver flushes by a read of its own memory"
   question "When all completions are counted and the flush is done, does the consumer on the receiver see every chunk?"
   note "A receive that immediate data has taken covers what came before it on its queue pair, and the receiver counts one for each queue pair. So the flush is not needed for memory of the host under rdma-tso; where a receive says nothing of earlier data (rdma-ro-recvown), a read on a queue pair of its own does not help."

   node sender { a[2] = 1; b[2] = 2; fifo = 0; sizes = 8 }
   node receiver { ra[2] = 0; rb[2] = 0; rsizes = 0; cts = 1; word = 0; ready = 0 }

   thread send = proxy_send(comm) on sender {
     comm->qps[0] => receiver.q0 on comm->cq;  comm->qps[1] => receiver.q1 on comm->cq;
     comm->fifo => fifo;  comm->sizes => sizes;  comm->remSizes => rsizes;
     comm->reqs[0].data => a;  comm->reqs[1].data => b;  comm->remAddr[0] => ra;  comm->remAddr[1] => rb
   }
   thread recv = proxy_recv(comm) on receiver {
     comm->qps[0] => sender.q0 on comm->cq;  comm->qps[1] => sender.q1 on comm->cq;
     comm->flush.qp => receiver on comm->cq;  comm->flush.hostMem => word;  comm->flush.addr => ra;
     comm->fifo => cts;  comm->remFifo => fifo
   }
   thread consumer = consume(ready, ra, rb) on receiver

   exists (consumer:sum != 6)  "a chunk is missing"
     computed forbidden under rdma-tso, rdma-ro
     computed allowed under rdma-ro-recvown
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MAX_RECVS 8
#define MAX_QPS 2
#define NREQS 2

enum { REQ_UNUSED, REQ_SEND, REQ_RECV, REQ_FLUSH };
typedef enum { ncclSuccess = 0, ncclSystemError = 2 } ncclResult_t;
#define NCCLCHECK(call)                \
    do {                               \
        ncclResult_t res = (call);     \
        if (res != ncclSuccess)        \
            return res;                \
    } while (0)

struct ncclIbRequest {
    int type;
    int events;
    int nreqs;
    uint64_t *data;
    int size;
    int offset;
    uint32_t lkey;
};

struct ncclIbFlush {
    struct ibv_qp *qp;
    uint64_t *hostMem;
    uint64_t addr;
    uint32_t lkey, rkey;
};

struct ncclIbComm {
    struct ibv_qp *qps[MAX_QPS];
    struct ibv_cq *cq;
    int nqps;
    int qpIndex;
    uint64_t fifoHead;
    volatile uint64_t *fifo;
    uint64_t remFifo;
    uint64_t remAddr[MAX_RECVS];
    uint64_t *sizes;
    uint64_t remSizes;
    uint32_t rkey;
    uint32_t lkey;
    struct ncclIbRequest reqs[4];
    struct ncclIbFlush flush;
    struct ibv_send_wr wrs[MAX_RECVS + 1];
    struct ibv_sge sges[MAX_RECVS];
};

static ncclResult_t wrap_ibv_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
                                       struct ibv_send_wr **bad_wr)
{
    int ret = ibv_post_send(qp, wr, bad_wr);
    if (ret != 0) {
        fprintf(stderr, "ibv_post_send() failed with error %s\n", strerror(ret));
        return ncclSystemError;
    }
    return ncclSuccess;
}

static ncclResult_t ncclIbMultiSend(struct ncclIbComm *comm, struct ncclIbRequest *reqs, int nreqs)
{
    struct ibv_send_wr *lastWr;
    struct ibv_send_wr *bad_wr;
    uint64_t wr_id = 0;

    for (int r = 0; r < nreqs; r++) {
        struct ibv_send_wr *wr = comm->wrs + r;
        memset(wr, 0, sizeof(struct ibv_send_wr));

        struct ibv_sge *sge = comm->sges + r;
        sge->addr = (uintptr_t)reqs[r].data;
        sge->lkey = reqs[r].lkey;

        wr->opcode = IBV_WR_RDMA_WRITE;
        wr->send_flags = 0;
        wr->wr.rdma.remote_addr = comm->remAddr[r];
        wr->wr.rdma.rkey = comm->rkey;
        wr->next = wr + 1;
        wr_id += (uint64_t)r << (r * 8);
        reqs[r].offset = 0;
    }

    /* The sizes go with the immediate data, behind the last write. */
    lastWr = comm->wrs + nreqs;
    memset(lastWr, 0, sizeof(struct ibv_send_wr));
    struct ibv_sge sizeSge = { (uintptr_t)comm->sizes, sizeof(uint64_t), comm->lkey };
    lastWr->wr.rdma.remote_addr = comm->remSizes;
    lastWr->wr.rdma.rkey = comm->rkey;
    lastWr->sg_list = &sizeSge;
    lastWr->num_sge = 1;
    lastWr->wr_id = wr_id;
    lastWr->opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
    lastWr->imm_data = nreqs;
    lastWr->next = NULL;
    lastWr->send_flags = IBV_SEND_SIGNALED;

    for (int i = 0; i < comm->nqps; i++) {
        int qpIndex = comm->qpIndex;

        for (int r = 0; r < nreqs; r++) {
            int chunkSize = (reqs[r].size + comm->nqps - 1) / comm->nqps;
            int length = reqs[r].size - reqs[r].offset < chunkSize
                             ? reqs[r].size - reqs[r].offset
                             : chunkSize;
            if (length <= 0) {
                comm->wrs[r].sg_list = NULL;
                comm->wrs[r].num_sge = 0;
            } else {
                comm->sges[r].length = length;
                comm->wrs[r].sg_list = comm->sges + r;
                comm->wrs[r].num_sge = 1;
            }
        }

        NCCLCHECK(wrap_ibv_post_send(comm->qps[qpIndex], comm->wrs, &bad_wr));

        for (int r = 0; r < nreqs; r++) {
            int chunkSize = (reqs[r].size + comm->nqps - 1) / comm->nqps;
            reqs[r].offset += chunkSize;
            comm->sges[r].addr += chunkSize;
            comm->wrs[r].wr.rdma.remote_addr += chunkSize;
        }
        comm->qpIndex = (comm->qpIndex + 1) % comm->nqps;
    }
    return ncclSuccess;
}

/* The receiver tells the sender that its buffers are posted. */
static ncclResult_t ncclIbPostFifo(struct ncclIbComm *comm)
{
    struct ibv_sge sge = { (uintptr_t)comm->fifo, sizeof(uint64_t), comm->lkey };
    struct ibv_send_wr wr, *bad_wr;

    memset(&wr, 0, sizeof(wr));
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = IBV_WR_RDMA_WRITE;
    wr.send_flags = IBV_SEND_INLINE;
    wr.wr.rdma.remote_addr = comm->remFifo;
    wr.wr.rdma.rkey = comm->rkey;
    return wrap_ibv_post_send(comm->qps[0], &wr, &bad_wr);
}

static ncclResult_t ncclIbIrecv(struct ncclIbComm *comm, struct ncclIbRequest *req, int id)
{
    struct ibv_recv_wr wr, *bad_wr;

    req->type = REQ_RECV;
    req->events = comm->nqps;
    memset(&wr, 0, sizeof(wr));
    wr.wr_id = id;
    wr.sg_list = NULL;
    wr.num_sge = 0;
    for (int i = 0; i < comm->nqps; i++) {
        if (ibv_post_recv(comm->qps[comm->qpIndex], &wr, &bad_wr))
            return ncclSystemError;
        comm->qpIndex = (comm->qpIndex + 1) % comm->nqps;
    }
    return ncclIbPostFifo(comm);
}

static ncclResult_t ncclIbIflush(struct ncclIbComm *comm, struct ncclIbRequest *req, int id)
{
    struct ibv_sge sge = { (uintptr_t)comm->flush.hostMem, sizeof(uint64_t), comm->flush.lkey };
    struct ibv_send_wr wr, *bad_wr;

    req->type = REQ_FLUSH;
    req->events = 1;
    memset(&wr, 0, sizeof(wr));
    wr.wr_id = id;
    wr.wr.rdma.remote_addr = comm->flush.addr;
    wr.wr.rdma.rkey = comm->flush.rkey;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = IBV_WR_RDMA_READ;
    wr.send_flags = IBV_SEND_SIGNALED;
    return wrap_ibv_post_send(comm->flush.qp, &wr, &bad_wr);
}

static ncclResult_t ncclIbTest(struct ncclIbComm *comm, struct ncclIbRequest *r, int *done)
{
    struct ibv_wc wcs[4];

    *done = 0;
    while (1) {
        if (r->events == 0) {
            *done = 1;
            r->type = REQ_UNUSED;
            return ncclSuccess;
        }
        int wrDone = ibv_poll_cq(comm->cq, 4, wcs);
        if (wrDone < 0)
            return ncclSystemError;
        if (wrDone == 0)
            return ncclSuccess;
        for (int w = 0; w < wrDone; w++) {
            struct ibv_wc *wc = wcs + w;
            if (wc->status != IBV_WC_SUCCESS) {
                fprintf(stderr, "Got completion with error %d, opcode %d\n", wc->status, wc->opcode);
                return ncclSystemError;
            }
            struct ncclIbRequest *req = comm->reqs + (wc->wr_id & 0xff);
            if (req->type == REQ_SEND) {
                for (int j = 0; j < req->nreqs; j++)
                    comm->reqs[(wc->wr_id >> (j * 8)) & 0xff].events--;
            } else {
                req->events--;
            }
        }
    }
}

static ncclResult_t wait_for(struct ncclIbComm *comm, struct ncclIbRequest *req)
{
    int done = 0;

    while (!done)
        NCCLCHECK(ncclIbTest(comm, req, &done));
    return ncclSuccess;
}

int proxy_send(struct ncclIbComm *comm)
{
    comm->nqps = MAX_QPS;
    comm->qpIndex = 0;
    comm->fifoHead = 0;
    for (int r = 0; r < NREQS; r++) {
        comm->reqs[r].type = REQ_SEND;
        comm->reqs[r].nreqs = NREQS;
        comm->reqs[r].size = 16;
        comm->reqs[r].events = comm->nqps;
    }
    while (*comm->fifo != comm->fifoHead + 1)
        ;
    NCCLCHECK(ncclIbMultiSend(comm, comm->reqs, NREQS));
    for (int r = 0; r < NREQS; r++)
        NCCLCHECK(wait_for(comm, &comm->reqs[r]));
    return 0;
}

volatile uint64_t ready;

int proxy_recv(struct ncclIbComm *comm)
{
    comm->nqps = MAX_QPS;
    comm->qpIndex = 0;
    NCCLCHECK(ncclIbIrecv(comm, &comm->reqs[0], 0));
    NCCLCHECK(wait_for(comm, &comm->reqs[0]));
    NCCLCHECK(ncclIbIflush(comm, &comm->reqs[1], 1));
    NCCLCHECK(wait_for(comm, &comm->reqs[1]));
    ready = 1;
    return 0;
}

void consume(volatile uint64_t *ready, uint64_t *ra, uint64_t *rb)
{
    uint64_t sum = 0;

    while (*ready == 0)
        ;
    for (int i = 0; i < 2; i++)
        sum += ra[i] + rb[i];
    (void)sum;
}
