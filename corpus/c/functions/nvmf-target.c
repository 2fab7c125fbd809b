/* RDMA nvmf-target
   "a target answers a read command: the data by a write, and the response behind it in the same list"
   question "When the host has received the response, is the data in its buffer? And may the target use its data buffer for the next command when the response has completed?"
   note "Write and send are one list on one queue pair; the completion of the host's receive covers the write before it. The target's completion of the send covers the write, too, since requests complete in order."

   node target { cmd = 0; resp[2] = 1; data[2] = 0; disk = 5 }
   node host { sqe = 2; cqe = 0; iobuf = 0 }

   thread T = nvmet_serve(queue) on target {
     queue->qp => host on queue->cq;  queue->cmd_buf => cmd;  queue->disk => disk;
     queue->cqe_buf => resp;  queue->data_buf => data;  queue->host_addr => iobuf
   }
   thread H = host_read(ctrl) on host {
     ctrl->qp => target on ctrl->cq;  ctrl->sqe => sqe;  ctrl->cqe => cqe;  ctrl->iobuf => iobuf
   }

   exists (H:status == 1 && H:word != 5)  "the response is there, the data is not, or it is that of the next command"
     computed forbidden under rdma-tso, rdma-ro
     computed allowed under rdma-ro-recvown
*/
#include <errno.h>
#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))

struct nvmet_rdma_queue;

/* What wr_id points to. */
struct wr_cqe {
    void (*done)(struct nvmet_rdma_queue *queue, struct ibv_wc *wc);
};

struct nvmet_rdma_cmd {
    struct wr_cqe cqe;
    struct ibv_sge sge;
    struct ibv_recv_wr wr;
    uint64_t *buf;
};

enum { NVMET_RDMA_REQ_INVALIDATE_RKEY = 1 << 0 };

struct nvmet_rdma_rsp {
    struct wr_cqe send_cqe;
    struct wr_cqe write_cqe;
    struct ibv_sge send_sge;
    struct ibv_sge data_sge;
    struct ibv_send_wr send_wr;
    struct ibv_send_wr data_wr;
    uint64_t *cqe_buf;
    uint64_t *data_buf;
    uint64_t host_addr;
    uint32_t host_rkey;
    int n_rdma;
    int flags;
    int allocated;
};

struct nvmet_rdma_queue {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint32_t lkey;
    int sq_wr_avail;
    int served;
    int nr_rsps;
    struct nvmet_rdma_cmd *cmd;
    struct nvmet_rdma_rsp *rsps;

    uint64_t *cmd_buf;
    uint64_t *cqe_buf;
    uint64_t *data_buf;
    uint64_t *disk;
    uint64_t host_addr;
    uint32_t host_rkey;
};

static int nvmet_rdma_post_recv(struct nvmet_rdma_queue *queue, struct nvmet_rdma_cmd *cmd)
{
    struct ibv_recv_wr *bad;
    int ret = ibv_post_recv(queue->qp, &cmd->wr, &bad);

    if (ret)
        fprintf(stderr, "post_recv cmd failed: %d\n", ret);
    return ret;
}

static struct nvmet_rdma_rsp *nvmet_rdma_get_rsp(struct nvmet_rdma_queue *queue)
{
    for (int i = 0; i < queue->nr_rsps; i++) {
        struct nvmet_rdma_rsp *rsp = &queue->rsps[i];

        if (!rsp->allocated) {
            rsp->allocated = 1;
            return rsp;
        }
    }
    return NULL;
}

static void nvmet_rdma_put_rsp(struct nvmet_rdma_rsp *rsp)
{
    rsp->allocated = 0;
}

static void nvmet_rdma_release_rsp(struct nvmet_rdma_queue *queue, struct nvmet_rdma_rsp *rsp)
{
    queue->sq_wr_avail += 1 + rsp->n_rdma;
    nvmet_rdma_put_rsp(rsp);
}

static void nvmet_rdma_error_comp(struct nvmet_rdma_queue *queue, const char *what, int status)
{
    fprintf(stderr, "queue %p: %s failed with status %d\n", (void *)queue, what, status);
}

static void nvmet_rdma_send_done(struct nvmet_rdma_queue *queue, struct ibv_wc *wc)
{
    struct nvmet_rdma_rsp *rsp =
        container_of((struct wr_cqe *)(uintptr_t)wc->wr_id, struct nvmet_rdma_rsp, send_cqe);

    nvmet_rdma_release_rsp(queue, rsp);
    if (wc->status != IBV_WC_SUCCESS) {
        nvmet_rdma_error_comp(queue, "SEND for CQE", wc->status);
        return;
    }
    queue->served++;
    /* The buffer is used for the next command. */
    *rsp->data_buf = 9;
}

/* Only failed writes complete: they are not signalled. */
static void nvmet_rdma_write_data_done(struct nvmet_rdma_queue *queue, struct ibv_wc *wc)
{
    if (wc->status != IBV_WC_SUCCESS)
        nvmet_rdma_error_comp(queue, "RDMA WRITE", wc->status);
}

static void nvmet_rdma_init_rsp(struct nvmet_rdma_queue *queue, struct nvmet_rdma_rsp *rsp)
{
    rsp->send_cqe.done = nvmet_rdma_send_done;
    rsp->send_sge.addr = (uintptr_t)rsp->cqe_buf;
    rsp->send_sge.length = sizeof(uint64_t);
    rsp->send_sge.lkey = queue->lkey;
    rsp->send_wr.wr_id = (uintptr_t)&rsp->send_cqe;
    rsp->send_wr.sg_list = &rsp->send_sge;
    rsp->send_wr.num_sge = 1;
    rsp->send_wr.send_flags = IBV_SEND_SIGNALED;
    rsp->host_addr = queue->host_addr;
    rsp->host_rkey = queue->host_rkey;
    rsp->write_cqe.done = nvmet_rdma_write_data_done;
}

/* The writes of the data, chained in front of the response. */
static struct ibv_send_wr *rdma_rw_ctx_wrs(struct nvmet_rdma_queue *queue, struct nvmet_rdma_rsp *rsp,
                                           struct ibv_send_wr *chain_wr)
{
    rsp->data_sge.addr = (uintptr_t)rsp->data_buf;
    rsp->data_sge.length = sizeof(uint64_t);
    rsp->data_sge.lkey = queue->lkey;
    memset(&rsp->data_wr, 0, sizeof rsp->data_wr);
    rsp->data_wr.wr_id = (uintptr_t)&rsp->write_cqe;
    rsp->data_wr.sg_list = &rsp->data_sge;
    rsp->data_wr.num_sge = 1;
    rsp->data_wr.opcode = IBV_WR_RDMA_WRITE;
    rsp->data_wr.wr.rdma.remote_addr = rsp->host_addr;
    rsp->data_wr.wr.rdma.rkey = rsp->host_rkey;
    rsp->data_wr.next = chain_wr;
    return &rsp->data_wr;
}

static void nvmet_rdma_queue_response(struct nvmet_rdma_queue *queue, struct nvmet_rdma_rsp *rsp)
{
    struct ibv_send_wr *first_wr, *bad;

    if (rsp->flags & NVMET_RDMA_REQ_INVALIDATE_RKEY)
        rsp->send_wr.opcode = IBV_WR_SEND_WITH_INV;
    else
        rsp->send_wr.opcode = IBV_WR_SEND;

    if (rsp->n_rdma)
        first_wr = rdma_rw_ctx_wrs(queue, rsp, &rsp->send_wr);
    else
        first_wr = &rsp->send_wr;

    nvmet_rdma_post_recv(queue, queue->cmd);

    if (ibv_post_send(queue->qp, first_wr, &bad))
        nvmet_rdma_release_rsp(queue, rsp);
}

/* The disk puts the block where the write takes it from. */
static void nvmet_execute_read(struct nvmet_rdma_queue *queue, struct nvmet_rdma_rsp *rsp)
{
    *rsp->data_buf = *queue->disk;
    nvmet_rdma_queue_response(queue, rsp);
}

static void nvmet_rdma_recv_done(struct nvmet_rdma_queue *queue, struct ibv_wc *wc)
{
    struct nvmet_rdma_rsp *rsp;

    if (wc->status != IBV_WC_SUCCESS) {
        if (wc->status != IBV_WC_WR_FLUSH_ERR)
            nvmet_rdma_error_comp(queue, "RECV for CMD", wc->status);
        return;
    }

    rsp = nvmet_rdma_get_rsp(queue);
    if (!rsp)
        return nvmet_rdma_error_comp(queue, "a response", ENOMEM);
    rsp->flags = 0;
    rsp->n_rdma = 1;
    queue->sq_wr_avail -= 1 + rsp->n_rdma;
    nvmet_execute_read(queue, rsp);
}

/* Takes completions, and calls their handlers. */
static int process_cq(struct nvmet_rdma_queue *queue, int budget)
{
    struct ibv_wc wcs[16];
    int i, n, completed = 0;

    while ((n = ibv_poll_cq(queue->cq, budget - completed, wcs)) > 0) {
        for (i = 0; i < n; i++) {
            struct ibv_wc *wc = &wcs[i];

            if (wc->wr_id)
                ((struct wr_cqe *)(uintptr_t)wc->wr_id)->done(queue, wc);
        }
        completed += n;
        if (completed >= budget)
            break;
    }
    return completed;
}

static int nvmet_rdma_alloc_cmd(struct nvmet_rdma_queue *queue)
{
    struct nvmet_rdma_cmd *cmd = calloc(1, sizeof(struct nvmet_rdma_cmd));

    if (!cmd)
        return -ENOMEM;
    cmd->buf = queue->cmd_buf;
    cmd->cqe.done = nvmet_rdma_recv_done;
    cmd->sge.addr = (uintptr_t)cmd->buf;
    cmd->sge.length = sizeof(uint64_t);
    cmd->sge.lkey = queue->lkey;
    cmd->wr.wr_id = (uintptr_t)&cmd->cqe;
    cmd->wr.sg_list = &cmd->sge;
    cmd->wr.num_sge = 1;
    queue->cmd = cmd;
    return 0;
}

static int nvmet_rdma_alloc_rsps(struct nvmet_rdma_queue *queue)
{
    queue->nr_rsps = 2;
    queue->rsps = calloc(queue->nr_rsps, sizeof(struct nvmet_rdma_rsp));
    if (!queue->rsps)
        return -ENOMEM;
    for (int i = 0; i < queue->nr_rsps; i++) {
        queue->rsps[i].cqe_buf = queue->cqe_buf + i;
        queue->rsps[i].data_buf = queue->data_buf + i;
        nvmet_rdma_init_rsp(queue, &queue->rsps[i]);
    }
    return 0;
}

int nvmet_serve(struct nvmet_rdma_queue *queue)
{
    queue->served = 0;
    queue->sq_wr_avail = 8;
    if (nvmet_rdma_alloc_cmd(queue) || nvmet_rdma_alloc_rsps(queue))
        return -ENOMEM;
    if (nvmet_rdma_post_recv(queue, queue->cmd))
        return -1;
    while (queue->served == 0)
        process_cq(queue, 16);
    return 0;
}

struct host_ctrl {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    uint64_t *sqe;
    uint64_t *cqe;
    uint64_t *iobuf;
    uint32_t lkey;
};

int host_read(struct host_ctrl *ctrl)
{
    struct ibv_sge cqe = { (uintptr_t)ctrl->cqe, 8, ctrl->lkey };
    struct ibv_sge sqe = { (uintptr_t)ctrl->sqe, 8, ctrl->lkey };
    struct ibv_recv_wr rwr = { .wr_id = 1, .sg_list = &cqe, .num_sge = 1 }, *bad_recv;
    struct ibv_send_wr swr = {
        .wr_id = 2, .sg_list = &sqe, .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED,
    }, *bad_send;
    struct ibv_wc wc;
    int done = 0;

    if (ibv_post_recv(ctrl->qp, &rwr, &bad_recv) || ibv_post_send(ctrl->qp, &swr, &bad_send))
        return -1;
    while (!done) {
        int n = ibv_poll_cq(ctrl->cq, 1, &wc);

        if (n < 0 || (n > 0 && wc.status != IBV_WC_SUCCESS))
            return -1;
        if (n > 0 && wc.wr_id == 1)
            done = 1;
    }
    uint64_t status = *ctrl->cqe;
    uint64_t word = *ctrl->iobuf;
    return status == 1 && word == 5;
}
