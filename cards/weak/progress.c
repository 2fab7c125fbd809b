// One thread moves the machine on, since programs spin on memory without calling anything. It sleeps for a moment after each
// step: a thread that wakes up gets a core at once, while one that only yields waits until a spinning program's time is over.
#include "card.h"

#include <sched.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <time.h>

static pthread_t thread;
static atomic_bool ready, stopped;

static void rest(long nanoseconds) {
  const struct timespec time = {0, nanoseconds};
  nanosleep(&time, NULL);
}

static void *progress(void *unused) {
  (void)unused;
  prctl(PR_SET_TIMERSLACK, 1);
  enter_room();
  atomic_store(&ready, true);
  for (unsigned rounds = 0, idle = 0; !atomic_load(&stopped); rounds++) {
    lock();
    // A patient card lets the program do more between two steps.
    const bool moved = !is_patient() && machine_step();
    if (rounds % 4096 == 0) {
      bury();
      despair();
    }
    unlock();
    idle = moved ? 0 : idle + 1;
    rest(idle < 64 * room->patience ? 1000 : 50000);
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
