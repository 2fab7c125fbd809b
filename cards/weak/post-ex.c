// ibv_wr_start to ibv_wr_complete: requests are collected, and posted together.
#include "card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct request {
  struct ibv_send_wr wr;
  struct ibv_sge sge[SGES];
  unsigned char data[INLINE];
};

static struct qp *qp_of_ex(struct ibv_qp_ex *ex) { return (struct qp *)ex; }

static void start(struct ibv_qp_ex *ex) {
  pthread_mutex_lock(&ex->qp_base.mutex);
  qp_of_ex(ex)->batched = 0;
  qp_of_ex(ex)->batch_error = 0;
}

static struct request *add(struct ibv_qp_ex *ex, enum ibv_wr_opcode opcode, uint32_t rkey, uint64_t remote) {
  struct qp *qp = qp_of_ex(ex);
  struct request *batch = realloc(qp->batch, (qp->batched + 1) * sizeof *batch);
  if (batch == NULL) give_up("no memory");
  qp->batch = batch;
  struct request *request = &batch[qp->batched++];
  memset(request, 0, sizeof *request);
  request->wr.wr_id = ex->wr_id;
  request->wr.send_flags = ex->wr_flags;
  request->wr.opcode = opcode;
  request->wr.wr.rdma.rkey = rkey;
  request->wr.wr.rdma.remote_addr = remote;
  return request;
}

static void write_to(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote) { add(ex, IBV_WR_RDMA_WRITE, rkey, remote); }
static void read_from(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote) { add(ex, IBV_WR_RDMA_READ, rkey, remote); }
static void send_one(struct ibv_qp_ex *ex) { add(ex, IBV_WR_SEND, 0, 0); }

static void write_imm(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote, __be32 imm) {
  add(ex, IBV_WR_RDMA_WRITE_WITH_IMM, rkey, remote)->wr.imm_data = imm;
}

static void send_imm(struct ibv_qp_ex *ex, __be32 imm) { add(ex, IBV_WR_SEND_WITH_IMM, 0, 0)->wr.imm_data = imm; }

static void atomic(struct ibv_qp_ex *ex, enum ibv_wr_opcode opcode, uint32_t rkey, uint64_t remote, uint64_t add_or_compare,
                   uint64_t swap) {
  struct ibv_send_wr *wr = &add(ex, opcode, 0, 0)->wr;
  wr->wr.atomic.rkey = rkey;
  wr->wr.atomic.remote_addr = remote;
  wr->wr.atomic.compare_add = add_or_compare;
  wr->wr.atomic.swap = swap;
}

static void cmp_swp(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote, uint64_t compare, uint64_t swap) {
  atomic(ex, IBV_WR_ATOMIC_CMP_AND_SWP, rkey, remote, compare, swap);
}

static void fetch_add(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote, uint64_t value) {
  atomic(ex, IBV_WR_ATOMIC_FETCH_AND_ADD, rkey, remote, value, 0);
}

// It makes what is before it visible. That what it reaches outlives a power cut is nothing that this card can do.
static void flush(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote, size_t length, uint8_t type, uint8_t level) {
  (void)length;
  (void)level;
  add(ex, (enum ibv_wr_opcode)WR_FLUSH, rkey, remote);
  if ((type & FLUSH_PERSISTENT) == 0) return;
  complain("ibv_wr_flush: the weak card has no persistent memory");
  qp_of_ex(ex)->batch_error = EOPNOTSUPP;
}

// The request that the setters speak of, if they may.
static struct request *last(struct ibv_qp_ex *ex, bool fits) {
  struct qp *qp = qp_of_ex(ex);
  if (qp->batched > 0 && fits) return &qp->batch[qp->batched - 1];
  qp->batch_error = EINVAL;
  return NULL;
}

static void set_sge_list(struct ibv_qp_ex *ex, size_t sges, const struct ibv_sge *sge) {
  struct request *request = last(ex, sges <= SGES);
  if (request == NULL) return;
  memcpy(request->sge, sge, sges * sizeof *sge);
  request->wr.num_sge = (int)sges;
}

static void set_sge(struct ibv_qp_ex *ex, uint32_t lkey, uint64_t address, uint32_t length) {
  set_sge_list(ex, 1, &(struct ibv_sge){address, length, lkey});
}

static void set_inline_data_list(struct ibv_qp_ex *ex, size_t count, const struct ibv_data_buf *buffers) {
  size_t length = 0;
  for (size_t k = 0; k < count; k++) length += buffers[k].length;
  struct request *request = last(ex, length <= INLINE);
  if (request == NULL) return;
  unsigned char *to = request->data;
  for (size_t k = 0; k < count; to += buffers[k].length, k++) memcpy(to, buffers[k].addr, buffers[k].length);
  request->sge[0].length = (uint32_t)length;
  request->wr.num_sge = 1;
  request->wr.send_flags |= IBV_SEND_INLINE;
}

static void set_inline_data(struct ibv_qp_ex *ex, void *address, size_t length) {
  set_inline_data_list(ex, 1, &(struct ibv_data_buf){address, length});
}

static int post_batch(struct qp *qp) {
  for (unsigned k = 0; k < qp->batched; k++) {
    struct request *request = &qp->batch[k];
    // Now they stay where they are.
    request->wr.sg_list = request->sge;
    if ((request->wr.send_flags & IBV_SEND_INLINE) != 0) request->sge[0].addr = (uintptr_t)request->data;
    request->wr.next = k + 1 < qp->batched ? &qp->batch[k + 1].wr : NULL;
  }
  struct ibv_send_wr *bad;
  return qp->batched > 0 ? post_send(&qp->ex.qp_base, &qp->batch[0].wr, &bad) : 0;
}

static int complete(struct ibv_qp_ex *ex) {
  struct qp *qp = qp_of_ex(ex);
  const int error = qp->batch_error != 0 ? qp->batch_error : post_batch(qp);
  pthread_mutex_unlock(&ex->qp_base.mutex);
  return error;
}

static void stop(struct ibv_qp_ex *ex) { pthread_mutex_unlock(&ex->qp_base.mutex); }

void extend_qp(struct qp *qp) {
  struct ibv_qp_ex *ex = &qp->ex;
  qp->extended = true;
  ex->wr_start = start;
  ex->wr_complete = complete;
  ex->wr_abort = stop;
  ex->wr_rdma_write = write_to;
  ex->wr_rdma_write_imm = write_imm;
  ex->wr_rdma_read = read_from;
  ex->wr_send = send_one;
  ex->wr_send_imm = send_imm;
  ex->wr_atomic_cmp_swp = cmp_swp;
  ex->wr_atomic_fetch_add = fetch_add;
  memcpy((char *)ex + offsetof(struct ibv_qp_ex, wr_atomic_write) + sizeof ex->wr_atomic_write, &(flush_function *){flush},
         sizeof(flush_function *));
  ex->wr_set_sge = set_sge;
  ex->wr_set_sge_list = set_sge_list;
  ex->wr_set_inline_data = set_inline_data;
  ex->wr_set_inline_data_list = set_inline_data_list;
}
