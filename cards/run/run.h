// The parts of the run time.
#ifndef REMORA_RUN_H
#define REMORA_RUN_H

#include "remora.h"

struct options {
    uint64_t rounds, seed;
    int relaxed, pinned, port, gid, settle, limit, me, processes;
    uint16_t tcp;
    const char *device, *out, *only;
    const char *hosts[REMORA_MOST];
};

extern struct options options;

// wire.c: processes by TCP; one alone needs none.
void wire_open(void);
// Everybody gives a piece, and gets those of all, in the order of the processes.
void wire_gather(const void *mine, size_t size, void *all);

// card.c
struct card {
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_device_attr attr;
    struct ibv_port_attr port;
    int has_atomics, has_flush; // and those of the other processes, too
    char driver[64];
};
extern struct card card;
void card_open(void);
void card_close(void);
int is_here(int node);
// Why the card, or the number of processes, cannot run a test. NULL: it can.
const char *card_lacks(const struct remora_test *test);
void run_open(struct remora_run *run, const struct remora_test *test);
void run_close(struct remora_run *run);
// Places of a round: where they lie follows from chance, which is the same in all processes.
void run_place(struct remora_run *run, uint64_t chance);
// Waits until everything that was asked of the card in this round is done. 0: it does not end.
int run_settle(struct remora_run *run);
// Queue pairs as they were at first.
void run_renew(struct remora_run *run);

// rounds.c
struct states {
    int64_t (*values)[REMORA_MOST];
    uint64_t *times;
    size_t count, room;
    uint64_t rounds, dropped;
};
void rounds_of(const struct remora_test *test, struct states *states);
uint64_t chance_next(uint64_t *chance);
uint64_t now_ns(void);
uint64_t now_ms(void);

// results.c
void results_open(void);
void results_add(const struct remora_test *test, const struct states *states, const char *left_out);
void results_close(void);

#endif
