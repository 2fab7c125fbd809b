/* RDMA rpma-read-flushes-other
   "fixed: a get of some other location of the same node"
   source "pmem/rpma, issues 1009 and 1665"
   question "Several puts whose completions nobody waits for are followed by a get on the same queue pair, and the completion of the get is awaited. Are the puts in memory now? Must the get read one of the locations that were put, or will any location of that node do?"

   node client { done = 0; one = 1 }
   node server { x = 0; y = 0; z = 0 }

   thread client_side on client { dst->raddr => x, y @ 64, z @ 128 }
   thread server_side on server { src->raddr => done }

   exists (told == 1 && (vx == 0 || vy == 0))  "told that all is stored, a put is missing"
     computed forbidden under sc, rdma-sc, rdma-tso, rdma-wait
     computed allowed under rdma-tso-nopcie
*/
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RPMA_E_PROVIDER (-100002)

struct rpma_conn {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
};

struct rpma_mr_remote {
    uint64_t raddr;
    uint32_t rkey;
};

static int rpma_post(struct rpma_conn *conn, enum ibv_wr_opcode opcode, void *local, uint64_t raddr,
                     uint32_t rkey, uint64_t op_context)
{
    struct ibv_send_wr wr, *bad_wr;
    struct ibv_sge sge;

    sge.addr = (uint64_t)(uintptr_t)local;
    sge.length = 8;
    sge.lkey = 0;
    memset(&wr, 0, sizeof wr);
    wr.wr_id = op_context;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.wr.rdma.remote_addr = raddr;
    wr.wr.rdma.rkey = rkey;
    return ibv_post_send(conn->qp, &wr, &bad_wr) ? RPMA_E_PROVIDER : 0;
}

static int rpma_write(struct rpma_conn *conn, struct rpma_mr_remote *dst, size_t dst_offset, void *src,
                      uint64_t op_context)
{
    return rpma_post(conn, IBV_WR_RDMA_WRITE, src, dst->raddr + dst_offset, dst->rkey, op_context);
}

static int rpma_read(struct rpma_conn *conn, void *dst, struct rpma_mr_remote *src, size_t src_offset,
                     uint64_t op_context)
{
    return rpma_post(conn, IBV_WR_RDMA_READ, dst, src->raddr + src_offset, src->rkey, op_context);
}

static int rpma_conn_completion_wait(struct rpma_conn *conn, struct ibv_wc *wc)
{
    int result;

    do {
        result = ibv_poll_cq(conn->cq, 1, wc);
    } while (result == 0);
    if (result < 0 || wc->status != IBV_WC_SUCCESS) {
        fprintf(stderr, "operation %lu failed\n", (unsigned long)wc->wr_id);
        return RPMA_E_PROVIDER;
    }
    return 0;
}

enum { WRITE_X = 1, WRITE_Y, FLUSH };

uint64_t one = 1;
volatile uint64_t done;

int client_side(struct rpma_conn *conn, struct rpma_mr_remote *dst)
{
    struct ibv_wc wc;
    int ret;
    uint64_t r;

    ret = rpma_write(conn, dst, 0, &one, WRITE_X);
    if (ret)
        return ret;
    ret = rpma_write(conn, dst, 64, &one, WRITE_Y);
    if (ret)
        return ret;
    ret = rpma_read(conn, &r, dst, 128, FLUSH);
    if (ret)
        return ret;
    for (int i = 0; i < 3; i++) {
        ret = rpma_conn_completion_wait(conn, &wc);
        if (ret)
            return ret;
    }
    done = 1;
    return 0;
}

volatile uint64_t x, y;

int server_side(struct rpma_conn *conn, struct rpma_mr_remote *src)
{
    uint64_t told, vx, vy;
    struct ibv_wc wc;
    int ret;

    ret = rpma_read(conn, &told, src, 0, 0);
    if (ret)
        return ret;
    ret = rpma_conn_completion_wait(conn, &wc);
    if (ret)
        return ret;
    vx = x;
    vy = y;
    printf("told %lu: x = %lu, y = %lu\n", (unsigned long)told, (unsigned long)vx, (unsigned long)vy);
    return 0;
}
