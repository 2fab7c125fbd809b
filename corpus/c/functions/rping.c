/* RDMA rping
   "a thread takes the completions and posts a semaphore; the main thread waits for it"
   question "The server reads the client's buffer, writes it back, and sends a message when its write is complete. When the client's main thread is told so, is the data there?"
   note "Write and message are on one queue pair; the completion of the receive covers what came before it. The completion thread then changes the state and posts the semaphore, and on TSO the main thread sees both in that order."
   note "With a completion of a receive that says nothing of earlier writes (rdma-ro-recvown), the check can fail."

   node server { s_state = 0; s_sem = 0; s_info = 0; s_go = 1; s_data = 0 }
   node client { c_state = 0; c_sem = 0; c_info = 1; c_ack = 0; start = 5; sink = 0 }

   qp s : server_main, server_cq -> client
   qp s : client_main, client_cq -> server

   thread server_main = rping_setup_wr(cb), rping_test_server(cb) on server {
     cb->qp => client.s;  &cb->state => s_state;  &cb->sem => s_sem;  &cb->recv_buf => s_info;
     &cb->send_buf => s_go;  cb->rdma_buf => s_data;  cb->remote_start => start;  cb->remote_sink => sink }
   thread server_cq = rping_setup_wr(cb), cq_thread(cb, 1) on server {
     cb->qp => client.s;  &cb->state => s_state;  &cb->sem => s_sem;  &cb->recv_buf => s_info }
   thread client_main = rping_setup_wr(cb), rping_test_client(cb) on client {
     cb->qp => server.s;  &cb->state => c_state;  &cb->sem => c_sem;  &cb->recv_buf => c_ack;
     &cb->send_buf => c_info;  cb->start_buf => start;  cb->rdma_buf => sink }
   thread client_cq = rping_setup_wr(cb), cq_thread(cb, 0) on client {
     cb->qp => server.s;  &cb->state => c_state;  &cb->sem => c_sem;  &cb->recv_buf => c_ack }

   exists (client_main:got != 5)  "data mismatch!"
     computed forbidden under rdma-tso, rdma-ro
     computed allowed under rdma-ro-recvown
*/
#include <errno.h>
#include <infiniband/verbs.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum test_state {
    IDLE = 1,
    CONNECTED,
    RDMA_READ_ADV,
    RDMA_READ_COMPLETE,
    RDMA_WRITE_ADV,
    RDMA_WRITE_COMPLETE,
    DISCONNECTED,
    ERROR,
};

struct rping_cb {
    int server;
    struct ibv_comp_channel *channel;
    struct ibv_cq *cq;
    struct ibv_pd *pd;
    struct ibv_qp *qp;

    struct ibv_recv_wr rq_wr;
    struct ibv_sge recv_sgl;
    uint64_t recv_buf;
    struct ibv_mr *recv_mr;

    struct ibv_send_wr sq_wr;
    struct ibv_sge send_sgl;
    uint64_t send_buf;
    struct ibv_mr *send_mr;

    struct ibv_send_wr rdma_sq_wr;
    struct ibv_sge rdma_sgl;
    uint64_t *rdma_buf;
    struct ibv_mr *rdma_mr;

    uint32_t remote_rkey;
    uint64_t remote_start;
    uint64_t remote_sink;

    uint64_t *start_buf;
    struct ibv_mr *start_mr;

    enum test_state state;
    sem_t sem;
};

static int verbose;
#define DEBUG_LOG if (verbose) printf

static void rping_setup_wr(struct rping_cb *cb)
{
    cb->recv_sgl.addr = (uint64_t)(uintptr_t)&cb->recv_buf;
    cb->recv_sgl.length = sizeof cb->recv_buf;
    cb->recv_sgl.lkey = cb->recv_mr->lkey;
    cb->rq_wr.sg_list = &cb->recv_sgl;
    cb->rq_wr.num_sge = 1;
    cb->rq_wr.next = NULL;

    cb->send_sgl.addr = (uint64_t)(uintptr_t)&cb->send_buf;
    cb->send_sgl.length = sizeof cb->send_buf;
    cb->send_sgl.lkey = cb->send_mr->lkey;
    cb->sq_wr.opcode = IBV_WR_SEND;
    cb->sq_wr.send_flags = IBV_SEND_SIGNALED;
    cb->sq_wr.sg_list = &cb->send_sgl;
    cb->sq_wr.num_sge = 1;
    cb->sq_wr.next = NULL;

    cb->rdma_sgl.addr = (uint64_t)(uintptr_t)cb->rdma_buf;
    cb->rdma_sgl.length = sizeof *cb->rdma_buf;
    cb->rdma_sgl.lkey = cb->rdma_mr->lkey;
    cb->rdma_sq_wr.send_flags = IBV_SEND_SIGNALED;
    cb->rdma_sq_wr.sg_list = &cb->rdma_sgl;
    cb->rdma_sq_wr.num_sge = 1;
    cb->rdma_sq_wr.next = NULL;
}

static int server_recv(struct rping_cb *cb, struct ibv_wc *wc)
{
    if (cb->state <= CONNECTED || cb->state == RDMA_WRITE_COMPLETE)
        cb->state = RDMA_READ_ADV;
    else
        cb->state = RDMA_WRITE_ADV;
    return 0;
}

static int client_recv(struct rping_cb *cb, struct ibv_wc *wc)
{
    if (cb->state == RDMA_READ_ADV)
        cb->state = RDMA_WRITE_ADV;
    else
        cb->state = RDMA_WRITE_COMPLETE;
    return 0;
}

static int rping_cq_event_handler(struct rping_cb *cb)
{
    struct ibv_wc wc;
    const struct ibv_recv_wr *bad_wr;
    int ret;
    int flushed = 0;

    while ((ret = ibv_poll_cq(cb->cq, 1, &wc)) == 1) {
        ret = 0;

        if (wc.status) {
            if (wc.status == IBV_WC_WR_FLUSH_ERR) {
                flushed = 1;
                continue;
            }
            fprintf(stderr, "cq completion failed status %d\n", wc.status);
            ret = -1;
            goto error;
        }

        switch (wc.opcode) {
        case IBV_WC_SEND:
            DEBUG_LOG("send completion\n");
            break;

        case IBV_WC_RDMA_WRITE:
            DEBUG_LOG("rdma write completion\n");
            cb->state = RDMA_WRITE_COMPLETE;
            sem_post(&cb->sem);
            break;

        case IBV_WC_RDMA_READ:
            DEBUG_LOG("rdma read completion\n");
            cb->state = RDMA_READ_COMPLETE;
            sem_post(&cb->sem);
            break;

        case IBV_WC_RECV:
            DEBUG_LOG("recv completion\n");
            ret = cb->server ? server_recv(cb, &wc) : client_recv(cb, &wc);
            if (ret) {
                fprintf(stderr, "recv wc error: %d\n", ret);
                goto error;
            }
            ret = ibv_post_recv(cb->qp, &cb->rq_wr, (struct ibv_recv_wr **)&bad_wr);
            if (ret) {
                fprintf(stderr, "post recv error: %d\n", ret);
                goto error;
            }
            sem_post(&cb->sem);
            break;

        default:
            DEBUG_LOG("unknown!!!!! completion\n");
            ret = -1;
            goto error;
        }
    }
    if (ret) {
        fprintf(stderr, "poll error %d\n", ret);
        goto error;
    }
    return flushed;

error:
    cb->state = ERROR;
    sem_post(&cb->sem);
    return ret;
}

void *cq_thread(struct rping_cb *cb, int server)
{
    struct ibv_cq *ev_cq;
    void *ev_ctx;
    int ret;

    cb->server = server;
    while (1) {
        ret = ibv_get_cq_event(cb->channel, &ev_cq, &ev_ctx);
        if (ret) {
            fprintf(stderr, "Failed to get cq event!\n");
            return NULL;
        }
        ret = ibv_req_notify_cq(cb->cq, 0);
        if (ret) {
            fprintf(stderr, "Failed to set notify!\n");
            return NULL;
        }
        ret = rping_cq_event_handler(cb);
        ibv_ack_cq_events(cb->cq, 1);
        if (ret)
            return NULL;
    }
}

int rping_test_server(struct rping_cb *cb)
{
    struct ibv_send_wr *bad_wr;
    struct ibv_recv_wr *bad_recv_wr;
    int ret = 0;

    ret = ibv_post_recv(cb->qp, &cb->rq_wr, &bad_recv_wr);
    if (ret)
        return ret;

    /* Wait for the client's start buffer, and read it. */
    sem_wait(&cb->sem);
    if (cb->state != RDMA_READ_ADV) {
        fprintf(stderr, "wait for RDMA_READ_ADV state %d\n", cb->state);
        return -1;
    }
    cb->rdma_sq_wr.opcode = IBV_WR_RDMA_READ;
    cb->rdma_sq_wr.wr.rdma.rkey = cb->remote_rkey;
    cb->rdma_sq_wr.wr.rdma.remote_addr = cb->remote_start;
    ret = ibv_post_send(cb->qp, &cb->rdma_sq_wr, &bad_wr);
    if (ret) {
        fprintf(stderr, "post send error %d\n", ret);
        return ret;
    }
    sem_wait(&cb->sem);
    if (cb->state != RDMA_READ_COMPLETE) {
        fprintf(stderr, "wait for RDMA_READ_COMPLETE state %d\n", cb->state);
        return -1;
    }

    /* Tell the client to go on, and wait for its sink. */
    ret = ibv_post_send(cb->qp, &cb->sq_wr, &bad_wr);
    if (ret)
        return ret;
    sem_wait(&cb->sem);
    if (cb->state != RDMA_WRITE_ADV) {
        fprintf(stderr, "wait for RDMA_WRITE_ADV state %d\n", cb->state);
        return -1;
    }

    cb->rdma_sq_wr.opcode = IBV_WR_RDMA_WRITE;
    cb->rdma_sq_wr.wr.rdma.remote_addr = cb->remote_sink;
    ret = ibv_post_send(cb->qp, &cb->rdma_sq_wr, &bad_wr);
    if (ret)
        return ret;
    sem_wait(&cb->sem);
    if (cb->state != RDMA_WRITE_COMPLETE) {
        fprintf(stderr, "wait for RDMA_WRITE_COMPLETE state %d\n", cb->state);
        return -1;
    }

    return ibv_post_send(cb->qp, &cb->sq_wr, &bad_wr);
}

int rping_test_client(struct rping_cb *cb)
{
    struct ibv_send_wr *bad_wr;
    struct ibv_recv_wr *bad_recv_wr;
    int ret;

    ret = ibv_post_recv(cb->qp, &cb->rq_wr, &bad_recv_wr);
    if (ret)
        return ret;

    /* Advertise the start buffer. */
    cb->state = RDMA_READ_ADV;
    ret = ibv_post_send(cb->qp, &cb->sq_wr, &bad_wr);
    if (ret) {
        fprintf(stderr, "post send error %d\n", ret);
        return ret;
    }
    sem_wait(&cb->sem);
    if (cb->state != RDMA_WRITE_ADV) {
        fprintf(stderr, "wait for RDMA_WRITE_ADV state %d\n", cb->state);
        return -1;
    }

    /* Advertise the sink. */
    ret = ibv_post_send(cb->qp, &cb->sq_wr, &bad_wr);
    if (ret)
        return ret;
    sem_wait(&cb->sem);
    if (cb->state != RDMA_WRITE_COMPLETE) {
        fprintf(stderr, "wait for RDMA_WRITE_COMPLETE state %d\n", cb->state);
        return -1;
    }

    uint64_t got = *cb->rdma_buf;
    if (got != *cb->start_buf) {
        fprintf(stderr, "data mismatch!\n");
        return -1;
    }
    return 0;
}
