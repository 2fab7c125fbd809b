/* RDMA rpma-flush
   "a record is written and flushed by a read; then the length of the log is written, and flushed"
   question "Another client reads the length, then the record. Can it see the new length and miss the record? When the last flush is complete, is everything in the server's memory?"
   note "The flush is a read on the queue pair of the writes; its completion is awaited by wr_id. A read waits until earlier writes of its queue pair are in memory (not under rdma-tso-nopcie). The write of the length is behind it in any case: on one queue pair, and with the fence flag."

   node server { record = 0; length = 0; raw = 0 }
   node writer { src = 1; used = 8; scratch = 0; done = 0 }
   node reader {}

   thread append = log_append(conn, src, used, 1) on writer {
     conn->id->qp => server on conn->cq;
     conn->raw_addr => scratch;  conn->dst_addr => record, length @ 64
   }
   thread tail = log_tail(conn) on reader {
     conn->id->qp => server on conn->cq;  conn->dst_addr => record, length @ 64
   }
   thread told = log_told(conn) on server { conn->id->qp => writer on conn->cq;  conn->dst_addr => done }

   exists (tail:len == 8 && tail:rec == 0)  "the length is there, the record is not"
     computed forbidden under rdma-tso, rdma-ro
   exists (told:flushed == 1 && (told:r == 0 || told:l == 0))  "flushed, and not in memory"
     computed forbidden under rdma-tso, rdma-ro
     computed allowed under rdma-tso-nopcie
*/
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RPMA_E_PROVIDER (-100002)
#define RPMA_E_INVAL (-100004)
#define RPMA_E_NO_COMPLETION (-100008)
#define RPMA_F_COMPLETION_ALWAYS 2
#define RPMA_F_COMPLETION_ON_ERROR 1
#define RAW_SIZE 8
#define LENGTH_OFFSET 64

struct rpma_conn {
    struct rdma_cm_id *id;
    struct ibv_cq *cq;
    uint64_t *raw_addr;
    struct ibv_mr *raw_mr;
    uint64_t dst_addr;
    uint32_t rkey;
};

static int rpma_mr_read(struct ibv_qp *qp, void *dst, struct ibv_mr *dst_mr, uint64_t src, uint32_t rkey,
                        size_t len, int flags, const void *op_context)
{
    struct ibv_send_wr wr;
    struct ibv_sge sge;
    struct ibv_send_wr *bad_wr;
    int ret;

    memset(&wr, 0, sizeof wr);
    if (len == 0) {
        wr.sg_list = NULL;
        wr.num_sge = 0;
    } else {
        sge.addr = (uint64_t)(uintptr_t)dst;
        sge.length = (uint32_t)len;
        sge.lkey = dst_mr->lkey;
        wr.sg_list = &sge;
        wr.num_sge = 1;
    }
    wr.wr.rdma.remote_addr = src;
    wr.wr.rdma.rkey = rkey;
    wr.wr_id = (uint64_t)op_context;
    wr.next = NULL;
    wr.opcode = IBV_WR_RDMA_READ;
    wr.send_flags = (flags == RPMA_F_COMPLETION_ALWAYS) ? IBV_SEND_SIGNALED : 0;

    ret = ibv_post_send(qp, &wr, &bad_wr);
    if (ret) {
        fprintf(stderr, "ibv_post_send(src_addr=0x%lx, IBV_WR_RDMA_READ): %s\n", (unsigned long)src,
                strerror(ret));
        return RPMA_E_PROVIDER;
    }
    return 0;
}

static int rpma_mr_write(struct ibv_qp *qp, uint64_t dst, uint32_t rkey, const void *src, uint32_t lkey,
                         size_t len, int flags, const void *op_context, int fence)
{
    struct ibv_send_wr wr;
    struct ibv_sge sge;
    struct ibv_send_wr *bad_wr;
    int ret;

    memset(&wr, 0, sizeof wr);
    sge.addr = (uint64_t)(uintptr_t)src;
    sge.length = (uint32_t)len;
    sge.lkey = lkey;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.wr.rdma.remote_addr = dst;
    wr.wr.rdma.rkey = rkey;
    wr.wr_id = (uint64_t)op_context;
    wr.next = NULL;
    wr.opcode = IBV_WR_RDMA_WRITE;
    if (flags == RPMA_F_COMPLETION_ALWAYS)
        wr.send_flags |= IBV_SEND_SIGNALED;
    if (fence)
        wr.send_flags |= IBV_SEND_FENCE;

    ret = ibv_post_send(qp, &wr, &bad_wr);
    if (ret) {
        fprintf(stderr, "ibv_post_send: %s\n", strerror(ret));
        return RPMA_E_PROVIDER;
    }
    return 0;
}

static int rpma_write(struct rpma_conn *conn, size_t dst_offset, const uint64_t *src, size_t len,
                      int flags, const void *op_context)
{
    if (conn == NULL || src == NULL || flags == 0)
        return RPMA_E_INVAL;
    return rpma_mr_write(conn->id->qp, conn->dst_addr + dst_offset, conn->rkey, src, conn->raw_mr->lkey,
                         len, flags, op_context, 0);
}

/* Eight bytes at once, behind a read that flushes: so with a fence. */
static int rpma_write_atomic(struct rpma_conn *conn, size_t dst_offset, const uint64_t *src, int flags,
                             const void *op_context)
{
    if (dst_offset % 8 != 0)
        return RPMA_E_INVAL;
    return rpma_mr_write(conn->id->qp, conn->dst_addr + dst_offset, conn->rkey, src, conn->raw_mr->lkey,
                         8, flags, op_context, 1);
}

static int rpma_flush(struct rpma_conn *conn, size_t dst_offset, int flags, const void *op_context)
{
    return rpma_mr_read(conn->id->qp, conn->raw_addr, conn->raw_mr, conn->dst_addr + dst_offset,
                        conn->rkey, RAW_SIZE, flags, op_context);
}

static int rpma_read(struct rpma_conn *conn, uint64_t *dst, size_t src_offset, const void *op_context)
{
    return rpma_mr_read(conn->id->qp, dst, conn->raw_mr, conn->dst_addr + src_offset, conn->rkey, 8,
                        RPMA_F_COMPLETION_ALWAYS, op_context);
}

/* Waits for one request, and passes over the completions of others. */
static int wait_for(struct rpma_conn *conn, const void *op_context)
{
    struct ibv_wc wc;
    int ret;

    for (;;) {
        ret = ibv_poll_cq(conn->cq, 1, &wc);
        if (ret == 0)
            continue;
        if (ret < 0)
            return RPMA_E_PROVIDER;
        if (wc.status != IBV_WC_SUCCESS) {
            fprintf(stderr, "operation failed: %s\n", ibv_wc_status_str(wc.status));
            return RPMA_E_NO_COMPLETION;
        }
        if (wc.wr_id == (uint64_t)op_context)
            return 0;
    }
}

#define FLUSH_ID (void *)0xF01D
#define LENGTH_ID (void *)0xBEEF

volatile uint64_t done;

int log_append(struct rpma_conn *conn, const uint64_t *src, const uint64_t *used, int tell)
{
    int ret;

    ret = rpma_write(conn, 0, src, 8, RPMA_F_COMPLETION_ON_ERROR, NULL);
    if (ret)
        goto err;
    ret = rpma_flush(conn, 0, RPMA_F_COMPLETION_ON_ERROR, NULL);
    if (ret)
        goto err;
    ret = rpma_write_atomic(conn, LENGTH_OFFSET, used, RPMA_F_COMPLETION_ALWAYS, LENGTH_ID);
    if (ret)
        goto err;
    ret = rpma_flush(conn, LENGTH_OFFSET, RPMA_F_COMPLETION_ALWAYS, FLUSH_ID);
    if (ret)
        goto err;
    ret = wait_for(conn, FLUSH_ID);
    if (ret)
        goto err;
    if (tell)
        done = 1;
    return 0;

err:
    fprintf(stderr, "append failed: %d\n", ret);
    return ret;
}

int log_tail(struct rpma_conn *conn)
{
    uint64_t len, rec;

    if (rpma_read(conn, &len, LENGTH_OFFSET, FLUSH_ID) || wait_for(conn, FLUSH_ID))
        return -1;
    if (rpma_read(conn, &rec, 0, FLUSH_ID) || wait_for(conn, FLUSH_ID))
        return -1;
    return rec == len;
}

volatile uint64_t record, length;

int log_told(struct rpma_conn *conn)
{
    uint64_t flushed, r, l;

    if (rpma_read(conn, &flushed, 0, FLUSH_ID) || wait_for(conn, FLUSH_ID))
        return -1;
    r = record;
    l = length;
    return flushed && r && l;
}
