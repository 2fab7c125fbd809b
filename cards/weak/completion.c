// Completion queues and the channels that tell of them.
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct completion {
  struct ibv_wc wc;
  struct qp *qp;
  unsigned frees;
};

enum armed { UNARMED, FOR_SOLICITED, FOR_ANY };

struct cq {
  struct ibv_cq base;
  struct completion *ring;
  unsigned first, count;
  enum armed armed;
  bool overrun;
};

struct channel {
  struct ibv_comp_channel base;
  int writer;
};

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel, int vector) {
  if (cqe <= 0 || vector < 0 || vector >= context->num_comp_vectors) return errno = EINVAL, NULL;
  struct cq *cq = calloc(1, sizeof *cq);
  if (cq == NULL) return NULL;
  cq->ring = calloc((size_t)cqe, sizeof *cq->ring);
  if (cq->ring == NULL) return free(cq), NULL;
  cq->base = (struct ibv_cq){.context = context, .channel = channel, .cq_context = cq_context, .cqe = cqe};
  pthread_mutex_init(&cq->base.mutex, NULL);
  pthread_cond_init(&cq->base.cond, NULL);
  if (channel != NULL) channel->refcnt++;
  return &cq->base;
}

int ibv_destroy_cq(struct ibv_cq *base) {
  struct cq *cq = (struct cq *)base;
  if (base->channel != NULL) base->channel->refcnt--;
  pthread_mutex_destroy(&base->mutex);
  pthread_cond_destroy(&base->cond);
  free(cq->ring);
  free(cq);
  return 0;
}

static void wake(struct cq *cq, bool solicited) {
  if (cq->armed == UNARMED || (cq->armed == FOR_SOLICITED && !solicited)) return;
  cq->armed = UNARMED;
  const struct channel *channel = (struct channel *)cq->base.channel;
  if (channel != NULL && write(channel->writer, &cq, sizeof cq) < 0) complain("a completion channel is full");
}

void add_completion(struct ibv_cq *base, const struct ibv_wc *wc, struct qp *qp, unsigned frees, bool solicited) {
  struct cq *cq = (struct cq *)base;
  if (cq->count == (unsigned)base->cqe) {
    if (!cq->overrun) complain("a completion queue of %d entries has no room for the next: completions are lost", base->cqe);
    cq->overrun = true;
    return;
  }
  cq->ring[(cq->first + cq->count) % (unsigned)base->cqe] = (struct completion){*wc, qp, frees};
  cq->count++;
  wake(cq, solicited || wc->status != IBV_WC_SUCCESS);
}

void forget_completions(struct ibv_cq *base, const struct qp *qp) {
  struct cq *cq = (struct cq *)base;
  for (unsigned k = 0; k < cq->count; k++) {
    struct completion *c = &cq->ring[(cq->first + k) % (unsigned)base->cqe];
    if (c->qp == qp) c->qp = NULL;
  }
}

int poll_cq(struct ibv_cq *base, int entries, struct ibv_wc *wc) {
  struct cq *cq = (struct cq *)base;
  int polled = 0;
  lock();
  machine_call();
  for (; polled < entries && cq->count > 0; polled++, cq->count--) {
    const struct completion *c = &cq->ring[cq->first];
    wc[polled] = c->wc;
    if (c->qp != NULL) c->qp->outstanding -= c->frees;
    cq->first = (cq->first + 1) % (unsigned)base->cqe;
  }
  unlock();
  if (polled == 0) let_others_in();
  return polled;
}

int req_notify_cq(struct ibv_cq *base, int solicited_only) {
  struct cq *cq = (struct cq *)base;
  lock();
  machine_call();
  if (!solicited_only)
    cq->armed = FOR_ANY;
  else if (cq->armed == UNARMED)
    cq->armed = FOR_SOLICITED;
  unlock();
  return 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context) {
  int ends[2];
  struct channel *channel = calloc(1, sizeof *channel);
  if (channel == NULL) return NULL;
  if (pipe2(ends, O_CLOEXEC) != 0) return free(channel), NULL;
  channel->base = (struct ibv_comp_channel){.context = context, .fd = ends[0]};
  channel->writer = ends[1];
  return &channel->base;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *base) {
  struct channel *channel = (struct channel *)base;
  if (base->refcnt > 0) return EBUSY;
  close(base->fd);
  close(channel->writer);
  free(channel);
  return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context) {
  if (read(channel->fd, cq, sizeof *cq) != sizeof *cq) return -1;
  *cq_context = (*cq)->cq_context;
  return 0;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int events) {
  pthread_mutex_lock(&cq->mutex);
  cq->comp_events_completed += events;
  pthread_mutex_unlock(&cq->mutex);
}
