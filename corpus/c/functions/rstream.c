/* RDMA rstream
   "a stream over writes with immediate data: the receiver gives credits, the sender's ring is used again"
   question "A reader is told by immediate data that bytes have come. Are they in its buffer? And can the writer write over bytes that the reader has not copied out?"
   note "A write and its own immediate data are one request; the completion of the receive follows the data. A credit is sent when the reader has copied the bytes: the writer's next write into the slot is behind the receive of that credit."

   node writer { out = 0; credit = 0 }
   node reader { rbuf = 0; cbuf = 1 }

   thread send_side = rs_send_two(rs) on writer {
     rs->qp => reader on rs->cq;  rs->sbuf => out;  rs->target_addr => rbuf;  rs->ctrl_buf => credit
   }
   thread recv_side = rs_recv_two(rs) on reader {
     rs->qp => writer on rs->cq;  rs->rbuf => rbuf;  rs->ctrl_buf => cbuf;  rs->target_ctrl => credit
   }

   exists (recv_side:first != 1)   "the first word is missing, or the second has written over it"
     computed forbidden under rdma-tso, rdma-ro
   exists (recv_side:second != 2)
     computed forbidden under rdma-tso, rdma-ro
*/
#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdint.h>
#include <stdio.h>

enum { RS_OP_DATA, RS_OP_SGL, RS_OP_CTRL };

#define RS_QP_SIZE 2
#define RS_SLOTS 1
#define rs_msg_set(op, data) (((uint32_t)(op) << 29) | (uint32_t)(data))
#define rs_msg_op(imm) ((imm) >> 29)
#define rs_msg_data(imm) ((imm) & 0x1fffffff)
#define RS_RECV_WR_ID 0xffffffffULL

struct rs_msg {
    uint32_t op;
    uint32_t data;
};

struct rsocket {
    struct ibv_qp *qp;
    struct ibv_cq *cq;
    struct ibv_mr *smr;

    int sqe_avail;
    int credits;
    unsigned int sseq_no;
    unsigned int rseq_no;

    uint64_t *sbuf;
    uint64_t target_addr;
    uint32_t target_rkey;

    uint64_t *rbuf;
    uint64_t *ctrl_buf;
    uint64_t target_ctrl;

    struct rs_msg rmsg[RS_QP_SIZE + 1];
    int rmsg_head;
    int rmsg_tail;
};

static int rs_post_recv(struct rsocket *rs)
{
    struct ibv_recv_wr wr, *bad;

    wr.next = NULL;
    wr.wr_id = RS_RECV_WR_ID;
    wr.sg_list = NULL;
    wr.num_sge = 0;

    return ibv_post_recv(rs->qp, &wr, &bad);
}

static int rs_post_write_msg(struct rsocket *rs, struct ibv_sge *sgl, int nsge, uint32_t msg, int flags,
                             uint64_t addr, uint32_t rkey)
{
    struct ibv_send_wr wr, *bad;

    wr.wr_id = msg;
    wr.next = NULL;
    wr.sg_list = sgl;
    wr.num_sge = nsge;
    wr.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
    wr.send_flags = flags | IBV_SEND_SIGNALED;
    wr.imm_data = htonl(msg);
    wr.wr.rdma.remote_addr = addr;
    wr.wr.rdma.rkey = rkey;

    return ibv_post_send(rs->qp, &wr, &bad);
}

static int rs_write_data(struct rsocket *rs, uint32_t length)
{
    struct ibv_sge sge;

    rs->sseq_no++;
    rs->sqe_avail--;
    rs->credits--;

    sge.addr = (uintptr_t)rs->sbuf;
    sge.length = length;
    sge.lkey = rs->smr->lkey;
    return rs_post_write_msg(rs, &sge, 1, rs_msg_set(RS_OP_DATA, length), 0, rs->target_addr,
                             rs->target_rkey);
}

static int rs_send_credit(struct rsocket *rs)
{
    struct ibv_sge sge = { (uintptr_t)rs->ctrl_buf, sizeof(uint64_t), rs->smr->lkey };

    rs->sqe_avail--;
    return rs_post_write_msg(rs, &sge, 1, rs_msg_set(RS_OP_SGL, rs->rseq_no), 0, rs->target_ctrl,
                             rs->target_rkey);
}

static int rs_poll_cq(struct rsocket *rs)
{
    struct ibv_wc wc;
    int ret, rcnt = 0;
    uint32_t imm;

    while ((ret = ibv_poll_cq(rs->cq, 1, &wc)) > 0) {
        if (wc.status != IBV_WC_SUCCESS) {
            errno = EIO;
            return -1;
        }
        if (wc.opcode == IBV_WC_RECV_RDMA_WITH_IMM) {
            rcnt++;
            imm = ntohl(wc.imm_data);
            switch (rs_msg_op(imm)) {
            case RS_OP_SGL:
                rs->credits++;
                break;
            case RS_OP_CTRL:
                break;
            default:
                rs->rmsg[rs->rmsg_tail].op = rs_msg_op(imm);
                rs->rmsg[rs->rmsg_tail].data = rs_msg_data(imm);
                if (++rs->rmsg_tail == RS_QP_SIZE + 1)
                    rs->rmsg_tail = 0;
                rs->rseq_no++;
                break;
            }
        } else {
            rs->sqe_avail++;
        }
    }

    while (ret == 0 && rcnt-- > 0)
        ret = rs_post_recv(rs);
    return ret;
}

static int rs_process_cq(struct rsocket *rs, int (*test)(struct rsocket *rs))
{
    int ret;

    do {
        ret = rs_poll_cq(rs);
        if (ret < 0)
            return ret;
    } while (!test(rs));
    return 0;
}

static int rs_can_send(struct rsocket *rs)
{
    return rs->sqe_avail > 0 && rs->credits > 0;
}

static int rs_have_rdata(struct rsocket *rs)
{
    return rs->rmsg_head != rs->rmsg_tail;
}

static int rs_all_done(struct rsocket *rs)
{
    return rs->sqe_avail == RS_QP_SIZE;
}

static int rs_init(struct rsocket *rs)
{
    int i, ret;

    rs->sqe_avail = RS_QP_SIZE;
    rs->credits = RS_SLOTS;
    rs->sseq_no = rs->rseq_no = 0;
    rs->rmsg_head = rs->rmsg_tail = 0;
    for (i = 0; i < RS_QP_SIZE; i++) {
        ret = rs_post_recv(rs);
        if (ret)
            return ret;
    }
    return 0;
}

int rs_send_two(struct rsocket *rs)
{
    uint64_t i;
    int ret;

    ret = rs_init(rs);
    if (ret)
        return ret;
    for (i = 1; i <= 2; i++) {
        if (!rs_can_send(rs)) {
            ret = rs_process_cq(rs, rs_can_send);
            if (ret)
                return ret;
        }
        *rs->sbuf = i;
        ret = rs_write_data(rs, sizeof(uint64_t));
        if (ret)
            return ret;
    }
    return rs_process_cq(rs, rs_all_done);
}

static uint64_t rs_read(struct rsocket *rs)
{
    uint64_t word;

    if (!rs_have_rdata(rs))
        rs_process_cq(rs, rs_have_rdata);
    word = *rs->rbuf;
    if (++rs->rmsg_head == RS_QP_SIZE + 1)
        rs->rmsg_head = 0;
    rs_send_credit(rs);
    return word;
}

int rs_recv_two(struct rsocket *rs)
{
    uint64_t first, second;

    if (rs_init(rs))
        return -1;
    first = rs_read(rs);
    second = rs_read(rs);
    printf("%lu %lu\n", (unsigned long)first, (unsigned long)second);
    return 0;
}
