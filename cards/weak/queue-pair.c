// Queue pairs and shared receive queues.
#include "card.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct queue_pair *unused_queue_pair(void) {
  for (unsigned k = 0; k < QUEUE_PAIRS; k++) {
    struct queue_pair *q = &room->queue_pair[k];
    if (q->used) continue;
    // The number is the place in the table and, above it, a count: a number of one that is gone names no later one.
    const uint32_t before = q->number == 0 ? k : q->number, next = (before + QUEUE_PAIRS) & 0xffffff;
    *q = (struct queue_pair){.used = true, .number = next < QUEUE_PAIRS ? k + QUEUE_PAIRS : next, .process = self};
    if (k >= room->queue_pairs) room->queue_pairs = k + 1;
    return q;
  }
  return NULL;
}

static struct qp *create(struct ibv_context *context, struct ibv_pd *pd, struct ibv_qp_init_attr *init) {
  if (init->qp_type != IBV_QPT_RC) {
    complain("ibv_create_qp: the weak card has no queue pairs of type %d, only reliable connections", (int)init->qp_type);
    return errno = EOPNOTSUPP, NULL;
  }
  const struct ibv_qp_cap *cap = &init->cap;
  const bool large = cap->max_send_wr > MAX_WORKS || cap->max_recv_wr > MAX_WORKS || cap->max_send_sge > SGES ||
                     cap->max_recv_sge > SGES || cap->max_inline_data > INLINE;
  if (large || init->send_cq == NULL || init->recv_cq == NULL) return errno = EINVAL, NULL;
  struct qp *qp = calloc(1, sizeof *qp);
  if (qp == NULL) return NULL;
  lock();
  struct queue_pair *q = unused_queue_pair();
  if (q != NULL) {
    q->nic = nic_of(context)->number;
    q->pd = pd_number(pd);
    q->state = IBV_QPS_RESET;
    q->verbs = qp;
    qp->shared = q;
  }
  unlock();
  if (q == NULL) return free(qp), errno = ENOMEM, NULL;
  init->cap.max_inline_data = INLINE;
  qp->init = *init;
  qp->signal_all = init->sq_sig_all != 0;
  qp->own.last = &qp->own.first;
  qp->own.most = init->cap.max_recv_wr;
  qp->receives = init->srq != NULL ? &((struct srq *)init->srq)->receives : &qp->own;
  qp->ex.qp_base = (struct ibv_qp){
      .context = context, .qp_context = init->qp_context, .pd = pd, .send_cq = init->send_cq, .recv_cq = init->recv_cq,
      .srq = init->srq, .handle = q->number, .qp_num = q->number, .state = IBV_QPS_RESET, .qp_type = init->qp_type};
  pthread_mutex_init(&qp->ex.qp_base.mutex, NULL);
  pthread_cond_init(&qp->ex.qp_base.cond, NULL);
  return qp;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *init) {
  struct qp *qp = create(pd->context, pd, init);
  return qp != NULL ? &qp->ex.qp_base : NULL;
}

struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr) {
  const uint64_t known = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
  if ((attr->comp_mask & ~known) != 0 || (attr->comp_mask & IBV_QP_INIT_ATTR_PD) == 0) {
    complain("ibv_create_qp_ex: the weak card knows no attributes 0x%x", attr->comp_mask);
    return errno = EOPNOTSUPP, NULL;
  }
  const uint64_t operations = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | IBV_QP_EX_WITH_SEND |
                              IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
                              IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD | EX_WITH_FLUSH;
  const bool named = (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) != 0;
  if (named && (attr->send_ops_flags & ~operations) != 0) {
    complain("ibv_create_qp_ex: the weak card has not all of the operations 0x%" PRIx64, attr->send_ops_flags);
    return errno = EOPNOTSUPP, NULL;
  }
  // The first fields are those of ibv_qp_init_attr.
  struct ibv_qp_init_attr init;
  memcpy(&init, attr, sizeof init);
  struct qp *qp = create(context, attr->pd, &init);
  if (qp == NULL) return NULL;
  attr->cap = init.cap;
  if (named) extend_qp(qp);
  return &qp->ex.qp_base;
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp) { return qp_of(qp)->extended ? &qp_of(qp)->ex : NULL; }

static bool may_follow(enum ibv_qp_state from, enum ibv_qp_state to) {
  switch (to) {
    case IBV_QPS_RESET:
    case IBV_QPS_ERR: return true;
    case IBV_QPS_INIT: return from == IBV_QPS_RESET || from == IBV_QPS_INIT;
    case IBV_QPS_RTR: return from == IBV_QPS_INIT;
    case IBV_QPS_RTS: return from == IBV_QPS_RTR || from == IBV_QPS_RTS;
    default: return false;
  }
}

static void set_state(struct qp *qp, enum ibv_qp_state state) {
  struct queue_pair *q = qp->shared;
  if (state == IBV_QPS_RTR) q->peer = qp->attr.dest_qp_num;
  if (state == IBV_QPS_ERR) {
    fail_all(q);
    flush_receives(qp);
  }
  if (state == IBV_QPS_RESET) {
    machine_settle(q);
    abandon(q);
    // Those that are there free no room for requests to come.
    forget_completions(qp->ex.qp_base.send_cq, qp);
    q->peer = 0;
    qp->outstanding = qp->unsignaled = 0;
    free_receives(&qp->own);
  }
  q->state = qp->ex.qp_base.state = qp->attr.qp_state = state;
}

int ibv_modify_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask) {
  struct qp *qp = qp_of(base);
  if ((mask & IBV_QP_STATE) != 0 && !may_follow(qp->shared->state, attr->qp_state)) return EINVAL;
  if ((mask & IBV_QP_PORT) != 0 && attr->port_num != 1) return EINVAL;
  if ((mask & IBV_QP_STATE) != 0 && attr->qp_state == IBV_QPS_RTR && (mask & IBV_QP_DEST_QPN) == 0) return EINVAL;
  lock();
  machine_call();
  const enum ibv_qp_state before = qp->attr.qp_state;
  const struct ibv_qp_attr old = qp->attr;
  qp->attr = *attr;
  qp->attr.qp_state = before;
  if ((mask & IBV_QP_DEST_QPN) == 0) qp->attr.dest_qp_num = old.dest_qp_num;
  if ((mask & IBV_QP_AV) == 0) qp->attr.ah_attr = old.ah_attr;
  if ((mask & IBV_QP_PATH_MTU) == 0) qp->attr.path_mtu = old.path_mtu;
  if ((mask & IBV_QP_PORT) == 0) qp->attr.port_num = old.port_num;
  if ((mask & IBV_QP_STATE) != 0) set_state(qp, attr->qp_state);
  unlock();
  return 0;
}

int ibv_query_qp(struct ibv_qp *base, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init) {
  (void)mask;
  struct qp *qp = qp_of(base);
  lock();
  *attr = qp->attr;
  attr->qp_state = attr->cur_qp_state = base->state = qp->shared->state;
  attr->cap = qp->init.cap;
  *init = qp->init;
  unlock();
  return 0;
}

int ibv_destroy_qp(struct ibv_qp *base) {
  struct qp *qp = qp_of(base);
  lock();
  machine_call();
  forget(qp->shared);
  forget_completions(base->send_cq, qp);
  free_receives(&qp->own);
  unlock();
  pthread_mutex_destroy(&base->mutex);
  pthread_cond_destroy(&base->cond);
  free(qp->batch);
  free(qp);
  return 0;
}

// The card promises no order within a request.
int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode opcode, uint32_t flags) {
  return (void)qp, (void)opcode, (void)flags, 0;
}

// ---- shared receive queues ----

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *init) {
  if (init->attr.max_wr > MAX_WORKS || init->attr.max_sge > SGES) return errno = EINVAL, NULL;
  struct srq *srq = calloc(1, sizeof *srq);
  if (srq == NULL) return NULL;
  srq->base = (struct ibv_srq){.context = pd->context, .srq_context = init->srq_context, .pd = pd};
  srq->receives.last = &srq->receives.first;
  srq->receives.most = init->attr.max_wr;
  pthread_mutex_init(&srq->base.mutex, NULL);
  pthread_cond_init(&srq->base.cond, NULL);
  return &srq->base;
}

int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr) {
  *attr = (struct ibv_srq_attr){.max_wr = ((struct srq *)srq)->receives.most, .max_sge = SGES};
  return 0;
}

int ibv_destroy_srq(struct ibv_srq *srq) {
  lock();
  free_receives(&((struct srq *)srq)->receives);
  unlock();
  pthread_mutex_destroy(&srq->mutex);
  pthread_cond_destroy(&srq->cond);
  free((struct srq *)srq);
  return 0;
}
