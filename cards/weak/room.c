// The room: what processes share, one lock, and memory to give out. Without REMORA_CARD_ROOM a process is alone in it.
#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

struct room *room;
int self;
static int file = -1;

// Builds differ in how a room is furnished.
#ifndef REMORA_BUILD
#define REMORA_BUILD 1
#endif
static const uint64_t MAGIC = REMORA_BUILD;
// At one address in all processes, so that pointers mean the same in each.
static void *const ADDRESS = (void *)0x200000000000;
static const size_t SIZE = (size_t)1 << 30, GROWTH = (size_t)1 << 20;

static void shared_mutex(pthread_mutex_t *mutex) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

static void grow(size_t limit) {
  const int error = file < 0 ? 0 : posix_fallocate(file, 0, (off_t)limit);
  if (error != 0) give_up("the room %s cannot be as large as %zu bytes: %s", settings.room, limit, strerror(error));
}

static void furnish(void) {
  const size_t end = (sizeof *room + 63) / 64 * 64, limit = (end / GROWTH + 1) * GROWTH;
  grow(limit);
  memset(room, 0, sizeof *room);
  shared_mutex(&room->lock);
  snprintf(room->fabric, sizeof room->fabric, "%s", settings.fabric->name);
  room->end = end, room->limit = limit;
  draw_habits();
  room->magic = MAGIC;
}

static bool is_alive(struct process *process) {
  const int error = pthread_mutex_trylock(&process->alive);
  if (error == EBUSY) return true;
  if (error == EOWNERDEAD) pthread_mutex_consistent(&process->alive);
  pthread_mutex_unlock(&process->alive);
  return false;
}

static bool is_empty(void) {
  for (int k = 0; k < PROCESSES; k++)
    if (room->process[k].used && is_alive(&room->process[k])) return false;
  return true;
}

static void enter_file(void) {
  file = open(settings.room, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) give_up("the room %s cannot be opened: %s", settings.room, strerror(errno));
  // Held while somebody enters, so that one furnishes.
  flock(file, LOCK_EX);
  if (ftruncate(file, (off_t)SIZE) != 0) give_up("the room %s cannot be made: %s", settings.room, strerror(errno));
  room = mmap(ADDRESS, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
  if (room != ADDRESS) give_up("the room %s cannot be where it is in other processes: %s", settings.room, strerror(errno));
  grow(GROWTH + sizeof *room);
  if (room->magic != 0 && room->magic != MAGIC) give_up("the room %s is that of another build of the card", settings.room);
  if (room->magic == 0 || is_empty()) furnish();
}

static void enter_alone(void) {
  room = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) give_up("no memory: %s", strerror(errno));
  furnish();
}

// By the thread that stays as long as the process does: others see by its lock that it lives.
void enter_room(void) {
  if (settings.room != NULL)
    enter_file();
  else
    enter_alone();
  if (strcmp(room->fabric, settings.fabric->name) != 0)
    give_up("the fabric is %s here, but %s of those who are in the room %s", settings.fabric->name, room->fabric, settings.room);
  lock();
  for (self = 0; self < PROCESSES && room->process[self].used; self++) continue;
  if (self == PROCESSES) give_up("there are more than %d processes in the room", PROCESSES);
  shared_mutex(&room->process[self].alive);
  room->process[self].used = true;
  pthread_mutex_lock(&room->process[self].alive);
  unlock();
  if (file >= 0) flock(file, LOCK_UN);
}

// A step takes a microsecond: less than to fall asleep and to be woken.
static int wait_for_lock(void) {
  int error = EBUSY;
  for (unsigned tries = 0; error == EBUSY && tries < 64; tries++) {
    error = pthread_mutex_trylock(&room->lock);
    for (volatile unsigned k = 0; error == EBUSY && k < 32; k++) continue;
  }
  if (error != EBUSY) return error;
  room->asleep++;
  error = pthread_mutex_lock(&room->lock);
  room->asleep--;
  return error;
}

void let_others_in(void) {
  for (unsigned tries = 0; room->asleep > 0 && tries < 64; tries++) sched_yield();
}

void lock(void) {
  const int error = wait_for_lock();
  if (error == EOWNERDEAD) {
    // Most of the time is spent in looking for a step: then nothing is half done.
    if (room->changing) give_up("a process ended in the middle of a step; what it left cannot be used");
    pthread_mutex_consistent(&room->lock);
  }
  if (error == ENOTRECOVERABLE) give_up("a process ended in the middle of a step; what it left cannot be used");
  room->changing = true;
}

void unlock(void) {
  room->changing = false;
  pthread_mutex_unlock(&room->lock);
}

static void bury_process(int dead) {
  for (unsigned k = 0; k < room->queue_pairs; k++) {
    struct queue_pair *q = &room->queue_pair[k];
    const struct queue_pair *other = other_end(q);
    if (q->used && other != NULL && other->process == dead) lose(q);
    if (q->used && q->process == dead) forget(q);
  }
  for (unsigned k = 0; k < REGIONS; k++)
    if (room->region[k].process == dead) room->region[k].used = false;
  room->process[dead].used = false;
}

void bury(void) {
  for (int k = 0; k < PROCESSES; k++) {
    if (k == self || !room->process[k].used || is_alive(&room->process[k])) continue;
    complain("process %d ended; what it had under way is dropped", k);
    bury_process(k);
  }
}

void leave_room(void) {
  lock();
  bury_process(self);
  pthread_mutex_unlock(&room->process[self].alive);
  unlock();
}

// ---- memory: sizes are powers of two, and what is given back is used again ----

static unsigned class_of(size_t size) {
  unsigned class = 5;
  while (((size_t)1 << class) < size) class++;
  return class;
}

void *room_alloc(size_t size) {
  const unsigned class = class_of(size);
  void *memory = room->unused[class];
  if (memory != NULL) {
    room->unused[class] = *(void **)memory;
    return memory;
  }
  const size_t needed = (size_t)1 << class;
  if (room->end + needed > SIZE) give_up("what is under way is more than %zu bytes", SIZE);
  if (room->end + needed > room->limit) {
    room->limit = (room->end + needed + GROWTH) / GROWTH * GROWTH;
    grow(room->limit);
  }
  memory = (unsigned char *)room + room->end;
  room->end += needed;
  return memory;
}

void room_free(void *memory, size_t size) {
  if (memory == NULL) return;
  const unsigned class = class_of(size);
  *(void **)memory = room->unused[class];
  room->unused[class] = memory;
}
