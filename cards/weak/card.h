// The weak card: takes the place of libibverbs and does at random what the machine of a fabric may do.
//
// All state that several processes may look at lies in one room (room.c), a mapping at the same address in all of them, under
// one lock. A step of the machine (machine.c) touches the memory of one process at most, which takes it (step.c). What only
// its owner looks at, as receives that wait and completions, lies in the objects of the verbs.
#ifndef REMORA_CARD_H
#define REMORA_CARD_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// verbs.h puts macros before some functions, which are defined here.
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

enum {
  PROCESSES = 64,
  NICS = 256,
  QUEUE_PAIRS = 1024,
  REGIONS = 4096,
  SGES = 16,
  PIECES = 8,
  INLINE = 256,
  // Works of a queue pair that are under way; later ones wait.
  WINDOW = 16,
  MAX_WORKS = 16384,
  MAX_MESSAGE = 1 << 23,
};

// A bit of the optional flags of ibv_reg_mr, which other cards ignore: the region is strict on fabrics that relax all others.
#define REMORA_ACCESS_STRICT (1 << 29)

// ---- settings.c: what the environment asks for ----

struct fabric {
  const char *name;
  bool no_pcie;        // reads push nothing; they see what is pending on their queue pair
  bool relaxed;        // all regions are registered with relaxed ordering, but strict ones
  bool tagged;         // those are that ask for it
  bool either;         // one relaxed region of the two is enough
  bool atomic;         // atomics are relaxed, too
  bool unordered;      // gets push nothing and see memory
  bool manpage;        // what is polled is in memory
  bool receive_own;    // the completion of a receive says nothing of earlier data
  bool out_of_order;   // puts and gets pass what is before them; atomics and messages do not
  bool bag;            // nothing is in order
};

// Rules that the tests break, one at a time.
enum rule {
  NO_RULE,
  PUT_ORDER,          // puts are received in order
  MEMORY_ORDER,       // what is received comes into memory in order
  READ_PUSHES,        // a get waits until earlier puts are in memory
  READ_AFTER_PUT,     // a get waits until earlier puts are received
  ANSWER_ORDER,       // answers come into memory in order
  ANSWER_COMPLETION,  // a completion waits for its answer
  SOURCE_COMPLETION,  // a completion waits until its source is read
  FENCE,              // a fenced request waits for earlier answers
  ATOMIC_UNIT,        // atomics of one card are performed one by one
  RECEIVE_COMPLETION, // the completion of a receive waits for its data
};

struct settings {
  const struct fabric *fabric;
  uint64_t seed;
  const char *log;
  const char *room;
  enum rule broken;
  const char *broken_name;
};

extern struct settings settings;
void read_settings(void);
// Ends the program with one message: what is wrong is not the program's.
_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

// ---- room.c: what processes share ----

// A part of an operation that is moved at one moment.
enum progress { WAITING, READ, PENDING, LANDED };
struct piece {
  uint32_t offset, length;
  enum progress progress;
  uint64_t stamp; // when it became pending
};

enum operation { PUT, GET, CAS, FAA, MESSAGE, FLUSH };

struct receive;

struct work {
  struct work *next;
  uint64_t number, id;
  enum operation operation;
  bool signaled, fenced, immediate, solicited;
  bool failed, delivered;
  enum ibv_wc_status status;
  uint32_t imm, rkey, length, slots;
  uint64_t remote, compare, value;
  unsigned sges;
  struct ibv_sge sge[SGES];
  bool relaxed_local;
  // Known at the other end, by its first step there.
  bool checked, relaxed_remote, performed;
  unsigned char *target;
  struct receive *receive;
  bool arrived, told;
  unsigned char *data;
  unsigned pieces;
  struct piece piece[PIECES];
  struct piece part; // the write part of an atomic
  uint64_t written;
};

struct qp;

struct queue_pair {
  bool used, closed;
  uint32_t number, peer;
  int process, nic;
  uint32_t pd;
  enum ibv_qp_state state;
  struct qp *verbs; // means something in its process alone
  struct work *first;
  uint64_t posted, lonely; // since when it has had no other end
};

struct region {
  bool used;
  uint32_t key, pd;
  int process;
  uint64_t iova;
  unsigned char *start;
  size_t length;
  int access;
};

struct process {
  bool used;
  pthread_mutex_t alive; // held as long as it lives
};

struct room {
  uint64_t magic;
  pthread_mutex_t lock;
  _Atomic unsigned asleep; // so many wait long for the lock
  bool changing; // somebody who ends now leaves it in between
  char fabric[32];
  uint64_t random, clock;
  _Atomic uint64_t calls;      // of the program
  uint64_t asked, asked_since; // calls since the last step, by the clock
  uint64_t habits, habit; // which time of habits it is, and what is drawn for it
  unsigned idle, slow;    // how much idling weighs; how many of eight steps are slow
  uint32_t keys, pds, nics;
  unsigned queue_pairs; // as many of the table have been used
  struct process process[PROCESSES];
  unsigned busy[NICS]; // atomics of which the write part is pending
  struct queue_pair queue_pair[QUEUE_PAIRS];
  struct region region[REGIONS];
  size_t end, limit;
  void *unused[32];
};

extern struct room *room;
extern int self; // this process in the room
void enter_room(void);
void leave_room(void);
void lock(void);
void unlock(void);
// Those who fell asleep over the lock have their turn.
void let_others_in(void);
void *room_alloc(size_t size);
void room_free(void *memory, size_t size);
// Looks for processes that ended without leaving.
void bury(void);
void start_progress(void);
void stop_progress(void);

// ---- random.c ----

uint64_t draw(uint64_t below);
// What is drawn from now on depends on the steps taken so far alone, and not on how often somebody looked for one: so that a seed shows
// the same again.
void draw_anew(void);
// The same for calls, which may come again and again between two steps.
void draw_for_call(void);
void draw_habits(void);
// How soon a step is taken, by the habits of the card: that kind of step, for the part of a work that begins at `offset`.
unsigned weight_of(const struct queue_pair *q, uint64_t work, unsigned kind, unsigned offset);
// Does the card do nothing for now? Less often, the more all steps weigh that may be taken.
bool idles(uint64_t weights);

// ---- log.c ----

void open_log(void);
void note(const struct queue_pair *q, const struct work *w, const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *place(uint64_t address, char *text, size_t size);
const char *bytes(const unsigned char *data, size_t length, char *text, size_t size);

// ---- memory.c ----

const struct region *region_of(uint32_t key, int process);
bool is_relaxed(const struct region *region);
void load_words(void *to, const void *memory, size_t length);
void store_words(void *memory, const void *from, size_t length);
void gather(const struct ibv_sge *sge, unsigned sges, uint32_t offset, unsigned char *to, uint32_t length);
void scatter(const struct ibv_sge *sge, unsigned sges, uint32_t offset, const unsigned char *from, uint32_t length);

// ---- machine.c: which steps may be taken ----

enum step_kind { READ_SOURCE, RECEIVE, READ_TARGET, PERFORM, ANSWER, LAND_THERE, LAND_HERE, COMPLETE, TELL, STEP_KINDS };
struct step {
  enum step_kind kind;
  struct queue_pair *q;
  struct work *work;
  struct piece *piece;
};

// Takes a step that the fabric allows, if this process can take one.
bool machine_step(void);
// Takes some, until the card idles.
bool machine_steps(void);
// Steps in a call of the program: some, as chance has it.
void machine_call(void);
// Brings into memory what is pending there for the bytes given.
void machine_flush(int process, const unsigned char *start, size_t length);
// Brings into memory what a queue pair has received, before it is reset. Nobody is told of it any more.
void machine_settle(const struct queue_pair *q);
struct queue_pair *peer_of(const struct queue_pair *q);
struct queue_pair *other_end(const struct queue_pair *q); // also if it is gone

// ---- step.c: taking them ----

void take(const struct step *step);
// Forgets that a receive was taken.
void tell_nobody(struct queue_pair *q, struct work *w);
// Forgets a request of which nothing is left to do.
void drop_done(struct queue_pair *q, struct work *w);

// ---- failure.c ----

void fail(struct queue_pair *q, struct work *w, enum ibv_wc_status status);
void fail_all(struct queue_pair *q);
void abandon(struct queue_pair *q);
// The other end's process is gone, and its memory.
void lose(struct queue_pair *q);
// Requests that have had no other end for a while fail.
void despair(void);
// The queue pair is gone.
void forget(struct queue_pair *q);

// ---- queue-pair.c, completion.c, post.c: objects of the verbs ----

struct receive {
  struct receive *next;
  uint64_t id;
  unsigned sges;
  struct ibv_sge sge[SGES];
  uint32_t length;
};

struct receives {
  struct receive *first, **last;
  uint32_t waiting, most;
};

struct request;

// Headers before those of rdma-core 45 have no flush. Programs that were built with later ones have it as these numbers.
enum { WR_FLUSH = 14, WC_FLUSH = 8, EX_WITH_FLUSH = 1 << 11, ACCESS_FLUSH = 1 << 8, FLUSH_PERSISTENT = 1 << 1 };
typedef void flush_function(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote, size_t length, uint8_t type, uint8_t level);

struct qp {
  struct ibv_qp_ex ex;
  flush_function *room_for_flush; // the last field of later headers
  struct queue_pair *shared;
  struct receives own, *receives;
  struct ibv_qp_init_attr init;
  struct ibv_qp_attr attr;
  bool signal_all, extended;
  unsigned outstanding, unsignaled;
  // Requests between ibv_wr_start and ibv_wr_complete (post-ex.c).
  struct request *batch;
  unsigned batched;
  int batch_error;
};

struct pd {
  struct ibv_pd base;
  uint32_t number;
};

struct srq {
  struct ibv_srq base;
  struct receives receives;
};

struct nic {
  struct verbs_context verbs;
  int number;
};

static inline struct qp *qp_of(struct ibv_qp *qp) { return (struct qp *)qp; }
static inline struct nic *nic_of(struct ibv_context *context) {
  return (struct nic *)((unsigned char *)context - offsetof(struct verbs_context, context));
}
static inline uint32_t pd_number(struct ibv_pd *pd) { return ((struct pd *)pd)->number; }

struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr);
void extend_qp(struct qp *qp);
int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);
int poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc);
int req_notify_cq(struct ibv_cq *cq, int solicited_only);
// `frees` requests may be posted again when this is polled.
void add_completion(struct ibv_cq *cq, const struct ibv_wc *wc, struct qp *qp, unsigned frees, bool solicited);
void forget_completions(struct ibv_cq *cq, const struct qp *qp);
void flush_receives(struct qp *qp);
void free_receives(struct receives *receives);
int missing(const char *name);
void missing_operations(struct verbs_context *context);

#endif
