// Numbers by chance, from the seed (splitmix64), and the habits of the card: how long it idles, and which steps of which queue pairs are slow.
// It changes them from time to time, since different habits show more than a long run with the same: an order that needs one step to be
// late, and all others to be soon, comes with the habit that is so.
#include "card.h"

// So long it keeps its habits, in steps.
enum { HABITS = 64 };

static const uint64_t STRIDE = 0x9e3779b97f4a7c15U;

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

uint64_t draw(uint64_t below) { return mix(room->random += STRIDE) % below; }

void draw_habits(void) {
  room->habits = room->clock / HABITS;
  room->random = mix(settings.seed * STRIDE + ~room->habits);
  room->habit = draw(UINT64_MAX);
  room->idle = (1U << draw(8)) - 1;
  room->slow = 1 + (unsigned)draw(8);
}

unsigned weight_of(const struct queue_pair *q, uint64_t work, unsigned kind, unsigned offset) {
  uint64_t which = (uint64_t)(q - room->queue_pair) * STEP_KINDS + kind;
  // At some times all steps of a kind at a queue pair are alike, and at others each is as it is.
  if (room->habit % 2 == 1) which += (mix(work) ^ offset) << 32;
  const uint64_t habit = mix(room->habit + which);
  return habit % 8 < room->slow ? 1U << (habit >> 8) % 8 : 256;
}

bool idles(uint64_t weights) {
  draw_for_call();
  return draw(weights + room->idle) >= weights;
}

void draw_anew(void) {
  if (room->clock / HABITS != room->habits) draw_habits();
  room->random = mix(settings.seed * STRIDE + room->clock);
}

void draw_for_call(void) {
  if (room->asked_since != room->clock) room->asked = 0, room->asked_since = room->clock;
  room->random = mix(mix(settings.seed * STRIDE + room->clock) + ++room->asked);
}

