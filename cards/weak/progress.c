// One thread moves the machine on, since programs spin on memory without calling anything.
//
// Beside several threads or processes it sleeps for a moment after each step: a thread that wakes up gets a core at once, while one that
// only yields waits until a spinning program's time is over. A program of one thread that is alone in its room is let alone until it spins
// or sleeps: then steps are taken at the same places of it in each run, and a seed shows a run again.
#include "card.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// What is taken for spinning: so many ns of the program's processor time without a call or a step. For sleeping: to be found so so often.
enum { SPINNING = 20000, SLEEPING = 20 };

static pthread_t thread;
static atomic_bool ready, stopped, alone;

static void rest(long nanoseconds) {
  const struct timespec time = {0, nanoseconds};
  nanosleep(&time, NULL);
}

// ---- a program of one thread ----

static bool is_alone(void) {
  struct stat tasks;
  for (int k = 0; k < PROCESSES; k++)
    if (k != self && room->process[k].used) return false;
  // A folder of each thread, this one's, too, and two links of every folder.
  return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 4;
}

static int64_t time_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int64_t program_time(void) { return time_of(CLOCK_PROCESS_CPUTIME_ID) - time_of(CLOCK_THREAD_CPUTIME_ID); }

// The state of the first thread stands behind the name of the program, which is in parentheses.
static bool is_asleep(void) {
  char text[128] = "";
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  const char *end = length > 0 ? strrchr(text, ')') : NULL;
  return end != NULL && strncmp(end, ") S", 3) == 0;
}

// Since when the program has called nothing.
static struct {
  uint64_t calls;
  int64_t since;
  unsigned asleep;
} quiet;

static void begin_quiet(void) {
  quiet.calls = room->calls, quiet.since = program_time(), quiet.asleep = 0;
}

// Without the lock, for which the program might wait.
static bool is_quiet(void) {
  if (quiet.calls != room->calls) begin_quiet();
  if (program_time() - quiet.since >= SPINNING) return true;
  quiet.asleep = is_asleep() ? quiet.asleep + 1 : 0;
  return quiet.asleep >= SLEEPING;
}

static bool step_in_quiet(void) {
  if (!is_quiet()) return false;
  lock();
  const bool moved = quiet.calls == room->calls && machine_step();
  unlock();
  begin_quiet();
  return moved;
}

// ---- all others ----

static bool step_beside(void) {
  lock();
  const bool moved = machine_steps();
  unlock();
  return moved;
}

static void look_around(void) {
  lock();
  bury();
  despair();
  unlock();
}

static void *progress(void *unused) {
  (void)unused;
  prctl(PR_SET_TIMERSLACK, 1);
  enter_room();
  atomic_store(&ready, true);
  for (unsigned rounds = 0, idle = 0; !atomic_load(&stopped); rounds++) {
    atomic_store(&alone, is_alone());
    const bool moved = alone ? step_in_quiet() : step_beside();
    if (rounds % 4096 == 0) look_around();
    idle = moved ? 0 : idle + 1;
    rest(idle < 256 ? 1000 : 50000);
  }
  leave_room();
  return NULL;
}

void start_progress(void) {
  if (pthread_create(&thread, NULL, progress, NULL) != 0) give_up("no thread can be started");
  while (!atomic_load(&ready)) sched_yield();
}

void stop_progress(void) {
  atomic_store(&stopped, true);
  pthread_join(thread, NULL);
}
