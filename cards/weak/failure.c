// Requests that cannot go on, and what is left of queue pairs and processes that are gone.
#include "card.h"

#include <time.h>

// What is on its way lands; what is not yet does not start.
static void stop_work(struct work *w, enum ibv_wc_status status) {
  if (w->delivered || w->failed) return;
  w->failed = true;
  w->status = status;
  for (unsigned k = 0; k < w->pieces; k++)
    if (w->piece[k].progress < PENDING) w->piece[k].progress = LANDED;
}

void fail_all(struct queue_pair *q) {
  q->state = IBV_QPS_ERR;
  for (struct work *w = q->first; w != NULL; w = w->next) stop_work(w, IBV_WC_WR_FLUSH_ERR);
}

void fail(struct queue_pair *q, struct work *w, enum ibv_wc_status status) {
  note(q, w, "fails: status %d", status);
  stop_work(w, status);
  q->state = IBV_QPS_ERR;
  for (w = w->next; w != NULL; w = w->next) stop_work(w, IBV_WC_WR_FLUSH_ERR);
}

// No request has a completion any more; what is received still lands.
void abandon(struct queue_pair *q) {
  fail_all(q);
  for (struct work *w = q->first, *next; w != NULL; w = next) {
    next = w->next;
    w->delivered = true;
    if (w->operation != PUT && w->operation != MESSAGE)
      for (unsigned k = 0; k < w->pieces; k++) w->piece[k].progress = LANDED;
    drop_done(q, w);
  }
}

void lose(struct queue_pair *q) {
  for (struct work *w = q->first, *next; w != NULL; w = next) {
    next = w->next;
    if (w->operation == PUT || w->operation == MESSAGE)
      for (unsigned k = 0; k < w->pieces; k++)
        if (w->piece[k].progress == PENDING) w->piece[k].progress = LANDED;
    if (w->part.progress == PENDING) {
      w->part.progress = LANDED;
      room->busy[other_end(q)->nic]--;
    }
    w->arrived = false;
    drop_done(q, w);
  }
}

static bool is_under_way(const struct work *w) {
  for (unsigned k = 0; k < w->pieces; k++)
    if (w->piece[k].progress < PENDING) return !w->failed;
  return false;
}

void despair(void) {
  static const uint64_t PATIENCE = 2;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  for (unsigned k = 0; k < room->queue_pairs; k++) {
    struct queue_pair *q = &room->queue_pair[k];
    if (!q->used || q->closed || q->process != self) continue;
    struct work *w = q->first;
    while (w != NULL && !is_under_way(w)) w = w->next;
    if (w == NULL || peer_of(q) != NULL)
      q->lonely = 0;
    else if (q->lonely == 0)
      q->lonely = (uint64_t)now.tv_sec;
    else if ((uint64_t)now.tv_sec - q->lonely > PATIENCE)
      fail(q, w, IBV_WC_RETRY_EXC_ERR);
  }
}

void forget(struct queue_pair *q) {
  q->closed = true;
  abandon(q);
  if (q->first == NULL) q->used = false;
}
