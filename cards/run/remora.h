// What emitted tests and the run time share. A test is a table, and a function for each of its threads.
#ifndef REMORA_H
#define REMORA_H

#include <infiniband/verbs.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>

// How the memory of a place is registered: as the run says, with relaxed ordering, or without it in any case.
enum remora_kind { REMORA_PLAIN, REMORA_RELAXED, REMORA_STRICT, REMORA_KINDS };

// What not every card has.
enum { REMORA_NEEDS_ATOMICS = 1, REMORA_NEEDS_INLINE = 2, REMORA_NEEDS_MESSAGES = 4, REMORA_NEEDS_FLUSH = 8 };

#ifndef REMORA_HAS_FLUSH
// These headers have no flush: tests that need it are compiled, and left out when they would run.
enum { IBV_FLUSH_GLOBAL = 1, IBV_FLUSH_RANGE = 0 };
static inline void ibv_wr_flush(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr, size_t length, uint8_t type, uint8_t level)
{
    (void)qp, (void)rkey, (void)addr, (void)length, (void)type, (void)level;
}
#endif

struct remora_place {
    const char *name;
    int node;
    int64_t first;
    enum remora_kind kind;
    int behind; // whether it lies directly behind the place before it
};

struct remora_pair {
    int node, end, sends, receives;
    int used; // whether a thread uses it, or it is a far end alone
};

struct remora_thread;

struct remora_code {
    const char *name;
    int node;
    void (*run)(struct remora_thread *t);
};

// A final value: of a place, or of a register of a thread, which sets it.
struct remora_outcome {
    const char *name;
    int place;
};

struct remora_test {
    const char *name, *program;
    int nodes, needs;
    const struct remora_place *places;
    const struct remora_pair *pairs;
    const int *queues;
    const struct remora_code *threads;
    const struct remora_outcome *outcomes;
    int places_count, pairs_count, queues_count, threads_count, outcomes_count;
};

extern const struct remora_test *const remora_tests[];

enum { REMORA_MOST = 64 };

// A test while it is run: what its threads are given in this round.
struct remora_run {
    const struct remora_test *test;
    struct ibv_qp *qp[REMORA_MOST];
    struct ibv_cq *cq[2 * REMORA_MOST];
    volatile int64_t *at[REMORA_MOST];
    uint64_t addr[REMORA_MOST];
    uint32_t key[REMORA_MOST], rkey[REMORA_MOST];
    int64_t values[REMORA_MOST];
    _Atomic uint64_t set; // which values are there
    atomic_int stopped;   // the round does not count
};

struct remora_thread {
    struct remora_run *run;
    int index, fences, pauses;
    uint64_t chance;
    uint64_t since; // when the round began, in ms
    unsigned spins;
    struct ibv_qp *fenced[8];
    jmp_buf end;
};

// What the functions of threads call. docs/cards.md says what each of them means to the reader of C.
void remora_set(struct remora_thread *t, int outcome, int64_t value);
void remora_wait(struct remora_thread *t);  // in a loop: gives the round up if it lasts too long
void remora_pause(struct remora_thread *t); // nothing, or some time
void remora_assume(struct remora_thread *t, int64_t holds); // gives the round up if it does not
int remora_way(struct remora_thread *t);
void remora_fence(struct remora_thread *t, struct ibv_qp *qp);
int remora_fenced(struct remora_thread *t, struct ibv_qp *qp);
_Noreturn void remora_fail(const char *what);

#endif
