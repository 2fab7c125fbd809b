// What each step does.
#include "card.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *data_of(struct work *w) {
  if (w->data == NULL) w->data = room_alloc(w->length);
  return w->data;
}

static bool all_done(const struct work *w) {
  for (unsigned k = 0; k < w->pieces; k++)
    if (w->piece[k].progress != LANDED) return false;
  return w->part.progress != PENDING && w->delivered && (!w->arrived || w->told);
}

static void drop(struct queue_pair *q, struct work *w) {
  struct work **place = &q->first;
  while (*place != w) place = &(*place)->next;
  *place = w->next;
  room_free(w->data, w->length);
  room_free(w, sizeof *w);
}

void drop_done(struct queue_pair *q, struct work *w) {
  if (!all_done(w)) return;
  drop(q, w);
  if (q->closed && q->first == NULL) q->used = false;
}

// ---- the other end ----

static int needed_access(const struct work *w) {
  switch (w->operation) {
    case PUT: return IBV_ACCESS_REMOTE_WRITE;
    case GET: return IBV_ACCESS_REMOTE_READ;
    case FLUSH: return ACCESS_FLUSH;
    default: return IBV_ACCESS_REMOTE_ATOMIC;
  }
}

// Finds the memory that a request names. Without it, the request fails.
static bool find_target(struct queue_pair *q, struct work *w) {
  if (w->checked) return true;
  const struct queue_pair *peer = peer_of(q);
  const bool whole = w->operation == CAS || w->operation == FAA || w->operation == FLUSH;
  const uint32_t length = whole ? 8 : w->length;
  if (length > 0) {
    const struct region *region = region_of(w->rkey, self);
    const bool inside = region != NULL && region->pd == peer->pd && w->remote >= region->iova &&
                        length <= region->length && w->remote - region->iova <= region->length - length;
    if (!inside || (region->access & needed_access(w)) == 0) return fail(q, w, IBV_WC_REM_ACCESS_ERR), false;
    w->target = region->start + (w->remote - region->iova);
    w->relaxed_remote = is_relaxed(region);
    if ((w->operation == CAS || w->operation == FAA) && (uintptr_t)w->target % 8 != 0)
      return fail(q, w, IBV_WC_REM_INV_REQ_ERR), false;
  }
  w->checked = true;
  return true;
}

static bool take_receive(struct queue_pair *q, struct work *w) {
  struct receives *receives = peer_of(q)->verbs->receives;
  struct receive *receive = receives->first;
  if (w->operation == MESSAGE && w->length > receive->length) return fail(q, w, IBV_WC_REM_INV_REQ_ERR), false;
  receives->first = receive->next;
  if (receives->first == NULL) receives->last = &receives->first;
  receives->waiting--;
  w->receive = receive;
  w->arrived = true;
  if (w->operation == MESSAGE && receive->sges > 0) {
    const struct region *region = region_of(receive->sge[0].lkey, self);
    w->relaxed_remote = region != NULL && is_relaxed(region);
  }
  return true;
}

// ---- without PCIe's order reads see what is pending on their queue pair ----

struct pending {
  uint64_t stamp;
  const unsigned char *from, *to;
  uint32_t length;
};

// Where the value of a part is, and where it will be.
static struct pending pending_of(const struct work *w, const struct piece *p, bool there) {
  const unsigned char *from = p == &w->part ? (const unsigned char *)&w->written : w->data + p->offset;
  // Answers are seen where they go to one place.
  const unsigned char *to = there ? w->target : (const unsigned char *)(uintptr_t)w->sge[0].addr;
  return (struct pending){p->stamp, from, to + p->offset, p->length};
}

// The oldest value that became pending after `stamp` at one end.
static struct pending next_pending(const struct queue_pair *q, uint64_t stamp, bool there) {
  struct pending next = {.stamp = UINT64_MAX};
  for (const struct work *w = q->first; w != NULL; w = w->next) {
    const bool is_there = w->operation == PUT;
    for (unsigned k = 0; k <= w->pieces; k++) {
      const struct piece *p = k < w->pieces ? &w->piece[k] : &w->part;
      if (p->progress != PENDING || p->stamp <= stamp || p->stamp >= next.stamp) continue;
      if (w->operation != MESSAGE && (p == &w->part || is_there) == there) next = pending_of(w, p, there);
    }
  }
  return next;
}

static void see_pending(const struct queue_pair *q, unsigned char *data, const unsigned char *memory, uint32_t length, bool there) {
  if (!settings.fabric->no_pcie) return;
  struct pending p = {0};
  while ((p = next_pending(q, p.stamp, there)).stamp != UINT64_MAX) {
    const uintptr_t start = (uintptr_t)memory, to = (uintptr_t)p.to;
    const uintptr_t from = to > start ? to : start;
    const uintptr_t end = to + p.length < start + length ? to + p.length : start + length;
    if (from < end) memcpy(data + (from - start), p.from + (from - to), end - from);
  }
}

// ---- the steps ----

static void pend(struct piece *piece) {
  piece->progress = PENDING;
  piece->stamp = ++room->clock;
}

static void read_source(struct queue_pair *q, struct work *w, struct piece *p) {
  unsigned char *data = data_of(w) + p->offset;
  char text[32], where[48];
  gather(w->sge, w->sges, p->offset, data, p->length);
  if (w->sges == 1) see_pending(q, data, (unsigned char *)(uintptr_t)w->sge[0].addr + p->offset, p->length, false);
  p->progress = READ;
  note(q, w, "reads %s at %s", bytes(data, p->length, text, sizeof text), place(w->sge[0].addr + p->offset, where, sizeof where));
}

static void receive(struct queue_pair *q, struct work *w, struct piece *p) {
  char text[32];
  if (w->operation == PUT && !find_target(q, w)) return;
  if ((w->operation == MESSAGE || w->immediate) && !w->arrived && !take_receive(q, w)) return;
  pend(p);
  note(q, w, "is received: %s", bytes(w->data + p->offset, p->length, text, sizeof text));
}

static void read_target(struct queue_pair *q, struct work *w, struct piece *p) {
  if (!find_target(q, w)) return;
  unsigned char *data = data_of(w) + p->offset;
  char text[32], where[48];
  load_words(data, w->target + p->offset, p->length);
  see_pending(q, data, w->target + p->offset, p->length, true);
  p->progress = READ;
  note(q, w, "reads %s at %s", bytes(data, p->length, text, sizeof text),
       place((uintptr_t)w->target + p->offset, where, sizeof where));
}

static void perform(struct queue_pair *q, struct work *w) {
  if (!find_target(q, w)) return;
  uint64_t old;
  char where[48];
  load_words(&old, w->target, 8);
  see_pending(q, (unsigned char *)&old, w->target, 8, true);
  memcpy(data_of(w), &old, 8);
  w->piece[0].progress = READ;
  const bool writes = w->operation == FAA || old == w->compare;
  if (writes) {
    w->written = w->operation == FAA ? old + w->value : w->value;
    w->part = (struct piece){.length = 8};
    pend(&w->part);
    room->busy[peer_of(q)->nic]++;
  }
  note(q, w, "reads %" PRIu64 " at %s, and %s", old, place((uintptr_t)w->target, where, sizeof where),
       writes ? "will write" : "fails");
}

static void answer(struct queue_pair *q, struct work *w, struct piece *p) {
  pend(p);
  note(q, w, "is answered");
}

static void free_receive(struct work *w) {
  for (unsigned k = 0; k < w->pieces; k++)
    if (!w->told || w->piece[k].progress != LANDED) return;
  free(w->receive);
  w->receive = NULL;
}

static void land_there(struct queue_pair *q, struct work *w, struct piece *p) {
  char text[32], where[48];
  const bool part = p == &w->part;
  const unsigned char *from = part ? (const unsigned char *)&w->written : w->data + p->offset;
  uint64_t target = (uintptr_t)w->target + p->offset;
  if (w->operation == MESSAGE) {
    scatter(w->receive->sge, w->receive->sges, p->offset, from, p->length);
    target = w->receive->sges > 0 ? w->receive->sge[0].addr + p->offset : 0;
  } else {
    store_words(w->target + p->offset, from, p->length);
  }
  p->progress = LANDED;
  if (part) room->busy[room->queue_pair[q->peer & (QUEUE_PAIRS - 1)].nic]--;
  note(q, w, "is in memory: %s at %s", bytes(from, p->length, text, sizeof text), place(target, where, sizeof where));
  free_receive(w);
}

static void land_here(struct queue_pair *q, struct work *w, struct piece *p) {
  char text[32], where[48];
  scatter(w->sge, w->sges, p->offset, w->data + p->offset, p->length);
  p->progress = LANDED;
  note(q, w, "is answered in memory: %s at %s", bytes(w->data + p->offset, p->length, text, sizeof text),
       place(w->sge[0].addr + p->offset, where, sizeof where));
}

static const enum ibv_wc_opcode opcodes[] = {
    [PUT] = IBV_WC_RDMA_WRITE, [GET] = IBV_WC_RDMA_READ, [CAS] = IBV_WC_COMP_SWAP, [FAA] = IBV_WC_FETCH_ADD, [MESSAGE] = IBV_WC_SEND,
    [FLUSH] = (enum ibv_wc_opcode)WC_FLUSH};

static void complete(struct queue_pair *q, struct work *w) {
  w->delivered = true;
  q->verbs->unsignaled++;
  if (!w->signaled && !w->failed) return;
  const struct ibv_wc wc = {.wr_id = w->id, .status = w->status, .opcode = opcodes[w->operation], .byte_len = w->length,
                            .qp_num = q->number};
  add_completion(q->verbs->ex.qp_base.send_cq, &wc, q->verbs, q->verbs->unsignaled, w->failed);
  q->verbs->unsignaled = 0;
  note(q, w, w->failed ? "has failed" : "is complete");
}

static void tell(struct queue_pair *q, struct work *w) {
  const struct queue_pair *peer = peer_of(q);
  w->told = true;
  if (peer != NULL) {
    const struct ibv_wc wc = {.wr_id = w->receive->id, .status = IBV_WC_SUCCESS, .byte_len = w->length, .imm_data = w->imm,
                              .opcode = w->operation == MESSAGE ? IBV_WC_RECV : IBV_WC_RECV_RDMA_WITH_IMM,
                              .qp_num = peer->number, .wc_flags = w->immediate ? IBV_WC_WITH_IMM : 0};
    add_completion(peer->verbs->ex.qp_base.recv_cq, &wc, NULL, 0, w->solicited);
    note(q, w, "is told to the receiver");
  }
  free_receive(w);
}

void tell_nobody(struct queue_pair *q, struct work *w) {
  if (!w->arrived) return;
  free(w->receive);
  w->receive = NULL;
  w->arrived = false;
  drop_done(q, w);
}

void take(const struct step *step) {
  struct queue_pair *q = step->q;
  struct work *w = step->work;
  room->clock++;
  switch (step->kind) {
    case READ_SOURCE: read_source(q, w, step->piece); break;
    case RECEIVE: receive(q, w, step->piece); break;
    case READ_TARGET: read_target(q, w, step->piece); break;
    case PERFORM: perform(q, w); break;
    case ANSWER: answer(q, w, step->piece); break;
    case LAND_THERE: land_there(q, w, step->piece); break;
    case LAND_HERE: land_here(q, w, step->piece); break;
    case COMPLETE: complete(q, w); break;
    case TELL: tell(q, w); break;
    case STEP_KINDS: break;
  }
  drop_done(q, w);
}
