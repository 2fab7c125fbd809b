// Rounds: threads start together, each after some time; when all is done, the final values are counted.
#define _GNU_SOURCE
#include "run.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// A test that no round of so many can end is given up.
enum { VAIN = 20 };

uint64_t chance_next(uint64_t *chance)
{
    // splitmix64
    uint64_t z = *chance += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t now_ms(void)
{
    return now_ns() / 1000000;
}

static struct {
    atomic_int come, turn;
    int all;
    pthread_mutex_t lock;
    pthread_cond_t go;
} meeting = { .lock = PTHREAD_MUTEX_INITIALIZER, .go = PTHREAD_COND_INITIALIZER };
static atomic_int ended;
static cpu_set_t cores;
static int cores_count;

// Who has a core of its own spins, to start at once with the others. Where there are fewer, it leaves its core to them.
static void meet(void)
{
    int turn = atomic_load(&meeting.turn), is_last = atomic_fetch_add(&meeting.come, 1) + 1 == meeting.all;
    if (!is_last && cores_count >= meeting.all) {
        while (atomic_load(&meeting.turn) == turn)
            ;
        return;
    }
    pthread_mutex_lock(&meeting.lock);
    if (is_last) {
        atomic_store(&meeting.come, 0);
        atomic_fetch_add(&meeting.turn, 1);
        pthread_cond_broadcast(&meeting.go);
    }
    while (atomic_load(&meeting.turn) == turn)
        pthread_cond_wait(&meeting.go, &meeting.lock);
    pthread_mutex_unlock(&meeting.lock);
}

// How long a round takes in which nobody waits, in ns: as many of late took less as took more, so that those in which the system lets a
// thread wait do not count for more. And the longest delay of this round.
static uint64_t usual = 10000;
static atomic_ullong longest;

// In a quarter of all rounds nobody waits. In the others delays are up to a part of such a round, or some times as long: cards differ, and
// a thread that is late by little shows other orders than one that is late by much.
static int draw_delays(uint64_t *chance)
{
    uint64_t drawn = chance_next(chance);
    int is_quick = drawn % 4 == 0;
    atomic_store(&longest, is_quick ? 0 : usual << (drawn >> 8) % 6 >> 3);
    return is_quick;
}

static void learn(uint64_t took)
{
    if (took > usual)
        usual += usual / 8 + 1;
    else
        usual -= usual / 8;
}

// Half of all delays are a few instructions.
static void spend(uint64_t *chance)
{
    uint64_t drawn = chance_next(chance);
    if (drawn & 1) {
        uint64_t end = now_ns() + (drawn >> 8) % (atomic_load(&longest) + 1);
        while (now_ns() < end)
            if (cores_count < meeting.all - 1)
                sched_yield();
        return;
    }
    uint64_t loops = drawn >> 8 & ((UINT64_C(1) << (drawn >> 1) % 12) - 1);
    for (volatile uint64_t i = 0; i < loops; i++)
        ;
}

void remora_set(struct remora_thread *t, int outcome, int64_t value)
{
    t->run->values[outcome] = value;
    atomic_fetch_or(&t->run->set, UINT64_C(1) << outcome);
}

void remora_wait(struct remora_thread *t)
{
    // The thread that counts is asleep then.
    if (cores_count < meeting.all - 1)
        sched_yield();
    if (++t->spins % 256 != 0)
        return;
    if (now_ms() - t->since > (uint64_t)options.limit)
        atomic_store(&t->run->stopped, 1);
    if (atomic_load(&t->run->stopped))
        longjmp(t->end, 1);
}

void remora_assume(struct remora_thread *t, int64_t holds)
{
    if (holds)
        return;
    atomic_store(&t->run->stopped, 1);
    longjmp(t->end, 1);
}

void remora_pause(struct remora_thread *t)
{
    if (t->pauses)
        spend(&t->chance);
}

int remora_way(struct remora_thread *t)
{
    return (int)(chance_next(&t->chance) & 1);
}

void remora_fence(struct remora_thread *t, struct ibv_qp *qp)
{
    if (!remora_fenced(t, qp) && t->fences == (int)(sizeof t->fenced / sizeof *t->fenced))
        remora_fail("a thread has too many fences without requests");
    t->fenced[t->fences++] = qp;
}

int remora_fenced(struct remora_thread *t, struct ibv_qp *qp)
{
    for (int i = 0; i < t->fences; i++)
        if (t->fenced[i] == qp) {
            t->fenced[i] = t->fenced[--t->fences];
            return 1;
        }
    return 0;
}

static void pin(int index)
{
    int skip = index % cores_count;
    for (int core = 0; options.pinned && core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &cores) && skip-- == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
}

static void *thread_of(void *given)
{
    struct remora_thread *t = given;

    pin(t->index);
    for (;;) {
        meet();
        if (atomic_load(&ended))
            return NULL;
        t->fences = 0;
        t->since = now_ms();
        // Half of all rounds are as fast as can be, between the instructions; in the others, slow cards are waited for.
        t->pauses = (int)(chance_next(&t->chance) & 1);
        spend(&t->chance);
        if (setjmp(t->end) == 0)
            t->run->test->threads[t->index].run(t);
        meet();
    }
}

static void count(struct states *states, const int64_t *values, int length)
{
    size_t size = (size_t)length * sizeof *values, i = 0;

    while (i < states->count && memcmp(states->values[i], values, size) != 0)
        i++;
    if (i == states->room) {
        states->room = 2 * states->room + 16;
        states->values = realloc(states->values, states->room * sizeof *states->values);
        states->times = realloc(states->times, states->room * sizeof *states->times);
        if (states->values == NULL || states->times == NULL)
            remora_fail("there is no memory");
    }
    if (i == states->count) {
        memcpy(states->values[i], values, size);
        states->times[states->count++] = 0;
    }
    states->times[i]++;
}

struct told {
    int64_t values[REMORA_MOST];
    uint64_t set;
    int dropped, stuck;
};

// Puts together what the processes tell of a round. 0: it does not count.
static int together(struct remora_run *run, struct told told, struct states *states, int *is_stuck)
{
    static struct told all[REMORA_MOST];
    int64_t values[REMORA_MOST] = { 0 };
    int dropped = 0;
    uint64_t set = 0, wanted = run->test->outcomes_count == 64 ? UINT64_MAX : (UINT64_C(1) << run->test->outcomes_count) - 1;

    wire_gather(&told, sizeof told, all);
    *is_stuck = 0;
    for (int i = 0; i < options.processes; i++) {
        dropped |= all[i].dropped;
        *is_stuck |= all[i].stuck;
        set |= all[i].set;
        for (int n = 0; n < run->test->outcomes_count; n++)
            if (all[i].set >> n & 1)
                values[n] = all[i].values[n];
    }
    states->rounds++;
    if (dropped || *is_stuck || set != wanted) {
        states->dropped++;
        return 0;
    }
    count(states, values, run->test->outcomes_count);
    return 1;
}

static void all_meet(void)
{
    char here = 1, there[REMORA_MOST];
    wire_gather(&here, 1, there);
}

static void one_round(struct remora_run *run, uint64_t *chance, struct states *states)
{
    const struct remora_test *test = run->test;
    struct told told = { .set = 0 };
    int is_stuck, is_quick = draw_delays(chance);

    run_place(run, chance_next(chance));
    atomic_store(&run->set, 0);
    atomic_store(&run->stopped, 0);
    all_meet();
    uint64_t since = now_ns();
    meet();
    meet();
    uint64_t took = now_ns() - since;
    all_meet();
    since = now_ns();
    told.stuck = !run_settle(run);
    if (is_quick)
        learn(took + now_ns() - since);
    all_meet();
    told.dropped = atomic_load(&run->stopped);
    told.set = atomic_load(&run->set);
    memcpy(told.values, run->values, sizeof told.values);
    for (int n = 0; n < test->outcomes_count; n++) {
        int place = test->outcomes[n].place;
        if (place < 0 || run->at[place] == NULL)
            continue;
        told.values[n] = *run->at[place];
        told.set |= UINT64_C(1) << n;
    }
    together(run, told, states, &is_stuck);
    // Messages that nobody took, and receives that took none, would be another round's.
    if (is_stuck || test->needs & REMORA_NEEDS_MESSAGES)
        run_renew(run);
}

void rounds_of(const struct remora_test *test, struct states *states)
{
    static struct remora_run run;
    static struct remora_thread threads[REMORA_MOST];
    static pthread_t started[REMORA_MOST];
    uint64_t chance = options.seed;

    sched_getaffinity(0, sizeof cores, &cores);
    cores_count = CPU_COUNT(&cores);
    run_open(&run, test);
    atomic_store(&ended, 0);
    meeting.all = 1;
    for (int i = 0; i < test->threads_count; i++)
        meeting.all += is_here(test->threads[i].node);
    for (int i = 0; i < test->threads_count; i++) {
        threads[i] = (struct remora_thread){ .run = &run, .index = i, .chance = options.seed * 1000 + (uint64_t)i };
        if (is_here(test->threads[i].node) && pthread_create(&started[i], NULL, thread_of, &threads[i]) != 0)
            remora_fail("a thread cannot be started");
    }
    while (states->rounds < options.rounds && (states->dropped < VAIN || states->dropped < states->rounds))
        one_round(&run, &chance, states);
    atomic_store(&ended, 1);
    meet();
    for (int i = 0; i < test->threads_count; i++)
        if (is_here(test->threads[i].node))
            pthread_join(started[i], NULL);
    run_close(&run);
}
