// Which steps the fabric allows. A queue pair has its requests in order, and of each the parts that are not done:
//
//   put, message   READ_SOURCE (here)  RECEIVE (there)  LAND_THERE
//   get            READ_TARGET (there)  ANSWER (here)  LAND_HERE
//   cas, faa       PERFORM (there)  ANSWER, LAND_HERE (here)  and LAND_THERE for what is written
//
// and COMPLETE (here), TELL (there) for the completions of requests and of receives. What is received, or answered, is pending
// until it lands. This is the machine of RDMA^TSO with one buffer for requests, one for what is pending at each end.
#include "card.h"

// What is so of the requests before the one looked at.
struct before {
  bool unread, unreceived, unperformed;
  bool inside; // not answered or acknowledged
  bool held;   // behind a fence that waits for such
  bool pending_here, pending_there, undelivered, untold;
};

struct look {
  struct queue_pair *q;
  const struct fabric *fabric;
  bool here, there; // this process has this end
  unsigned pending_here, pending_there;
  uint64_t oldest_here, oldest_there;
  struct before before;
  uint64_t total;
  struct step *chosen;
};

static bool broken(enum rule rule) { return settings.broken == rule; }

struct queue_pair *peer_of(const struct queue_pair *q) {
  struct queue_pair *peer = &room->queue_pair[q->peer & (QUEUE_PAIRS - 1)];
  return peer->used && !peer->closed && peer->number == q->peer && peer->peer == q->number ? peer : NULL;
}

static bool writes(const struct work *w) { return w->operation == PUT || w->operation == MESSAGE; }
static bool is_atomic(const struct work *w) { return w->operation == CAS || w->operation == FAA; }

static bool all_parts(const struct work *w, enum progress least) {
  for (unsigned k = 0; k < w->pieces; k++)
    if (w->piece[k].progress < least) return false;
  return true;
}

static bool any_part(const struct work *w, enum progress progress) {
  for (unsigned k = 0; k < w->pieces; k++)
    if (w->piece[k].progress == progress) return true;
  return false;
}

// One of the steps offered is chosen, each as likely as its weight.
static void offer(struct look *look, enum step_kind kind, struct work *w, struct piece *piece) {
  const uint64_t weight = weight_of(look->q, w->number, kind, piece == NULL ? 0 : piece->offset);
  look->total += weight;
  if (draw(look->total) < weight) *look->chosen = (struct step){kind, look->q, w, piece};
}

static void offer_parts(struct look *look, enum step_kind kind, struct work *w, enum progress progress) {
  for (unsigned k = 0; k < w->pieces; k++)
    if (w->piece[k].progress == progress) offer(look, kind, w, &w->piece[k]);
}

// ---- requests ----

static bool is_held(const struct look *look, const struct work *w) {
  return (look->before.held || (w->fenced && look->before.inside)) && !broken(FENCE);
}

static bool may_read_source(const struct look *look, const struct work *w) {
  if (look->fabric->bag) return true;
  if (is_held(look, w)) return false;
  return !look->before.unread && (look->pending_here == 0 || look->fabric->no_pcie);
}

static bool has_receive(const struct look *look, const struct work *w) {
  if (w->operation != MESSAGE && !w->immediate) return true;
  return w->arrived || peer_of(look->q)->verbs->receives->first != NULL;
}

static bool may_receive(const struct look *look, const struct work *w) {
  const struct before *before = &look->before;
  if (!has_receive(look, w)) return false;
  if (look->fabric->bag) return true;
  if (is_held(look, w)) return false;
  if (look->fabric->out_of_order && w->operation == PUT && !w->immediate) return !before->unread;
  return (!before->unreceived || broken(PUT_ORDER)) && !before->unperformed;
}

// Does a read of this request wait until all that was received is in memory?
static bool pushes(const struct look *look, const struct work *w) {
  const struct fabric *fabric = look->fabric;
  if (fabric->no_pcie || broken(READ_PUSHES)) return false;
  const struct region *region = region_of(w->rkey, self);
  const bool relaxed = region != NULL && is_relaxed(region);
  return !(relaxed && (is_atomic(w) ? fabric->atomic : fabric->unordered));
}

static bool may_read_target(const struct look *look, const struct work *w) {
  const struct before *before = &look->before;
  if (look->pending_there > 0 && pushes(look, w)) return false;
  if (look->fabric->bag) return true;
  if (is_held(look, w)) return false;
  if (look->fabric->out_of_order && !is_atomic(w)) return !before->unread;
  return (!before->unreceived || broken(READ_AFTER_PUT)) && !before->unperformed;
}

static bool unit_is_free(const struct look *look) {
  return room->busy[peer_of(look->q)->nic] == 0 || broken(ATOMIC_UNIT);
}

static bool may_answer(const struct look *look) { return look->fabric->bag || !look->before.inside; }

static void offer_request(struct look *look, struct work *w) {
  const bool alone_there = look->there && peer_of(look->q) != NULL;
  if (writes(w)) {
    if (look->here && any_part(w, WAITING) && may_read_source(look, w)) offer_parts(look, READ_SOURCE, w, WAITING);
    if (alone_there && any_part(w, READ) && may_receive(look, w)) offer_parts(look, RECEIVE, w, READ);
    return;
  }
  if (alone_there && any_part(w, WAITING) && may_read_target(look, w)) {
    if (!is_atomic(w))
      offer_parts(look, READ_TARGET, w, WAITING);
    else if (unit_is_free(look))
      offer(look, PERFORM, w, NULL);
  }
  if (look->here && any_part(w, READ) && may_answer(look)) offer_parts(look, ANSWER, w, READ);
}

// ---- what is pending ----

// May a value leave its buffer ahead of the older ones in it?
static bool may_pass(const struct look *look, const struct work *w, const struct piece *piece, bool there) {
  const struct fabric *fabric = look->fabric;
  if (fabric->bag || broken(there ? MEMORY_ORDER : ANSWER_ORDER)) return true;
  if ((there ? look->oldest_there : look->oldest_here) == piece->stamp) return true;
  const bool relaxed = there ? w->relaxed_remote : w->relaxed_local;
  const bool atomics_hold = there && !fabric->atomic;
  for (const struct work *o = look->q->first; o != NULL; o = o->next) {
    if (o == w) continue;
    const bool passes_free = relaxed || (fabric->either && (there ? o->relaxed_remote : o->relaxed_local));
    const bool older_part = there && o->part.progress == PENDING && o->part.stamp < piece->stamp;
    if (older_part && (!passes_free || atomics_hold)) return false;
    if (writes(o) != there) continue;
    for (unsigned k = 0; k < o->pieces; k++) {
      const bool older = o->piece[k].progress == PENDING && o->piece[k].stamp < piece->stamp;
      if (older && (!passes_free || (atomics_hold && piece == &w->part))) return false;
    }
  }
  return true;
}

static void offer_landing(struct look *look, struct work *w) {
  const bool there = writes(w);
  if (there ? look->there : look->here)
    for (unsigned k = 0; k < w->pieces; k++)
      if (w->piece[k].progress == PENDING && may_pass(look, w, &w->piece[k], there))
        offer(look, there ? LAND_THERE : LAND_HERE, w, &w->piece[k]);
  if (look->there && w->part.progress == PENDING && may_pass(look, w, &w->part, true)) offer(look, LAND_THERE, w, &w->part);
}

// ---- completions ----

static bool is_left(const struct look *look, const struct work *w) {
  return all_parts(w, PENDING) && (look->fabric->bag || !look->before.inside);
}

static bool lies_there(const struct work *w) {
  return w->part.progress == PENDING || (writes(w) && any_part(w, PENDING));
}

static bool may_complete(const struct look *look, const struct work *w) {
  const struct before *before = &look->before;
  if (w->failed) return !before->undelivered;
  if (broken(SOURCE_COMPLETION) && writes(w)) return !before->undelivered;
  if (!is_left(look, w)) return false;
  const bool own_landed = writes(w) || all_parts(w, LANDED) || broken(ANSWER_COMPLETION);
  if (!own_landed) return false;
  if (look->fabric->bag) return true;
  if (before->undelivered || (before->pending_here && !broken(ANSWER_COMPLETION))) return false;
  return !look->fabric->manpage || !(before->pending_there || lies_there(w));
}

static bool may_tell(const struct look *look, const struct work *w) {
  if (!w->arrived || w->told || look->before.untold) return false;
  if (broken(RECEIVE_COMPLETION)) return true;
  return all_parts(w, LANDED) && (!look->before.pending_there || look->fabric->receive_own || look->fabric->bag);
}

static void offer_completions(struct look *look, struct work *w) {
  if (look->here && !w->delivered && may_complete(look, w)) offer(look, COMPLETE, w, NULL);
  if (look->there && may_tell(look, w)) offer(look, TELL, w, NULL);
}

// ---- all of a queue pair ----

static void pass(struct before *before, const struct look *look, const struct work *w) {
  const bool waits = any_part(w, WAITING), out = is_left(look, w) || w->failed;
  before->unread |= writes(w) && waits;
  before->unreceived |= writes(w) && !all_parts(w, PENDING);
  before->unperformed |= is_atomic(w) && waits;
  before->held |= w->fenced && before->inside;
  before->inside |= !out;
  before->pending_here |= !writes(w) && any_part(w, PENDING);
  before->pending_there |= lies_there(w);
  before->undelivered |= !w->delivered;
  before->untold |= w->arrived && !w->told;
}

static void count_pending(struct look *look, const struct piece *piece, bool there) {
  if (piece->progress != PENDING) return;
  uint64_t *oldest = there ? &look->oldest_there : &look->oldest_here;
  if (piece->stamp < *oldest) *oldest = piece->stamp;
  *(there ? &look->pending_there : &look->pending_here) += 1;
}

static void look_at(struct look *look) {
  look->pending_here = look->pending_there = 0;
  look->oldest_here = look->oldest_there = UINT64_MAX;
  look->before = (struct before){0};
  for (const struct work *w = look->q->first; w != NULL; w = w->next) {
    for (unsigned k = 0; k < w->pieces; k++) count_pending(look, &w->piece[k], writes(w));
    count_pending(look, &w->part, true);
  }
}

struct queue_pair *other_end(const struct queue_pair *q) {
  struct queue_pair *other = &room->queue_pair[q->peer & (QUEUE_PAIRS - 1)];
  return other->number == q->peer ? other : NULL;
}

static void offer_queue_pair(struct look *look) {
  struct queue_pair *q = look->q;
  const struct queue_pair *other = other_end(q);
  look->here = q->process == self && !q->closed;
  // What was received lands even if the queue pair there is gone.
  look->there = other != NULL && other->process == self && room->process[self].used;
  if (!look->here && !look->there) return;
  look_at(look);
  unsigned window = WINDOW;
  for (struct work *w = q->first; w != NULL && window > 0; w = w->next) {
    if (!w->failed && !q->closed) offer_request(look, w);
    offer_landing(look, w);
    offer_completions(look, w);
    pass(&look->before, look, w);
    if (!w->failed && !is_left(look, w)) window--;
  }
}

// Chooses a step. What all that may be taken weigh together, 0 if there is none.
static uint64_t choose(struct step *step) {
  struct look look = {.fabric = settings.fabric, .chosen = step};
  room->changing = false;
  draw_anew();
  for (unsigned k = 0; k < room->queue_pairs; k++) {
    look.q = &room->queue_pair[k];
    if (look.q->used && look.q->first != NULL) offer_queue_pair(&look);
  }
  room->changing = true;
  return look.total;
}

bool machine_step(void) {
  struct step step;
  if (choose(&step) == 0) return false;
  take(&step);
  return true;
}

bool machine_steps(void) {
  bool moved = false;
  struct step step;
  for (uint64_t weights; (weights = choose(&step)) > 0 && !idles(weights); moved = true) take(&step);
  return moved;
}

void machine_call(void) {
  room->calls++;
  machine_steps();
}

// ---- before memory is given back ----

static bool touches(const struct look *look, const struct work *w, const unsigned char *start, size_t length) {
  const uintptr_t from = (uintptr_t)start, to = from + length;
  if (look->there && lies_there(w)) {
    if (w->operation == MESSAGE) return true;
    const uintptr_t target = (uintptr_t)w->target;
    if (target < to && from < target + (w->length > 0 ? w->length : 8)) return true;
  }
  if (!look->here || writes(w) || !any_part(w, PENDING)) return false;
  for (unsigned k = 0; k < w->sges; k++)
    if (w->sge[k].addr < to && from < w->sge[k].addr + w->sge[k].length) return true;
  return false;
}

static void flush(struct look *look, const unsigned char *start, size_t length) {
  for (;;) {
    bool is_there = false;
    look_at(look);
    look->total = 0;
    for (struct work *w = look->q->first; w != NULL; w = w->next) {
      is_there |= touches(look, w, start, length);
      offer_landing(look, w);
    }
    if (!is_there || look->total == 0) return;
    take(look->chosen);
  }
}

void machine_flush(int process, const unsigned char *start, size_t length) {
  for (unsigned k = 0; k < room->queue_pairs; k++) {
    struct step step;
    struct look look = {.q = &room->queue_pair[k], .fabric = settings.fabric, .chosen = &step};
    if (!look.q->used) continue;
    const struct queue_pair *other = other_end(look.q);
    look.here = look.q->process == process;
    look.there = other != NULL && other->process == process;
    flush(&look, start, length);
  }
}

void machine_settle(const struct queue_pair *q) {
  struct step step;
  struct look look = {.q = other_end(q), .fabric = settings.fabric, .chosen = &step, .there = true};
  if (look.q == NULL || !look.q->used) return;
  flush(&look, NULL, SIZE_MAX);
  for (struct work *w = look.q->first, *next; w != NULL; w = next) {
    next = w->next;
    tell_nobody(look.q, w);
  }
}
