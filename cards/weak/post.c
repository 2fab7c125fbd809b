// Posting requests and receives.
#include "card.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct known {
  enum operation operation;
  bool immediate, known;
};

static const struct known opcodes[] = {
    [IBV_WR_RDMA_WRITE] = {PUT, false, true},
    [IBV_WR_RDMA_WRITE_WITH_IMM] = {PUT, true, true},
    [IBV_WR_SEND] = {MESSAGE, false, true},
    [IBV_WR_SEND_WITH_IMM] = {MESSAGE, true, true},
    [IBV_WR_RDMA_READ] = {GET, false, true},
    [IBV_WR_ATOMIC_CMP_AND_SWP] = {CAS, false, true},
    [IBV_WR_ATOMIC_FETCH_AND_ADD] = {FAA, false, true},
    [WR_FLUSH] = {FLUSH, false, true},
};

static const struct known *known_opcode(const struct ibv_send_wr *wr) {
  if ((size_t)wr->opcode < sizeof opcodes / sizeof *opcodes && opcodes[wr->opcode].known) return &opcodes[wr->opcode];
  complain("ibv_post_send: the weak card has no opcode %d", (int)wr->opcode);
  return NULL;
}

static bool is_atomic(const struct work *w) { return w->operation == CAS || w->operation == FAA; }

// ---- parts: each aligned word by itself, or, of long requests, some stretches ----

static void cut(struct work *w) {
  const uint64_t start = w->operation == MESSAGE ? (w->sges > 0 ? w->sge[0].addr : 0) : w->remote;
  const uint32_t head = start % 8 == 0 ? 0 : 8 - start % 8;
  const uint32_t words = w->length <= head ? 1 : (w->length - head + 7) / 8 + (head > 0 ? 1 : 0);
  const uint32_t pieces = is_atomic(w) ? 1 : words <= PIECES ? words : 1 + (uint32_t)draw(PIECES);
  uint32_t offset = 0;
  w->pieces = pieces == 0 ? 1 : pieces;
  for (uint32_t k = 0; k < w->pieces; k++) {
    const uint32_t stretch = words / w->pieces;
    const uint32_t word = (k + 1) * stretch + (stretch > 1 ? (uint32_t)draw(stretch) : 0);
    const uint32_t end = head > 0 ? head + (word - 1) * 8 : word * 8;
    const uint32_t to = k + 1 == w->pieces || end > w->length ? w->length : end;
    w->piece[k] = (struct piece){.offset = offset, .length = to - offset};
    offset = to;
  }
}

// ---- requests ----

static bool is_registered(struct qp *qp, const struct ibv_sge *sge, bool write) {
  const struct region *region = region_of(sge->lkey, self);
  const uint64_t start = region != NULL ? region->iova : 0;
  return region != NULL && region->pd == qp->shared->pd && sge->addr >= start && sge->length <= region->length &&
         sge->addr - start <= region->length - sge->length && (!write || (region->access & IBV_ACCESS_LOCAL_WRITE) != 0);
}

static bool take_sges(struct qp *qp, struct work *w, const struct ibv_send_wr *wr) {
  bool registered = true;
  for (int k = 0; k < wr->num_sge; k++) {
    const struct ibv_sge *sge = &wr->sg_list[k];
    if (sge->length == 0) continue;
    registered &= is_registered(qp, sge, w->operation != PUT && w->operation != MESSAGE);
    const struct region *region = region_of(sge->lkey, self);
    if (region != NULL) w->relaxed_local |= is_relaxed(region);
    w->sge[w->sges] = *sge;
    // A region with an address of its own: its bytes lie elsewhere.
    if (region != NULL) w->sge[w->sges].addr = (uintptr_t)region->start + (sge->addr - region->iova);
    w->sges++;
  }
  return registered;
}

// The data of an inlined request is taken now, and no source is read later.
static void take_inline(struct work *w, const struct ibv_send_wr *wr) {
  w->data = room_alloc(w->length);
  uint32_t offset = 0;
  for (int k = 0; k < wr->num_sge; k++) {
    if (wr->sg_list[k].length == 0) continue;
    load_words(w->data + offset, (const void *)(uintptr_t)wr->sg_list[k].addr, wr->sg_list[k].length);
    offset += wr->sg_list[k].length;
  }
}

static int check(const struct qp *qp, const struct ibv_send_wr *wr, const struct known *known, uint64_t length) {
  const enum ibv_qp_state state = qp->shared->state;
  if (state != IBV_QPS_RTS && state != IBV_QPS_ERR) return EINVAL;
  if (known == NULL) return EOPNOTSUPP;
  const bool atomic = known->operation == CAS || known->operation == FAA;
  if (wr->num_sge < 0 || (uint32_t)wr->num_sge > qp->init.cap.max_send_sge || length > MAX_MESSAGE) return EINVAL;
  if (atomic && length != 8) return EINVAL;
  if (atomic && settings.fabric->bag) {
    complain("ibv_post_send: the fabric %s has no atomics", settings.fabric->name);
    return EOPNOTSUPP;
  }
  const bool writes = known->operation == PUT || known->operation == MESSAGE;
  if ((wr->send_flags & IBV_SEND_INLINE) != 0 && (!writes || length > qp->init.cap.max_inline_data)) return EINVAL;
  return qp->outstanding < qp->init.cap.max_send_wr ? 0 : ENOMEM;
}

static void append(struct queue_pair *q, struct work *w) {
  struct work **last = &q->first;
  while (*last != NULL) last = &(*last)->next;
  *last = w;
}

static int post_one(struct qp *qp, const struct ibv_send_wr *wr) {
  struct queue_pair *q = qp->shared;
  const struct known *known = known_opcode(wr);
  uint64_t length = 0;
  for (int k = 0; k < wr->num_sge; k++) length += wr->sg_list[k].length;
  const int error = check(qp, wr, known, length);
  if (error != 0) return error;
  struct work *w = room_alloc(sizeof *w);
  const bool atomic = known->operation == CAS || known->operation == FAA;
  *w = (struct work){
      .number = q->posted++, .id = wr->wr_id, .operation = known->operation, .immediate = known->immediate,
      .signaled = qp->signal_all || (wr->send_flags & IBV_SEND_SIGNALED) != 0,
      .fenced = (wr->send_flags & IBV_SEND_FENCE) != 0, .solicited = (wr->send_flags & IBV_SEND_SOLICITED) != 0,
      .imm = wr->imm_data, .length = (uint32_t)length,
      .remote = atomic ? wr->wr.atomic.remote_addr : wr->wr.rdma.remote_addr,
      .rkey = atomic ? wr->wr.atomic.rkey : wr->wr.rdma.rkey};
  if (atomic) {
    w->compare = wr->wr.atomic.compare_add;
    w->value = known->operation == FAA ? wr->wr.atomic.compare_add : wr->wr.atomic.swap;
  }
  const bool inlined = (wr->send_flags & IBV_SEND_INLINE) != 0;
  const bool registered = inlined || take_sges(qp, w, wr);
  cut(w);
  if (inlined) {
    take_inline(w, wr);
    for (unsigned k = 0; k < w->pieces; k++) w->piece[k].progress = READ;
  }
  append(q, w);
  qp->outstanding++;
  room->clock++;
  note(q, w, "is posted");
  if (q->state == IBV_QPS_ERR)
    fail(q, w, IBV_WC_WR_FLUSH_ERR);
  else if (!registered)
    fail(q, w, IBV_WC_LOC_PROT_ERR);
  return 0;
}

int post_send(struct ibv_qp *base, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
  int error = 0;
  lock();
  for (; wr != NULL; wr = wr->next) {
    error = post_one(qp_of(base), wr);
    if (error != 0) {
      *bad = wr;
      break;
    }
    machine_call();
  }
  unlock();
  return error;
}

// ---- receives ----

static int add_receive(struct receives *receives, const struct ibv_recv_wr *wr) {
  if (wr->num_sge < 0 || wr->num_sge > SGES) return EINVAL;
  if (receives->waiting >= receives->most) return ENOMEM;
  struct receive *receive = calloc(1, sizeof *receive);
  if (receive == NULL) return ENOMEM;
  receive->id = wr->wr_id;
  receive->sges = (unsigned)wr->num_sge;
  for (int k = 0; k < wr->num_sge; k++) {
    receive->sge[k] = wr->sg_list[k];
    receive->length += wr->sg_list[k].length;
  }
  *receives->last = receive;
  receives->last = &receive->next;
  receives->waiting++;
  return 0;
}

static int add_receives(struct receives *receives, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  for (; wr != NULL; wr = wr->next) {
    const int error = add_receive(receives, wr);
    if (error == 0) continue;
    *bad = wr;
    return error;
  }
  return 0;
}

int post_recv(struct ibv_qp *base, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  struct qp *qp = qp_of(base);
  if (qp->shared->state == IBV_QPS_RESET || base->srq != NULL) return *bad = wr, EINVAL;
  lock();
  machine_call();
  const int error = add_receives(&qp->own, wr, bad);
  if (qp->shared->state == IBV_QPS_ERR) flush_receives(qp);
  unlock();
  return error;
}

int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad) {
  lock();
  machine_call();
  const int error = add_receives(&((struct srq *)srq)->receives, wr, bad);
  unlock();
  return error;
}

void free_receives(struct receives *receives) {
  for (struct receive *r = receives->first, *next; r != NULL; r = next) {
    next = r->next;
    free(r);
  }
  receives->first = NULL;
  receives->last = &receives->first;
  receives->waiting = 0;
}

void flush_receives(struct qp *qp) {
  for (const struct receive *r = qp->own.first; r != NULL; r = r->next) {
    const struct ibv_wc wc = {.wr_id = r->id, .status = IBV_WC_WR_FLUSH_ERR, .opcode = IBV_WC_RECV, .qp_num = qp->shared->number};
    add_completion(qp->ex.qp_base.recv_cq, &wc, NULL, 0, true);
  }
  free_receives(&qp->own);
}
